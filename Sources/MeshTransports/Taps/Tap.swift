public import MeshCapture
import NIOCore
import NIOPosix
import Synchronization

/// Stands between apps and a radio, passes every byte on as it is, and records the frames.
///
/// ```swift
/// let tap = try await Tap.open(at: LinkAddress(listener: "tcp://:5005"), to: LinkAddress(radio: "tcp://radio:5000")) {
///     try file.append($0)
/// }
/// ```
///
/// An app that connects receives a connection to the radio of its own. When either end goes, the other goes too, and
/// the tap waits for the next app. One app at a time, and the newest wins, as on ESP32 boards over TCP. Frames are
/// recorded before they are passed on: a frame that an app has seen is in the recording.
public final class Tap: Sendable {
    /// The address to which apps connect, with the port that the system chose.
    public let door: LinkAddress
    /// A thread for all taps, as `record` may block, and other links are not to wait for it. It never ends: a radio may
    /// be found when its tap is no more.
    private static let thread = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    private let loop: NIOLoopBound<TapLoop>
    private let ended: EventLoopFuture<Void>
    private let ending = Mutex<Result<Void, TapError>?>(nil)

    private init(
        _ door: LinkAddress, _ loop: NIOLoopBound<TapLoop>, _ ended: EventLoopFuture<Void>
    ) {
        self.door = door
        self.loop = loop
        self.ended = ended
    }

    /// Opens the endpoint. The radio is connected for each app that comes.
    ///
    /// - Parameters:
    ///   - door: A TCP port, 0 for any free one, or a pseudo-terminal.
    ///   - radio: A TCP address or a serial line.
    ///   - keepsNoise: Bytes outside of frames stand in the recording; otherwise only how many there were.
    ///   - log: Receives a line for people about apps and radios that come and go.
    ///   - record: Receives the lines in their order, one at a time. When it throws, the tap ends.
    public static func open(
        at door: LinkAddress, to radio: LinkAddress, keepsNoise: Bool = false,
        log: @escaping @Sendable (String) -> Void = { _ in },
        record: @escaping @Sendable (RecordingEntry) throws -> Void
    ) async throws(TapError) -> Tap {
        let eventLoop = thread.next()
        let opening = eventLoop.flatSubmit {
            let loop = TapLoop(radio, keepsNoise: keepsNoise, on: eventLoop, log: log, record: record)
            let bound = NIOLoopBound(loop, eventLoop: eventLoop)
            let ended = loop.whenEnded
            return loop.open(door).map { (bound, ended, $0) }.flatMapErrorThrowing { error in
                bound.value.stop()
                throw error
            }
        }
        do {
            let (loop, ended, place) = try await opening.get()
            return Tap(place, loop, ended)
        } catch {
            throw error as? TapError ?? TapError("\(error)")
        }
    }

    /// Waits until the tap has ended: by `stop`, or because it could not go on.
    public func waitUntilEnded() async throws(TapError) {
        if let ending = ending.withLock({ $0 }) { return try ending.get() }
        try await outcome().get()
    }

    private func outcome() async -> Result<Void, TapError> {
        do {
            try await ended.get()
            return .success(())
        } catch {
            return .failure(error as? TapError ?? TapError("\(error)"))
        }
    }

    /// Disconnects all apps, closes the endpoint and sends the recorder the last lines.
    public func stop() async {
        guard ending.withLock({ $0 }) == nil else { return }
        let loop = loop
        try? await loop.eventLoop.submit { loop.value.stop() }.get()
        let outcome = await outcome()
        ending.withLock { $0 = outcome }
    }
}
