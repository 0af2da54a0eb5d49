import MeshCompanion
import MeshCore

/// The order of slots to read, and the rule when to stop; the service does the reading.
struct SlotReading {
    let count: Int
    private let policy: ChannelPolicy
    private(set) var slots: [ChannelSlot] = []
    private(set) var isAborted = false
    /// Slots of the running pass that are still to be asked for.
    private var waiting: [UInt8]
    /// Slots that failed in this pass and are asked for in the next.
    private var again: [UInt8] = []
    private var failures: [UInt8: StackError] = [:]
    private var pass = 0
    private var timeoutsInARow = 0
    /// Slots that have been asked for once.
    private(set) var done = 0

    init(count: Int, policy: ChannelPolicy) {
        self.count = count
        self.policy = policy
        waiting = (0..<count).reversed().map { UInt8($0) }
    }

    /// The slots without an answer, in their order.
    var errors: [ChannelSyncError] {
        (0..<count).compactMap { index in
            failures[UInt8(index)].map { ChannelSyncError(index: UInt8(index), reason: $0) }
        }
    }

    mutating func next() -> UInt8? {
        guard !isAborted else { return nil }
        if waiting.isEmpty, pass < policy.slotRetries {
            pass += 1
            waiting = again.reversed()
            again = []
        }
        guard let index = waiting.popLast() else { return nil }
        if pass == 0 { done += 1 }
        return index
    }

    mutating func answered(_ slot: ChannelSlot) {
        timeoutsInARow = 0
        failures[slot.index] = nil
        slots.append(slot)
    }

    mutating func failed(_ index: UInt8, _ error: SessionError) {
        if case .refused(_, .notFound) = error {
            // The radio has fewer slots than it said; asking again does not help.
            timeoutsInARow = 0
            failures[index] = StackError(.channels, .invalidChannelIndex(Int(index)))
            return
        }
        failures[index] = StackError(.channels, of: error)
        again.append(index)
        guard case .timeout = error else {
            timeoutsInARow = 0
            return
        }
        timeoutsInARow += 1
        if timeoutsInARow >= policy.maxTimeoutsInARow { abort(error) }
    }

    private mutating func abort(_ error: SessionError) {
        isAborted = true
        for index in waiting where failures[index] == nil { failures[index] = StackError(.channels, of: error) }
    }
}
