import FoundationEssentials

/// Loops that wait, by message.
struct MessageSleepers {
    private var sleepers: [(messageID: UUID, continuation: CheckedContinuation<Void, Never>)] = []

    mutating func add(_ continuation: CheckedContinuation<Void, Never>, for messageID: UUID) {
        sleepers.append((messageID, continuation))
    }

    /// Wakes all loops of a message.
    mutating func wake(_ messageID: UUID) {
        while let index = sleepers.firstIndex(where: { $0.messageID == messageID }) {
            sleepers.remove(at: index).continuation.resume()
        }
    }

    /// Wakes all loops.
    mutating func wakeAll() {
        let waiting = sleepers
        sleepers = []
        for sleeper in waiting { sleeper.continuation.resume() }
    }
}
