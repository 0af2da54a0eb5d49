import Synchronization

/// Counts connections and requests, so that what a server keeps is bounded whoever comes.
///
/// A connection is a stranger until a request of it was taken. Where all places are served, a new one takes that of the
/// stranger that has stood longest, so that half requests keep nobody out.
final class Crowd: Sendable {
    enum Place {
        case served
        /// There is one connection too many: it is told so.
        case turnedAway
        /// There are too many of those, too.
        case none
    }

    private struct Stranger {
        var number: Int
        /// Tells the connection that its place is another's.
        var leave: @Sendable () -> Void
    }

    private struct Counts {
        var served = 0
        var turnedAway = 0
        var requests = 0
        var next = 0
        /// Those that are served, the oldest first.
        var strangers: [Stranger] = []
    }

    private let limits: ControlLimits
    private let counts = Mutex(Counts())

    init(_ limits: ControlLimits) {
        self.limits = limits
    }

    /// The number of a connection that comes, by which the crowd knows it.
    func number() -> Int {
        counts.withLock { counts in
            counts.next += 1
            return counts.next
        }
    }

    /// Gives a place to a connection, a stranger as yet.
    ///
    /// - Parameter leave: is called when its place was given to another; it then has none to leave.
    func enter(_ number: Int, leave: @escaping @Sendable () -> Void) -> Place {
        let (place, oldest) = counts.withLock { counts -> (Place, Stranger?) in
            var oldest: Stranger?
            if counts.served < limits.connections {
                counts.served += 1
            } else if !counts.strangers.isEmpty {
                oldest = counts.strangers.removeFirst()
            } else {
                return (turnAway(&counts), nil)
            }
            counts.strangers.append(Stranger(number: number, leave: leave))
            return (.served, oldest)
        }
        oldest?.leave()
        return place
    }

    /// Gives a place among those that are told to come again.
    func turnAway() -> Place { counts.withLock { turnAway(&$0) } }

    private func turnAway(_ counts: inout Counts) -> Place {
        guard counts.turnedAway < limits.turnedAway else { return .none }
        counts.turnedAway += 1
        return .turnedAway
    }

    /// Keeps a connection's place, while it has a whole request or after one was taken.
    func keep(_ number: Int) {
        counts.withLock { counts in counts.strangers.removeAll { $0.number == number } }
    }

    /// Takes a connection for a stranger again: its request was refused to whoever sent it.
    func forget(_ number: Int, leave: @escaping @Sendable () -> Void) {
        counts.withLock { counts in counts.strangers.append(Stranger(number: number, leave: leave)) }
    }

    func leave(_ place: Place, _ number: Int) {
        counts.withLock { counts in
            switch place {
            case .served:
                counts.served -= 1
                counts.strangers.removeAll { $0.number == number }
            case .turnedAway: counts.turnedAway -= 1
            case .none: break
            }
        }
    }

    /// Whether one more request may wait; whoever was told so says when it has its answer.
    func begin() -> Bool {
        counts.withLock { counts in
            guard counts.requests < limits.waitingRequests else { return false }
            counts.requests += 1
            return true
        }
    }

    func end() { counts.withLock { $0.requests -= 1 } }
}
