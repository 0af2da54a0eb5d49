public import FoundationEssentials

/// The address of a radio, as text: `tcp://HOST:PORT`, `serial:PATH`, `loopback:WORLD/NODE` or `ble:ADDRESS`.
///
/// The stack does not look into the address; the maker of transports does.
public struct RadioEndpoint: Hashable, Sendable {
    /// The kind of link that leads to the address; others than the named ones are possible.
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

    /// The kind of the address.
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

    /// True when only a request shows that the peer has gone.
    ///
    /// A TCP connection that lost its network reports no end, also one to a serial line elsewhere.
    var needsHeartbeat: Bool { kind == .tcp || address.hasPrefix("//") }

    /// True when a link that carries frames has left keys: over Bluetooth a radio accepts none before it is paired.
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
