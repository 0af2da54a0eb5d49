import Glibc
package import NIOCore
import NIOPosix

/// A TCP port that is listened on.
package struct LinkListener: Sendable {
    /// Connections that may wait to be accepted.
    private static let backlog: Int32 = 64

    /// Accepts until it is closed.
    package let channel: any Channel
    /// With the port that the system chose.
    package let address: LinkAddress

    /// Listens; fails with a `LinkError`. `initializer` gets the channel of each client before anything is read.
    package static func open(
        host: String, port: UInt16, flow: LinkFlow? = nil, on group: any EventLoopGroup,
        initializer: @escaping @Sendable (any Channel) throws -> Void
    ) -> EventLoopFuture<LinkListener> {
        let setup = ChannelSetup(flow: flow, kind: .tcp, initializer: initializer)
        var bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { setup($0) }
        if let size = flow?.receiveBuffer {
            // Of the clients' sockets too, which take it over.
            bootstrap = bootstrap.serverChannelOption(.socketOption(.so_rcvbuf), value: SocketOptionValue(size))
        }
        return bootstrap.bind(host: host, port: Int(port)).map { channel in
            let port = channel.localAddress?.port.flatMap(UInt16.init(exactly:)) ?? port
            return LinkListener(channel: channel, address: .tcp(host: host, port: port))
        }.flatMapErrorThrowing { throw LinkError(listeningOn: host, port, $0) }
    }
}

extension LinkError {
    fileprivate init(listeningOn host: String, _ port: UInt16, _ error: any Error) {
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
