import MeshSimulator
import MeshTime

/// Steps that wait for their turn, and watches for conditions where time passes by itself.
struct StepQueue {
    /// Steps that wait at most.
    static let most = 64

    /// Steps in the order in which they were asked for; the first one runs.
    var queue: [DriverStep] = []
    var watches: [DriverStep] = []
    /// Tells whether further steps are accepted.
    var isOpen = true

    var isEmpty: Bool { queue.isEmpty }
    var count: Int { queue.count + watches.count }
    /// Tells whether the first step has not begun.
    var isFirstWaiting: Bool { queue.first.map { $0.end == nil } ?? false }

    /// The first end of a watch.
    var nextEnd: Instant { watches.reduce(.never) { min($0, $1.end ?? .never) } }

    /// Removes all steps and returns their numbers, oldest first.
    mutating func removeAll() -> [DriverStep.Number] {
        defer { (queue, watches) = ([], []) }
        return (queue + watches).map(\.number)
    }
}
