import FoundationEssentials

/// Decides in which order a queue is sent, when that ends, and which time each message bears.
///
/// ```
/// queue    1 2 3      4 (composed meanwhile)
/// places   1-2-3------4--            all of a round are taken before its first is sent
/// round 1  1  x  3                   x: refused, has failed; the others have not
/// round 2             4
/// ends     a round without anything new | the link is lost: the rest stays queued
/// ```
struct QueuePlan: Hashable, Sendable {
    /// The time of a message.
    enum Stamp: Hashable, Sendable {
        /// A text that an earlier connection may have sent: receivers drop the copy.
        case same(UInt32)
        /// This second or the next one without an equal text.
        case reserve(at: UInt32)
    }

    /// Messages that were tried.
    private var seen: Set<UUID> = []
    /// The number of messages that the radio accepted.
    private(set) var count = 0

    /// Returns the entries of the queue that have not been tried, in its order.
    mutating func round(_ entries: [PendingSendDTO]) -> [PendingSendDTO] {
        entries.filter { seen.insert($0.messageID).inserted }
    }

    /// Notes the first write of a message, or that there was none; returns whether the next one follows.
    mutating func goesOn(behind launch: DirectSend.Launch) -> Bool {
        switch launch {
        case .sent:
            count += 1
            return true
        case .obsolete: return true
        case .parked: return false
        }
    }

    /// Returns whether the next message follows one that an error has stopped.
    static func goesOn(behind error: any Error) -> Bool { !(error is CancellationError) && !error.isLinkLoss }

    /// Returns the time of a queued message: that of an earlier send, else of its composition unless long ago.
    static func stamp(_ entry: PendingSendDTO, composed: UInt32, now: Date, seconds: UInt32, _ age: Duration) -> Stamp {
        if let sent = entry.timestamp { return .same(sent) }
        let isOld = now.timeIntervalSince(entry.createdAt) >= age / .seconds(1)
        return .reserve(at: isOld ? seconds : composed)
    }
}
