import NIOCore

/// The endpoint at which apps connect to a tap; lives on the tap's event loop.
protocol TapDoor: AnyObject {
    /// The address, with the port that the system chose.
    var place: LinkAddress { get }
    /// True when bytes of the app wait outside of its channel.
    var hasInput: Bool { get }
    /// The app's connection is over; a terminal is made anew where the app would not notice otherwise.
    func release(isRadioGone: Bool)
    func stop()
}

/// An event that a tap's endpoint reports.
enum TapArrival {
    case event(TapSide, TapSide.Event)
    /// The app of a terminal has closed it; bytes that it wrote may still be there.
    case left(TapSide)
    /// Apps can come no more.
    case failed(any Error)
}

/// A TCP port.
final class TapPort: TapDoor {
    private let listener: LinkListener

    private init(_ listener: LinkListener) {
        self.listener = listener
    }

    static func open(
        host: String, port: UInt16, on eventLoop: any EventLoop, report: @escaping (TapArrival) -> Void
    ) -> EventLoopFuture<NIOLoopBound<any TapDoor>> {
        let report = NIOLoopBound(report, eventLoop: eventLoop)
        return LinkListener.open(host: host, port: port, flow: TapSide.flow, on: eventLoop) { channel in
            let side = TapSide(endsOutputAlone: true) { report.value(.event($0, $1)) }
            try channel.pipeline.syncOperations.addHandler(side)
        }.map { NIOLoopBound(TapPort($0), eventLoop: eventLoop) }
    }

    var place: LinkAddress { listener.address }

    let hasInput = false

    func release(isRadioGone: Bool) {}

    func stop() { listener.close() }
}
