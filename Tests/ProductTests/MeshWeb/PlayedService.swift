import MeshHTTP
import Synchronization

/// A service that answers as a test decides.
final class PlayedService: WebService {
    /// The requests and their waiters.
    private struct State {
        var asked: [WebRequest] = []
        var answered = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        var released = 0
        var watchers:
            [(isMet: @Sendable (PlayedService.Counts) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    /// The numbers that a test can wait for.
    struct Counts: Sendable {
        var asked: Int
        var answered: Int
        var waiting: Int
    }

    private let state = Mutex(State())
    private let pieces: @Sendable () -> AsyncStream<[UInt8]>

    init(pieces: @escaping @Sendable () -> AsyncStream<[UInt8]> = { AsyncStream { $0.finish() } }) {
        self.pieces = pieces
    }

    /// Answers `/wait` after `release`, `/pieces` with a stream, `/long` with many bytes, and others with the request
    /// itself.
    func answer(_ request: WebRequest) async -> WebAnswer {
        change { $0.asked.append(request) }
        defer { change { $0.answered += 1 } }
        switch request.path.first {
        case "wait":
            await withCheckedContinuation { continuation in
                change { state in
                    if state.released > 0 {
                        state.released -= 1
                        continuation.resume()
                    } else {
                        state.waiting.append(continuation)
                    }
                }
            }
            return Self.text("waited")
        case "pieces": return WebAnswer(type: "text/event-stream", body: .pieces(pieces()))
        case "long": return Self.text(String(repeating: "0123456789", count: 100_000))
        case "refuse": return WebAnswer(status: 405, type: "application/json", body: .whole(Array("{}".utf8)))
        default: return Self.text(Self.line(request))
        }
    }

    func methods(at path: [String]) -> [String] { path == ["world"] ? ["GET"] : ["POST", "PUT"] }

    static func line(_ request: WebRequest) -> String {
        let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        let body = String(decoding: request.body, as: UTF8.self)
        return "\(request.method) \(request.path.joined(separator: "|")) ?\(query) \(body)"
    }

    private static func text(_ text: String) -> WebAnswer {
        WebAnswer(type: "text/plain", body: .whole(Array(text.utf8)))
    }

    /// Releases one request at `/wait`, the oldest.
    func release() {
        change { state in
            if state.waiting.isEmpty { state.released += 1 } else { state.waiting.removeFirst().resume() }
        }
    }

    /// The requests, in the order in which they came.
    var asked: [String] { state.withLock { $0.asked.map(Self.line) } }

    /// Returns when the condition holds.
    func until(_ isMet: @escaping @Sendable (Counts) -> Bool) async {
        await withCheckedContinuation { continuation in
            change { $0.watchers.append((isMet, continuation)) }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            let counts = Counts(
                asked: state.asked.count, answered: state.answered, waiting: state.waiting.count)
            state.watchers.removeAll { watcher in
                guard watcher.isMet(counts) else { return false }
                watcher.continuation.resume()
                return true
            }
        }
    }
}
