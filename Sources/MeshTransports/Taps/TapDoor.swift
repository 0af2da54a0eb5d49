import Glibc
import NIOCore
import NIOPosix

/// Where apps come to a tap; lives on the tap's event loop.
protocol TapDoor: AnyObject {
    /// With the port that the system chose.
    var place: Tap.Door { get }
    /// Bytes of the app that wait outside of its channel.
    var unread: Int { get }
    /// The app's connection is over; a terminal is made anew where the app would not notice otherwise.
    func release(isRadioGone: Bool) throws(TapError)
    func stop() -> EventLoopFuture<Void>
}

/// What a door tells.
enum TapArrival {
    case event(TapSide, TapSide.Event)
    /// The app of a terminal has closed it; what it wrote may still be there.
    case left(TapSide)
}

/// A TCP port.
final class TapPort: TapDoor {
    private let server: any NIOCore.Channel
    let place: Tap.Door

    private init(_ server: any NIOCore.Channel, _ place: Tap.Door) {
        self.server = server
        self.place = place
    }

    static func open(
        host: String, port: Int, on eventLoop: any EventLoop, report: NIOLoopBound<(TapArrival) -> Void>
    ) -> EventLoopFuture<NIOLoopBound<any TapDoor>> {
        ServerBootstrap(group: eventLoop)
            .serverChannelOption(.backlog, value: 16)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.socketOption(.so_rcvbuf), value: SocketOptionValue(TapSide.receiveBuffer))
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.autoRead, value: false)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: TapSide.readSize))
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let side = TapSide(endsOutputAlone: true) { report.value(.event($0, $1)) }
                    try channel.pipeline.syncOperations.addHandler(side)
                }
            }
            .bind(host: host, port: port)
            .map { server in
                let place = Tap.Door.tcp(host: host, port: server.localAddress?.port ?? port)
                return NIOLoopBound(TapPort(server, place), eventLoop: eventLoop)
            }
    }

    let unread = 0

    func release(isRadioGone: Bool) {}

    func stop() -> EventLoopFuture<Void> { server.close().recover { _ in } }
}
