import MeshLinks
import NIOCore

/// Where apps come to a tap; lives on the tap's event loop.
protocol TapDoor: AnyObject {
    /// With the port that the system chose.
    var place: LinkAddress { get }
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
    private let listener: LinkListener

    private init(_ listener: LinkListener) {
        self.listener = listener
    }

    static func open(
        host: String, port: UInt16, on eventLoop: any EventLoop, report: NIOLoopBound<(TapArrival) -> Void>
    ) -> EventLoopFuture<NIOLoopBound<any TapDoor>> {
        LinkListener.open(host: host, port: port, flow: TapSide.flow, on: eventLoop) { channel in
            let side = TapSide(endsOutputAlone: true) { report.value(.event($0, $1)) }
            try channel.pipeline.syncOperations.addHandler(side)
        }.map { NIOLoopBound(TapPort($0), eventLoop: eventLoop) }
    }

    var place: LinkAddress { listener.address }

    let unread = 0

    func release(isRadioGone: Bool) {}

    func stop() -> EventLoopFuture<Void> { listener.channel.close().recover { _ in } }
}
