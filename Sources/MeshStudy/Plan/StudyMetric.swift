import MeshFirmware
package import MeshSimulator
package import MeshWorlds

/// What a study measures of a run: one number for each seed and arm.
package enum StudyMetric: String, Hashable, Sendable, CaseIterable {
    case delivery
    case reach
    case acknowledged
    case attempts
    case latency
    case transmissions
    case airtime
    case energy
    case duplicates
    case collisions
    case fairness

    /// What it is, for people.
    package var summary: String {
        switch self {
        case .delivery: "share of the recipients of all messages that got theirs"
        case .reach: "share of all other companions that a text on the channel reached"
        case .acknowledged: "share of the direct texts whose acknowledgement came back"
        case .attempts: "how often the radio took each direct text; more than once where apps send again"
        case .latency: "median time from the app's command to a delivery, in s"
        case .transmissions: "packets sent by all nodes for each delivery"
        case .airtime: "air time of all nodes for each delivery, in s"
        case .energy: "what all transmitters take from batteries for each delivery, in J; no receivers"
        case .duplicates: "share of the received frames whose packet the node had already"
        case .collisions: "share of the frames at antennas that a collision destroyed"
        case .fairness: "how evenly infrastructure nodes share the air time: Jain's index"
        }
    }

    /// Whether a greater value is the better one.
    package var isMoreBetter: Bool {
        switch self {
        case .delivery, .reach, .acknowledged, .fairness: true
        case .attempts, .latency, .transmissions, .airtime, .energy, .duplicates, .collisions: false
        }
    }

    /// The greatest value that a study counts where it names no other one. Values run from 0 to it.
    package var usualMost: Double {
        switch self {
        case .delivery, .reach, .acknowledged, .duplicates, .collisions, .fairness: 1
        case .attempts: 10
        case .latency: 60
        case .transmissions: 50
        case .airtime, .energy: 20
        }
    }

    /// The value of a run; infinite where there is none, because nothing was delivered.
    package func value(of run: MeshSummary, in plan: WorldPlan) -> Double {
        let delivered = run.deliveries.reduce(0) { $0 + $1.delivered }
        switch self {
        case .delivery: return Self.share(delivered, of: run.deliveries.reduce(0) { $0 + $1.expected })
        case .reach: return Self.kind("channel text", run) { Self.share($0.delivered, of: $0.expected) }
        case .acknowledged:
            return Self.kind("direct text", run) { Self.share($0.acknowledged, of: $0.sent - $0.refused) }
        case .attempts: return Self.kind("direct text", run) { Self.share($0.attempts, of: $0.sent - $0.refused) }
        case .latency: return Self.latency(run)
        case .transmissions: return Self.each(Double(run.transmissions), delivered)
        case .airtime: return Self.each(Double(run.airtimeMilliseconds) / 1000, delivered)
        case .energy:
            let joules = zip(run.nodes, plan.equipment).reduce(0) { sum, node in
                sum + Double(node.0.airtimeMilliseconds) / 1000 * Self.watts(sending: node.1.board.txPower)
            }
            return Self.each(joules, delivered)
        case .duplicates:
            return Self.share(run.discards.first { $0.name == "alreadySeen" }?.count ?? 0, of: run.receptions)
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

    private static func latency(_ run: MeshSummary) -> Double {
        let known = run.deliveries.map(\.latencyMilliseconds).filter { $0.count > 0 }
        let total = known.reduce(0) { $0 + $1.count }
        guard total > 0 else { return .infinity }
        // Kinds have medians of their own; each counts as often as it was delivered.
        return known.reduce(0) { $0 + Double($1.p50) * Double($1.count) } / Double(total) / 1000
    }

    /// A number of one kind of messages; 1 where there were none.
    private static func kind(_ name: String, _ run: MeshSummary, _ value: (MeshSummary.Delivery) -> Double) -> Double {
        run.deliveries.first { $0.kind == name }.map(value) ?? 1
    }

    /// What a transmitter takes at a power in dBm: 3.3 V times the current of an SX1262 with the settings for 22 dBm.
    ///
    /// 118, 102, 95 and 90 mA are what the SX1261/2 data sheet is said to have for 868 and 915 MHz; nobody has checked them
    /// against it yet. They matter only between arms whose nodes send with different power.
    private static func watts(sending power: Int8) -> Double {
        let milliamperes: Double =
            switch power {
            case 21...: 118
            case 18...20: 102
            case 15...17: 95
            default: 90
            }
        return milliamperes / 1000 * 3.3
    }

    /// Nothing of nothing is all of it.
    private static func share(_ part: Int, of whole: Int) -> Double {
        whole > 0 ? Double(part) / Double(whole) : 1
    }

    private static func each(_ amount: Double, _ delivered: Int) -> Double {
        delivered > 0 ? amount / Double(delivered) : .infinity
    }
}
