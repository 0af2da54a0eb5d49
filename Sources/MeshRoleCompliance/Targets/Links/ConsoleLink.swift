import MeshBoards
import MeshTime
import MeshTransports
import MeshWire

/// The bytes to and from a node's console, and the clock of the bench. All spans are the node's.
protocol ConsoleLink: AnyObject {
    /// The name in reports.
    var title: String { get }
    /// The time by the clock that all measured times come from.
    var now: Instant { get }
    /// The longest wait for bytes during which nothing else need be looked at.
    var slice: TimeSpan { get }
    /// The silence after which nothing more is expected of a line.
    var quiet: TimeSpan { get }

    /// Opens the link, anew if it was open.
    func open() throws(TargetError)
    func write(_ bytes: [UInt8]) throws(TargetError)
    /// Bytes as soon as there are any; `nil` when nothing came in that time.
    func read(within span: TimeSpan) throws(TargetError) -> [UInt8]?
    /// Waits a little before the link is tried again.
    func pause()
    func close()
}

/// The clock of a bench on links: the wall's, or faster where an emulated world is.
struct BenchClock: Sendable {
    private let start = ContinuousClock.now
    /// The seconds of the nodes in one of the wall.
    let speed: Double

    init(speed: Double) {
        self.speed = speed
    }

    var now: Instant { instant(of: .now) }

    func instant(of time: ContinuousClock.Instant) -> Instant {
        .start + scaled(TimeSpan(time - start), by: speed)
    }

    /// The wall's share of a span of the nodes.
    func wall(_ span: TimeSpan) -> TimeSpan { scaled(span, by: 1 / speed) }

    /// The nodes' share of a span of the wall.
    func nodes(_ span: TimeSpan) -> TimeSpan { scaled(span, by: speed) }

    private func scaled(_ span: TimeSpan, by factor: Double) -> TimeSpan {
        TimeSpan(microseconds: Int64(wholePart: Double(span.microseconds) * factor))
    }
}

/// A console at the other end of a TCP connection or a serial line.
final class StreamConsole: ConsoleLink {
    let title: String
    private let address: LinkAddress
    private let clock: BenchClock
    private var stream: StreamDescriptor?

    init(_ address: LinkAddress, _ clock: BenchClock) {
        self.address = address
        self.clock = clock
        title = address.brief
    }

    var now: Instant { clock.now }
    var slice: TimeSpan { clock.nodes(.milliseconds(4)) }
    // A board may write its flash before it answers.
    var quiet: TimeSpan { max(.seconds(1), clock.nodes(.milliseconds(150))) }

    func open() throws(TargetError) {
        stream = nil
        stream = try StreamDescriptor(address, within: .seconds(5))
        if address.isLine { stream?.discardInput() }
    }

    private func opened() throws(TargetError) -> StreamDescriptor {
        guard let stream else { throw .linkLost("not connected") }
        return stream
    }

    func write(_ bytes: [UInt8]) throws(TargetError) { try opened().write(bytes, within: .seconds(5)) }

    func read(within span: TimeSpan) throws(TargetError) -> [UInt8]? { try opened().read(within: clock.wall(span)) }

    func pause() { StreamDescriptor.pause(.milliseconds(200)) }

    func close() { stream = nil }
}
