public import MeshCapture
import NIOCore
import NIOPosix
import Synchronization

/// Stands between apps and a radio, hands on every byte as it is, and records the frames that pass.
///
/// ```swift
/// let tap = try await Tap.open(at: .tcp(host: "127.0.0.1", port: 5005), to: try TransportURL("tcp://radio:5000")) {
///     try file.append($0)
/// }
/// ```
///
/// An app that connects gets a connection to the radio of its own; when either end goes, the other goes too, and the tap
/// waits for the next app. One app at a time, and the newest wins, as on ESP32 boards over TCP. What passes is recorded
/// before it is handed on: what an app has seen is in the recording, however the recorder ends.
public final class Tap: Sendable {
    /// Where apps come.
    public enum Door: Hashable, Sendable, CustomStringConvertible {
        /// Port 0 asks the system for a free one.
        case tcp(host: String, port: Int)
        /// A pseudo-terminal under a link at this path.
        case pty(path: String)

        public var description: String {
            switch self {
            case .tcp(let host, let port): host.contains(":") ? "tcp://[\(host)]:\(port)" : "tcp://\(host):\(port)"
            case .pty(let path): "pty:\(path)"
            }
        }
    }

    /// Where apps come, with the port that the system chose.
    public let door: Door
    private let group: MultiThreadedEventLoopGroup
    private let loop: NIOLoopBound<TapLoop>
    private let ended: EventLoopFuture<Void>
    private let ending = Mutex<Result<Void, TapError>?>(nil)

    private init(
        _ door: Door, _ group: MultiThreadedEventLoopGroup, _ loop: NIOLoopBound<TapLoop>,
        _ ended: EventLoopFuture<Void>
    ) {
        self.door = door
        self.group = group
        self.loop = loop
        self.ended = ended
    }

    /// Opens the door. The radio is connected for each app that comes.
    ///
    /// - Parameters:
    ///   - radio: A TCP address or a serial line.
    ///   - keepsNoise: Bytes outside of frames stand in the recording; otherwise only how many there were.
    ///   - log: Takes a line for people about apps and radios that come and go.
    ///   - record: Takes the lines in their order, one at a time. When it throws, the tap ends.
    public static func open(
        at door: Door, to radio: TransportURL, keepsNoise: Bool = false,
        log: @escaping @Sendable (String) -> Void = { _ in },
        record: @escaping @Sendable (RecordingEntry) throws -> Void
    ) async throws(TapError) -> Tap {
        if case .loopback = radio { throw TapError("a radio inside a process cannot be tapped from outside: \(radio)") }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let eventLoop = group.next()
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
            return Tap(place, group, loop, ended)
        } catch {
            try? await group.shutdownGracefully()
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

    /// Disconnects everybody, closes the door and tells the recorder the last lines.
    public func stop() async {
        guard ending.withLock({ $0 }) == nil else { return }
        let loop = loop
        try? await loop.eventLoop.submit { loop.value.stop() }.get()
        let outcome = await outcome()
        ending.withLock { $0 = outcome }
        try? await group.shutdownGracefully()
    }
}
