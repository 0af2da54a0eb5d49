import MeshLinks
import NIOCore

/// A port that is open, and the endpoint as it became.
struct OpenPort {
    let port: any AppPort
    /// With the port number that the system chose.
    let endpoint: NodeEndpoint

    /// Facts that the port of a controller needs.
    struct Bluetooth: Sendable {
        let radio: RadioIdentity
        let bonds: BondFile?
    }

    /// Opens the port of an endpoint; fails with a `LinkError` or an `EmulatorError`.
    static func open(
        _ endpoint: NodeEndpoint, bluetooth: Bluetooth? = nil, owner: NIOLoopBound<any PortOwner>
    ) -> EventLoopFuture<NIOLoopBound<OpenPort>> {
        let label = endpoint.label
        // A board writes whether anybody reads or not; a modem waits.
        let reportsRoom = endpoint.service == .modem
        switch endpoint.endpoint {
        case .tcp(let host, let port):
            return TCPPort.open(host: host, port: port, label: label, owner: owner).map { opened in
                opened.value.reportsRoom = reportsRoom
                let actual = endpoint.opened(at: opened.value.address)
                return NIOLoopBound(OpenPort(port: opened.value, endpoint: actual), eventLoop: owner.eventLoop)
            }
        case .pty(let path):
            return TerminalPort.open(path: path, label: label, owner: owner).map { opened in
                opened.value.reportsRoom = reportsRoom
                return NIOLoopBound(OpenPort(port: opened.value, endpoint: endpoint), eventLoop: owner.eventLoop)
            }
        case .controller:
            guard let bluetooth else { fallthrough }
            return BluetoothPort.open(
                endpoint.endpoint, radio: bluetooth.radio, label: label, bonds: bluetooth.bonds, owner: owner
            ).map { opened in
                NIOLoopBound(OpenPort(port: opened.value, endpoint: endpoint), eventLoop: owner.eventLoop)
            }
        case .serial, .bluetooth: return owner.eventLoop.makeFailedFuture(LinkError.noListener(endpoint.endpoint))
        }
    }
}
