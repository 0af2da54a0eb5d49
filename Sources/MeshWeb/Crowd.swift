import Synchronization

/// Counts connections and requests, so that the memory of a server is bounded.
///
/// A connection is a stranger until one of its requests was admitted. When all places are occupied, a new connection
/// replaces the oldest stranger, so that half requests keep no client out.
final class Crowd: Sendable {
    enum Place {
        case served
        /// One connection too many, which gets a refusal.
        case turnedAway
        /// One connection too many even for a refusal.
        case none
    }

    private struct Stranger {
        var number: Int
        /// Notifies the connection that its place went to another.
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

    private let limits: WebLimits
    private let counts = Mutex(Counts())

    init(_ limits: WebLimits) {
        self.limits = limits
    }

    /// Returns a number for a new connection, by which the crowd knows it.
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

    /// Gives a place among the connections that are refused for the moment.
    func turnAway() -> Place { counts.withLock { turnAway(&$0) } }

    private func turnAway(_ counts: inout Counts) -> Place {
        guard counts.turnedAway < limits.turnedAway else { return .none }
        counts.turnedAway += 1
        return .turnedAway
    }

    /// Keeps a connection's place, while it has a whole request or after one was admitted.
    func keep(_ number: Int) {
        counts.withLock { counts in counts.strangers.removeAll { $0.number == number } }
    }

    /// Makes a connection a stranger again, as its request was refused.
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

    /// Tells whether one more request may wait; the caller reports the end of each that may.
    func begin() -> Bool {
        counts.withLock { counts in
            guard counts.requests < limits.waitingRequests else { return false }
            counts.requests += 1
            return true
        }
    }

    func end() { counts.withLock { $0.requests -= 1 } }
}
