package import MeshLinks

/// Where clients of a node connect: `alice=tcp://127.0.0.1:5000`, `alice=pty:PATH`, `alice=ble:hci:tcp=HOST:PORT`,
/// `alice=ble:hci0` or `alice=ble:hci0?mode=exact`.
///
/// A TCP port is one as an ESP32 board with Wi-Fi has it; a pseudo-terminal is one as a board on USB has it. With a
/// Bluetooth controller the node is a peripheral, as its board is.
package struct NodeEndpoint: Hashable, Sendable, CustomStringConvertible {
    /// The node's name in its world.
    package let label: String
    /// Where clients connect.
    package let endpoint: LinkAddress

    package init(label: String, endpoint: LinkAddress) {
        self.label = label
        self.endpoint = endpoint
    }

    /// Reads `NODE=ENDPOINT`; throws when a part is missing or the endpoint is no address for clients.
    package init(_ text: some StringProtocol) throws(LinkError) {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
            throw .badAddress(String(text), reason: "expected NODE=ENDPOINT, as in alice=tcp://127.0.0.1:5000")
        }
        label = String(text[..<equals])
        endpoint = try LinkAddress(endpoint: text[text.index(after: equals)...])
    }

    package var description: String { "\(label)=\(endpoint)" }
}
