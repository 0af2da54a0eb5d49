import MeshWorlds
import Synchronization

/// Subscribers that receive lines of the trace as they occur; all on one event loop.
final class Followers {
    /// Lines that wait for one of them at most: whoever does not read loses the connection, not the world its memory.
    static let patience = 65_536
    /// Of them at most.
    static let most = 16

    /// Followers that are there: whoever goes is counted no more at once, and found gone when there is something to tell.
    private final class Count: Sendable {
        let value = Atomic(0)
    }

    private let count = Count()
    private var streams: [AsyncStream<HappeningLog.Line>.Continuation] = []

    /// Everything from now on; ends with the run, or when the reader stays too far behind. `nil` when there are as many as are
    /// served.
    func follow() -> AsyncStream<HappeningLog.Line>? {
        guard count.value.load(ordering: .relaxed) < Self.most else { return nil }
        let (stream, continuation) = AsyncStream.makeStream(
            of: HappeningLog.Line.self, bufferingPolicy: .bufferingOldest(Self.patience))
        count.value.add(1, ordering: .relaxed)
        continuation.onTermination = { [count] _ in count.value.subtract(1, ordering: .relaxed) }
        streams.append(continuation)
        return stream
    }

    func emit(_ line: HappeningLog.Line) {
        guard !streams.isEmpty, line.happening.isTraced else { return }
        streams.removeAll { stream in
            switch stream.yield(line) {
            case .enqueued: return false
            case .dropped, .terminated:
                stream.finish()
                return true
            @unknown default: return true
            }
        }
    }

    func end() {
        for stream in streams { stream.finish() }
        streams = []
    }
}
