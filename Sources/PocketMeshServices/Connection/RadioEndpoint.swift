public import Foundation

/// Where a radio is reached, as text: `tcp://HOST:PORT`, `serial:PATH`, `loopback:WORLD/NODE` or `ble:ADDRESS`.
///
/// The stack does not look into the address; whoever makes transports does.
public struct RadioEndpoint: Hashable, Sendable {
    /// Which kind of link leads there; others than the named ones are possible.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        public var rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static let tcp = Kind(rawValue: "tcp")
        public static let serial = Kind(rawValue: "serial")
        public static let loopback = Kind(rawValue: "loopback")
        public static let ble = Kind(rawValue: "ble")
    }

    /// What kind of address it is.
    public var kind: Kind
    /// The address without the kind before it.
    public var address: String

    public init(kind: Kind, address: String) {
        self.kind = kind
        self.address = address
    }

    /// Reads the text; `nil` without a kind or without an address.
    public init?(_ text: some StringProtocol) {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let kind = Kind(rawValue: String(text[..<colon]))
        var address = text[text.index(after: colon)...]
        if kind == .tcp, address.hasPrefix("//") { address = address.dropFirst(2) }
        guard !kind.rawValue.isEmpty, !address.isEmpty else { return nil }
        self.init(kind: kind, address: String(address))
    }

    package init(_ row: EndpointDTO) {
        self.init(kind: Kind(rawValue: row.kind), address: row.address)
    }

    /// Whether a peer that has gone is noticed only by asking: nobody tells the end of a TCP connection that lost its
    /// network.
    var needsHeartbeat: Bool { kind == .tcp }

    /// Whether a link that carries frames has left keys behind: over Bluetooth a radio takes none before it is paired.
    var isBonded: Bool { kind == .ble }
}

extension RadioEndpoint: CustomStringConvertible {
    public var description: String { "\(kind.rawValue):\(kind == .tcp ? "//" : "")\(address)" }
}

extension StableIdentifier {
    /// A radio, by the address at which it is reached: the identity that PocketMesh gave it at first.
    public static func device(endpoint: RadioEndpoint) -> UUID {
        device(publicKey: Data("endpoint".utf8) + Data(endpoint.description.utf8))
    }
}
