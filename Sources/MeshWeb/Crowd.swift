import Synchronization

/// Counts connections and requests, so that what a server keeps is bounded whoever comes.
final class Crowd: Sendable {
    enum Place {
        case served
        /// There is one connection too many: it is told so.
        case turnedAway
        /// There are too many of those, too.
        case none
    }

    private struct Counts {
        var served = 0
        var turnedAway = 0
        var requests = 0
    }

    private let limits: ControlLimits
    private let counts = Mutex(Counts())

    init(_ limits: ControlLimits) {
        self.limits = limits
    }

    func enter() -> Place {
        counts.withLock { counts in
            if counts.served < limits.connections {
                counts.served += 1
                return .served
            }
            guard counts.turnedAway < limits.turnedAway else { return .none }
            counts.turnedAway += 1
            return .turnedAway
        }
    }

    func leave(_ place: Place) {
        counts.withLock { counts in
            switch place {
            case .served: counts.served -= 1
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
