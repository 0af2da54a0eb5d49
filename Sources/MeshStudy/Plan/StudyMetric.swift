package import MeshWorlds

/// What a study measures of a run: one number for each seed and arm.
package enum StudyMetric: String, Hashable, Sendable, CaseIterable {
    case delivery
    case acknowledged
    case latency
    case transmissions
    case airtime
    case collisions
    case fairness

    /// What it is, for people.
    package var summary: String {
        switch self {
        case .delivery: "share of the recipients of all messages that got theirs"
        case .acknowledged: "share of the direct texts whose acknowledgement came back"
        case .latency: "median time from the app's command to a delivery, in s"
        case .transmissions: "packets sent by all nodes for each delivery"
        case .airtime: "air time of all nodes for each delivery, in s"
        case .collisions: "share of the frames at antennas that a collision destroyed"
        case .fairness: "how evenly infrastructure nodes share the air time: Jain's index"
        }
    }

    /// Whether a greater value is the better one.
    package var isMoreBetter: Bool {
        switch self {
        case .delivery, .acknowledged, .fairness: true
        case .latency, .transmissions, .airtime, .collisions: false
        }
    }

    /// The greatest value that a study counts where it names no other one. Values run from 0 to it.
    package var usualMost: Double {
        switch self {
        case .delivery, .acknowledged, .collisions, .fairness: 1
        case .latency: 60
        case .transmissions: 50
        case .airtime: 20
        }
    }

    /// The value of a run; infinite where there is none, because nothing was delivered.
    package func value(of run: MeshSummary) -> Double {
        let delivered = run.deliveries.reduce(0) { $0 + $1.delivered }
        switch self {
        case .delivery: return Self.share(delivered, of: run.deliveries.reduce(0) { $0 + $1.expected })
        case .acknowledged:
            let direct = run.deliveries.filter { $0.kind == "direct text" }
            return Self.share(
                direct.reduce(0) { $0 + $1.acknowledged }, of: direct.reduce(0) { $0 + $1.sent - $1.refused })
        case .latency:
            let known = run.deliveries.map(\.latencyMilliseconds).filter { $0.count > 0 }
            let total = known.reduce(0) { $0 + $1.count }
            guard total > 0 else { return .infinity }
            // Kinds have medians of their own; each counts as often as it was delivered.
            return known.reduce(0) { $0 + Double($1.p50) * Double($1.count) } / Double(total) / 1000
        case .transmissions: return Self.each(Double(run.transmissions), delivered)
        case .airtime: return Self.each(Double(run.airtimeMilliseconds) / 1000, delivered)
        case .collisions:
            let collisions = run.losses.first { $0.name == "collision" }?.count ?? 0
            return Self.share(collisions, of: run.receptions + run.lost)
        case .fairness:
            let times = run.nodes.filter { $0.role != "companion" }.map { Double($0.airtimeMilliseconds) }
            let squares = times.reduce(0) { $0 + $1 * $1 }
            let sum = times.reduce(0, +)
            return squares > 0 ? sum * sum / (Double(times.count) * squares) : 1
        }
    }

    /// Nothing of nothing is all of it.
    private static func share(_ part: Int, of whole: Int) -> Double {
        whole > 0 ? Double(part) / Double(whole) : 1
    }

    private static func each(_ amount: Double, _ delivered: Int) -> Double {
        delivered > 0 ? amount / Double(delivered) : .infinity
    }
}
