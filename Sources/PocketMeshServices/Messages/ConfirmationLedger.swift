import FoundationEssentials
import MeshWire

/// The property by which a confirmation is matched with a message.
package enum ConfirmationMatch: Hashable, Sendable {
    case code
    /// The arrival time, a defect that tests plant: any confirmation confirms the oldest message that waits.
    case time
}

/// The confirmations of messages, and the time until which each counts.
///
/// Decides only; times are since any fixed moment.
///
///     open ──SENT──> waiting ──confirmed──> delivered ──repeat window──> gone
///                       │                       ^
///                       └──failed──> failed ────┘ within the late window
///
/// A message is open before its first write, so that nothing mistakes it for one of an earlier run. Codes of unknown
/// messages are kept for a moment: a confirmation may overtake the answer to its send.
struct ConfirmationLedger {
    enum Phase: Hashable {
        case waiting
        case delivered(until: Duration)
        case failed(until: Duration)
    }

    struct Attempt: Hashable {
        var code: UInt32
        var writtenAt: Duration
        var isFlood: Bool
    }

    struct Entry {
        let messageID: UUID
        /// True when a loop looks after the message; else the message fails when the check finds it expired.
        var isLooped: Bool
        var attempts: [Attempt] = []
        /// The end of the wait for the last attempt.
        var deadline: Duration?
        var phase = Phase.waiting
        var roundTripTime: UInt32?
        var wasFlooded = false
    }

    /// A confirmation that makes its message delivered.
    struct Delivery: Hashable, Sendable {
        var messageID: UUID
        var code: UInt32
        /// The round trip in milliseconds.
        var roundTripTime: UInt32
    }

    enum Verdict: Hashable, Sendable {
        case delivered(Delivery)
        /// A further confirmation of a message that was delivered before.
        case repeated(UUID)
        case unknown
    }

    /// Codes without a message that are kept.
    static let earlyLimit = 16

    private let repeatWindow: Duration
    private let earlyWindow: Duration
    private let match: ConfirmationMatch
    private(set) var entries: [Entry] = []
    private var early: [(code: UInt32, tripTime: UInt32?, at: Duration)] = []

    init(repeatWindow: Duration, earlyWindow: Duration, match: ConfirmationMatch = .code) {
        self.repeatWindow = repeatWindow
        self.earlyWindow = earlyWindow
        self.match = match
    }

    subscript(messageID: UUID) -> Entry? { entries.first { $0.messageID == messageID } }

    func isDelivered(_ messageID: UUID) -> Bool {
        if case .delivered = self[messageID]?.phase { true } else { false }
    }

    /// A message is about to be written for the first time, or begins anew: codes of before are forgotten.
    mutating func open(_ messageID: UUID, isLooped: Bool) {
        close(messageID)
        entries.append(Entry(messageID: messageID, isLooped: isLooped))
    }

    mutating func close(_ messageID: UUID) {
        entries.removeAll { $0.messageID == messageID }
    }

    /// Adds an attempt that the radio accepted; returns the verdict of a confirmation that came before.
    mutating func add(_ attempt: Attempt, to messageID: UUID, deadline: Duration, now: Duration) -> Verdict {
        guard let index = index(of: messageID) else { return .unknown }
        entries[index].attempts.append(attempt)
        entries[index].deadline = deadline
        forgetEarly(now)
        guard let place = early.firstIndex(where: { $0.code == attempt.code }) else { return .unknown }
        let confirmation = early.remove(at: place)
        return confirm(confirmation.code, tripTime: confirmation.tripTime, at: confirmation.at)
    }

    /// A confirmation came.
    mutating func confirm(_ code: UInt32, tripTime: UInt32?, at now: Duration) -> Verdict {
        let found = entries.indices.last { index in
            entries[index].attempts.contains { $0.code == code } && Self.counts(entries[index], at: now)
        }
        let index = match == .code ? found : entries.firstIndex { $0.phase == .waiting && !$0.attempts.isEmpty }
        guard let index, let attempt = entries[index].attempts.last(where: { $0.code == code || match == .time }) else {
            keepEarly(code, tripTime, now)
            return .unknown
        }
        if case .delivered = entries[index].phase { return .repeated(entries[index].messageID) }
        let measured = UInt32(wholePart: (now - attempt.writtenAt) / .milliseconds(1))
        entries[index].phase = .delivered(until: now + repeatWindow)
        entries[index].roundTripTime = tripTime ?? measured
        entries[index].wasFlooded = attempt.isFlood
        return .delivered(
            Delivery(messageID: entries[index].messageID, code: code, roundTripTime: tripTime ?? measured))
    }

    /// Gives a message up; returns `false` when it was delivered before.
    mutating func fail(_ messageID: UUID, lateUntil: Duration) -> Bool {
        guard let index = index(of: messageID) else { return true }
        if case .delivered = entries[index].phase { return false }
        entries[index].phase = .failed(until: lateUntil)
        return true
    }

    /// Leaves the message to the periodic check alone.
    mutating func release(_ messageID: UUID) {
        if let index = index(of: messageID) { entries[index].isLooped = false }
    }

    /// Messages without a loop whose wait is over.
    func expired(at now: Duration) -> [UUID] {
        entries.compactMap { entry in
            guard entry.phase == .waiting, !entry.isLooped, let deadline = entry.deadline, deadline <= now else {
                return nil
            }
            return entry.messageID
        }
    }

    /// Forgets messages that cannot be confirmed any more.
    mutating func clean(at now: Duration) {
        entries.removeAll { !Self.counts($0, at: now) }
        forgetEarly(now)
    }

    private static func counts(_ entry: Entry, at now: Duration) -> Bool {
        switch entry.phase {
        case .waiting: true
        case .delivered(let end), .failed(let end): now < end
        }
    }

    private func index(of messageID: UUID) -> Int? { entries.firstIndex { $0.messageID == messageID } }

    private mutating func keepEarly(_ code: UInt32, _ tripTime: UInt32?, _ now: Duration) {
        forgetEarly(now)
        if early.count == Self.earlyLimit { early.removeFirst() }
        early.append((code, tripTime, now))
    }

    private mutating func forgetEarly(_ now: Duration) {
        let window = earlyWindow
        early.removeAll { now - $0.at > window }
    }
}
