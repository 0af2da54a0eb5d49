import MeshTime
import MeshTransports

/// Writes of one direction of a link that wait for their time, in their order.
struct HeldWrites {
    struct Held {
        var due: Instant
        /// `nil` where nothing comes before the end.
        let bytes: [UInt8]?
        /// Tells whether the connection ends behind it.
        let isLast: Bool
    }

    /// Writes that wait at most; later ones are lost, as with a full queue.
    private static let most = 1024

    private var waiting: [Held] = []

    var isEmpty: Bool { waiting.isEmpty }

    /// The moment at which the first of them passes; `.never` without one.
    var nextDue: Instant { waiting.first?.due ?? .never }

    /// Queues the writes of a frame behind those that wait, each with its pause; they pass no sooner than `due`.
    ///
    /// Those for which there is no place are lost.
    mutating func add(_ writes: [LinkPassage.Write], due: Instant, isLast: Bool) {
        guard waiting.count + writes.count < Self.most else { return }
        var due = max(waiting.last?.due ?? due, due)
        for (place, write) in writes.enumerated() {
            due = due + write.pause
            waiting.append(Held(due: due, bytes: write.bytes, isLast: isLast && place == writes.count - 1))
        }
        // A frame that is lost may be the last one all the same.
        if writes.isEmpty, isLast { waiting.append(Held(due: due, bytes: nil, isLast: true)) }
    }

    /// Lets nothing pass before a moment.
    mutating func wait(until moment: Instant) {
        for place in waiting.indices where waiting[place].due < moment { waiting[place].due = moment }
    }

    /// Removes and returns the writes that are due, or all.
    mutating func take(at now: Instant, all: Bool) -> [Held] {
        let count = all ? waiting.count : waiting.prefix { $0.due <= now }.count
        guard count > 0 else { return [] }
        defer { waiting.removeFirst(count) }
        return Array(waiting.prefix(count))
    }
}
