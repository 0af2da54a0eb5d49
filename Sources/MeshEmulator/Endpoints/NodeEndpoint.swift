package import MeshLinks

/// Where clients of a node connect: `alice=tcp://127.0.0.1:5000`, `alice=pty:PATH`, `alice=ble:hci:tcp=HOST:PORT`,
/// `alice=ble:hci0` or `alice=ble:hci0?mode=exact`.
///
/// A TCP port is one as an ESP32 board with Wi-Fi has it; a pseudo-terminal is one as a board on USB has it. With a
/// Bluetooth controller the node is a peripheral, as its board is. With `modem:` before a port or a terminal the node is a
/// bare radio modem, and its client the host of one: `alice=modem:tcp://127.0.0.1:5001`.
package struct NodeEndpoint: Hashable, Sendable, CustomStringConvertible {
    /// What clients find there.
    package enum Service: Hashable, Sendable {
        /// What the node is: a companion radio, or the console of another.
        case node
        /// A modem in place of the companion radio (`KISSModem`).
        case modem
    }

    /// The node's name in its world.
    package let label: String
    /// Where clients connect.
    package let endpoint: LinkAddress
    package let service: Service

    package init(label: String, endpoint: LinkAddress, service: Service = .node) {
        self.label = label
        self.endpoint = endpoint
        self.service = service
    }

    /// Reads `NODE=ENDPOINT`; throws when a part is missing or the endpoint is no address for clients.
    package init(_ text: some StringProtocol) throws(LinkError) {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
            throw .badAddress(String(text), reason: "expected NODE=ENDPOINT, as in alice=tcp://127.0.0.1:5000")
        }
        label = String(text[..<equals])
        let place = String(text[text.index(after: equals)...])
        if place.utf8.starts(with: Self.modemPrefix.utf8) {
            service = .modem
            endpoint = try LinkAddress(listener: String(Substring(place.utf8.dropFirst(Self.modemPrefix.utf8.count))))
        } else {
            service = .node
            endpoint = try LinkAddress(endpoint: place)
        }
    }

    private static let modemPrefix = "modem:"

    package var description: String { "\(label)=\(place)" }

    /// Where clients connect, with what they find there.
    package var place: String {
        switch service {
        case .node: "\(endpoint)"
        case .modem: "\(Self.modemPrefix)\(endpoint)"
        }
    }

    /// The same node at the place as it became: a port that the system chose.
    func opened(at endpoint: LinkAddress) -> NodeEndpoint {
        NodeEndpoint(label: label, endpoint: endpoint, service: service)
    }
}
