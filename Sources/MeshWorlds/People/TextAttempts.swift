import MeshCompanion
import MeshCore
import MeshTime
import MeshWire

/// The direct texts that apps send until they are acknowledged, each by the plan that the stack's services follow.
struct TextAttempts: Sendable {
    /// An attempt that an app makes because its time has come.
    struct Send: Sendable {
        let text: Text
        let number: UInt8
        let resetsPath: Bool
    }

    /// A text on its way.
    struct Text: Sendable {
        /// The number of the message in the ledger.
        let message: Int
        /// Places in the topology.
        let from: Int
        let to: Int
        let text: String
        let timestamp: UInt32
    }

    private struct Pending: Sendable {
        let text: Text
        var plan: RetryPlan
        /// The moment when its wait or pause is over; `.never` while its radio has not answered.
        var due = Instant.never
        /// The time that was waited for the last attempt.
        var wait = TimeSpan.zero
        /// The attempt whose pause ends when it is due; `nil` during a wait.
        var pausing: RetryPlan.Attempt?
    }

    private let policy: RetryPolicy
    private let seed: Seed
    /// In the order in which they were written.
    private var pending: [Pending] = []
    /// By sender; asked, never walked.
    private var streams: [Int: RandomStream] = [:]

    init(_ policy: RetryPolicy, seed: Seed) {
        self.policy = policy
        self.seed = seed
    }

    /// The moment when the next app has to act.
    var next: Instant { pending.reduce(.never) { min($0, $1.due) } }

    /// Begins a new text; returns its first attempt.
    mutating func begin(_ text: Text) -> Send {
        // The radio says by its first answer that it has no path.
        let plan = RetryPlan(policy: policy, hasPath: true, textBytes: text.text.utf8.count)
        let first = plan.next
        pending.append(Pending(text: text, plan: plan))
        return Send(text: text, number: 0, resetsPath: first?.resetsPath ?? false)
    }

    /// Begins the wait for an attempt that the radio accepted.
    mutating func taken(_ message: Int, _ sent: Resp.Sent, at now: Instant) {
        guard let place = place(of: message) else { return }
        let wait = pending[place].plan.sent(MessageSentInfo(route: sent.route, tag: sent.tag, timeout: sent.timeout))
        pending[place].wait = TimeSpan(wait)
        pending[place].due = now + pending[place].wait
    }

    /// Ends a text that was acknowledged, or that its radio refused.
    mutating func end(_ message: Int) {
        if let place = place(of: message) { pending.remove(at: place) }
    }

    /// Returns the attempts that are due now.
    ///
    /// - Parameter label: the name of a node, for the stream of its pauses.
    mutating func takeDue(at now: Instant, label: (Int) -> String) -> [Send] {
        guard next <= now else { return [] }
        var sends: [Send] = []
        for place in pending.indices where pending[place].due <= now {
            pending[place].due = .never
            if let attempt = pending[place].pausing {
                pending[place].pausing = nil
                sends.append(
                    Send(text: pending[place].text, number: attempt.number, resetsPath: attempt.resetsPath))
            } else if let attempt = pending[place].plan.next {
                pending[place].pausing = attempt
                pending[place].due = now + TimeSpan(attempt.pause) + jitter(place, label)
            }
        }
        // These have failed. A late acknowledgement counts all the same: the ledger has it.
        pending.removeAll { $0.due == .never && $0.pausing == nil && $0.plan.next == nil }
        return sends
    }

    /// The addition to a pause while the app has other texts on their way.
    private mutating func jitter(_ place: Int, _ label: (Int) -> String) -> TimeSpan {
        let from = pending[place].text.from
        guard policy.jitter > 0, pending.count(where: { $0.text.from == from }) > 1 else { return .zero }
        var stream = streams[from] ?? seed.stream("retry", label(from))
        let most = Double(pending[place].wait.microseconds) * policy.jitter
        let drawn = TimeSpan(microseconds: Int64(wholePart: most * Double(stream.draw(0, 10_001)) / 10_000))
        streams[from] = stream
        return drawn
    }

    /// Tells whether its app is waiting for an acknowledgement of this text, or about to send it once more.
    func holds(_ message: Int) -> Bool { place(of: message) != nil }

    private func place(of message: Int) -> Int? { pending.firstIndex { $0.text.message == message } }
}
