import Glibc
import NIOCore
import NIOPosix

/// A port that is open, and the endpoint as it became.
struct OpenPort {
    let port: any AppPort
    /// With the port number that the system chose.
    let endpoint: NodeEndpoint

    /// Opens the port of an endpoint; fails with an `EmulatorError`.
    static func open(
        _ endpoint: NodeEndpoint, owner: NIOLoopBound<any PortOwner>, group: MultiThreadedEventLoopGroup
    ) -> EventLoopFuture<NIOLoopBound<OpenPort>> {
        let label = endpoint.label
        switch endpoint.endpoint {
        case .tcp(let host, let port):
            return TCPPort.open(host: host, port: port, label: label, owner: owner, group: group).map { opened in
                let actual = Endpoint.tcp(host: host, port: opened.value.localAddress?.port ?? port)
                let result = OpenPort(port: opened.value, endpoint: NodeEndpoint(label: label, endpoint: actual))
                return NIOLoopBound(result, eventLoop: owner.eventLoop)
            }.flatMapErrorThrowing { throw EmulatorError(listeningOn: host, port, $0) }
        case .pty(let path):
            return TerminalPort.open(path: path, label: label, owner: owner, group: group).map { opened in
                NIOLoopBound(OpenPort(port: opened.value, endpoint: endpoint), eventLoop: owner.eventLoop)
            }
        }
    }
}

extension EmulatorError {
    /// What went wrong with a port that was to be listened on.
    init(listeningOn host: String, _ port: Int, _ error: any Error) {
        switch error {
        case let error as IOError where error.errnoCode == EADDRINUSE: self = .portInUse(host: host, port: port)
        case let error as IOError:
            self = .cannotListen(host: host, port: port, reason: String(cString: strerror(error.errnoCode)))
        case let error as SocketAddressError.UnknownHost:
            self = .cannotListen(host: host, port: port, reason: error.errorDescription)
        default: self = .cannotListen(host: host, port: port, reason: "\(error)")
        }
    }
}
