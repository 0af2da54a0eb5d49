/// The moments at which the receiver of a picture reports the chunks that it lacks. Never waits itself.
///
/// It speaks when the sender has reached the end: after the last chunk that is to come, or when no chunk came for so
/// long that the sender must have stopped. A report between two chunks would meet the next one on the air.
struct ImageAsking: Sendable {
    enum Step: Equatable, Sendable {
        case report
        /// Reports after this time, unless a chunk comes before.
        case wait(Duration)
        /// Says no more: the sender has heard enough of the same, or is not the one that sends the chunks.
        case silence
    }

    /// The time from one chunk to the next, by the way back to the sender.
    private let interval: Duration
    /// The time after which a report has reached the sender.
    private let travel: Duration
    /// The last chunk that the sender is expected to send.
    private var last: Int
    /// The greatest index that came.
    private var highest = -1
    private var reports = 0
    private var reportedAt: Duration?

    /// The time that two apps and two radios take beside the air.
    private static let slack: Duration = .seconds(2)
    private static let longestQuiet = 8
    /// The greatest number of reports without a new chunk: nothing proves who sends a chunk that is there already.
    static let limit = 64

    init(total: Int, interval: Duration, travel: Duration) {
        (self.interval, self.travel) = (interval, travel)
        last = total - 1
    }

    /// Returns the next step after a chunk; `received` has it already.
    mutating func came(_ index: Int, isNew: Bool, _ received: ChunkSet, at now: Duration) -> Step {
        if isNew { reports = 0 }
        highest = max(highest, index)
        if received.isComplete { return .report }
        guard reports < Self.limit else { return .silence }
        guard index >= last else { return .wait(isNew ? quiet(received) : interval * 2) }
        // The same chunk may come twice in a row.
        if let reportedAt, now - reportedAt < interval { return .wait(interval) }
        return .report
    }

    /// Returns the pause before the next report when no chunk comes after this one; `nil` when it was the last one.
    mutating func reported(_ received: ChunkSet, at now: Duration) -> Duration? {
        reports += 1
        reportedAt = now
        last = received.missing.last ?? received.total - 1
        guard reports < Self.limit else { return nil }
        return (interval + travel + Self.slack) * (8 + reports) / 8
    }

    /// The time without a chunk after which the sender has probably stopped: the more are lost, the longer.
    private func quiet(_ received: ChunkSet) -> Duration {
        let intervals = 1 + 2 * (highest + 1) / max(1, received.count)
        return interval * min(max(3, intervals), Self.longestQuiet)
    }
}
