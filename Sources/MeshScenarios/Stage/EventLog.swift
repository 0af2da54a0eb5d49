public import MeshSimulator
import Synchronization

/// Events of a stage, in their order.
public final class EventLog: Sendable {
    /// One event.
    public struct Entry: Hashable, Sendable {
        /// The kinds of events.
        public enum Kind: Hashable, Sendable {
            /// A line of the script begins.
            case step(String)
            /// A frame between an app and its radio, as the link carried it.
            case toRadio([UInt8])
            /// The radio sent a frame to the app.
            case toApp([UInt8])
            case connected
            case disconnected
            /// A fault began or ended.
            case fault(String, begins: Bool)
            /// A condition that was expected, or waited for, and is true now.
            case cameTrue(String)
            /// A state that `sometimes` asks for was reached for the first time.
            case reached(String)
            /// A sentence did not hold, with the reason.
            case failed(String, String)
        }

        /// Since the stage was built.
        public var time: Duration
        /// The node, where there is one.
        public var who: String?
        /// The event itself.
        public var kind: Kind
    }

    /// The reason why a scenario is broken.
    public struct Failure: Hashable, Sendable {
        /// The condition that should have held, or the action that should have been done.
        public var sentence: String
        /// The state found instead.
        public var reason: String
        /// Since the stage was built.
        public var time: Duration
        /// The subjects of earlier actions that it depends on; the same failure elsewhere depends on the same.
        var basis: [Subject] = []
        /// The nodes that it and the actions before it are about, by their names.
        var people: [String] = []
        /// A line for each app's view of the texts that it is about.
        var details: [String] = []
    }

    private struct State {
        var entries: [Entry] = []
        var air: [TraceRecord] = []
        var failure: Failure?
        var reached: Set<String> = []
        var dropped = 0
    }

    /// Tells whether frames and the air are kept; steps and failures always are.
    public let isRecording: Bool
    /// More frames and packets than this are counted and not kept.
    public static let limit = 200_000
    private let state = Mutex(State())

    public init(isRecording: Bool) { self.isRecording = isRecording }

    /// The events, in order; at most as many as the log keeps.
    public var entries: [Entry] { state.withLock { $0.entries } }
    /// The world's trace, where there is a world.
    public var air: [TraceRecord] { state.withLock { $0.air } }
    /// The first thing that broke, which is what broke the scenario.
    public var failure: Failure? { state.withLock { $0.failure } }
    /// The states worth reaching that were reached.
    public var reached: Set<String> { state.withLock { $0.reached } }

    /// Notes something; frames and connections only when the log records.
    public func add(_ kind: Entry.Kind, who: String? = nil, at time: Duration) {
        switch kind {
        case .toRadio, .toApp, .connected, .disconnected: guard isRecording else { return }
        case .step, .fault, .cameTrue, .reached, .failed: break
        }
        state.withLock { state in
            guard state.entries.count < Self.limit else {
                state.dropped += 1
                return
            }
            state.entries.append(Entry(time: time, who: who, kind: kind))
        }
    }

    func add(_ records: [TraceRecord]) {
        guard isRecording else { return }
        state.withLock { state in
            let room = max(0, Self.limit - state.air.count)
            state.air += records.prefix(room)
            state.dropped += max(0, records.count - room)
        }
    }

    /// The first failure is what broke the scenario.
    func fail(_ sentence: String, _ reason: String, at time: Duration) {
        fail(Failure(sentence: sentence, reason: reason, time: time))
    }

    func fail(_ failure: Failure) {
        add(.failed(failure.sentence, failure.reason), at: failure.time)
        state.withLock { state in
            if state.failure == nil { state.failure = failure }
        }
    }

    func reach(_ sentence: String, at time: Duration) {
        guard state.withLock({ $0.reached.insert(sentence).inserted }) else { return }
        add(.reached(sentence), at: time)
    }
}
