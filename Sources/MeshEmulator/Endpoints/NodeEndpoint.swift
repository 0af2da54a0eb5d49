package import MeshTransports

/// The address of a node's clients, such as `alice=tcp://127.0.0.1:5000`, `alice=pty:PATH` or `alice=ble:hci0`.
///
/// A TCP port is one as an ESP32 board with Wi-Fi has it; a pseudo-terminal is one as a board on USB has it. With a
/// Bluetooth controller the node is a peripheral, as its board is: `alice=ble:hci:tcp=HOST:PORT` or
/// `alice=ble:hci0?mode=exact`. With `modem:` before a port or a terminal the node is a bare radio modem, and its
/// client the host: `alice=modem:tcp://127.0.0.1:5001`. With `external:` before a port the client is all of the node,
/// in lockstep with the world: `alice=external:tcp://127.0.0.1:5001`.
package struct NodeEndpoint: Hashable, Sendable, CustomStringConvertible {
    /// The kind of service that clients find there.
    package enum Service: Hashable, Sendable {
        /// The node's own service: a companion radio, or the console of another role.
        case node
        /// A modem in place of the companion radio (`KISSModem`).
        case modem
        /// A node that waits for its program, which says what it does (`PeerRequest`).
        case external

        /// The prefix of the address.
        fileprivate var prefix: String {
            switch self {
            case .node: ""
            case .modem: "modem:"
            case .external: "external:"
            }
        }
    }

    /// The node's name in its world.
    package let label: String
    /// The address that clients connect to.
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
        guard let service = [Service.modem, .external].first(where: { place.utf8.starts(with: $0.prefix.utf8) }) else {
            service = .node
            endpoint = try LinkAddress(endpoint: place)
            return
        }
        self.service = service
        endpoint = try LinkAddress(listener: String(Substring(place.utf8.dropFirst(service.prefix.utf8.count))))
        if service == .external, endpoint.isLine {
            throw .badAddress(place, reason: "a terminal does not tell who is there; expected external:tcp://HOST:PORT")
        }
    }

    package var description: String { "\(label)=\(place)" }

    /// The address with the prefix of its service.
    package var place: String { "\(service.prefix)\(endpoint)" }

    /// The same node at the address that was opened, with the port that the system chose.
    func opened(at endpoint: LinkAddress) -> NodeEndpoint {
        NodeEndpoint(label: label, endpoint: endpoint, service: service)
    }
}
