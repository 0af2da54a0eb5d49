import MeshFirmware
import MeshSimulator
import MeshWorlds

// The metrics that every study may name.
extension StudyMetric {
    /// The share of the recipients of all messages that got theirs.
    public static let delivery = StudyMetric(
        "delivery", "share of the recipients of all messages that got theirs", isMoreBetter: true
    ) { run, _ in share(delivered(run), of: run.deliveries.reduce(0) { $0 + $1.expected }) }

    /// The share of all other companions that a text on the channel reached.
    public static let reach = StudyMetric(
        "reach", "share of all other companions that a text on the channel reached", isMoreBetter: true
    ) { run, _ in kind("channel text", run) { share($0.delivered, of: $0.expected) } }

    /// The share of the direct texts whose acknowledgement came back.
    public static let acknowledged = StudyMetric(
        "acknowledged", "share of the direct texts whose acknowledgement came back", isMoreBetter: true
    ) { run, _ in kind("direct text", run) { share($0.acknowledged, of: $0.sent - $0.refused) } }

    /// The number of times that the radio accepted each direct text; more than once where apps send again.
    public static let attempts = StudyMetric(
        "attempts", "how often the radio took each direct text; more than once where apps send again", most: 10
    ) { run, _ in kind("direct text", run) { share($0.attempts, of: $0.sent - $0.refused) } }

    /// The median time from the app's command to a delivery, in seconds.
    public static let latency = StudyMetric(
        "latency", "median time from the app's command to a delivery, in s", most: 60
    ) { run, _ in
        let known = run.deliveries.map(\.latencyMilliseconds).filter { $0.count > 0 }
        let total = known.reduce(0) { $0 + $1.count }
        guard total > 0 else { return .infinity }
        // Kinds have medians of their own; each counts as often as it was delivered.
        return known.reduce(0) { $0 + Double($1.p50) * Double($1.count) } / Double(total) / 1000
    }

    /// The packets sent by all nodes for each delivery.
    public static let transmissions = StudyMetric(
        "transmissions", "packets sent by all nodes for each delivery", most: 50
    ) { run, _ in each(Double(run.transmissions), delivered(run)) }

    /// The air time of all nodes for each delivery, in seconds.
    public static let airtime = StudyMetric("airtime", "air time of all nodes for each delivery, in s", most: 20) {
        run, _ in
        each(Double(run.airtimeMilliseconds) / 1000, delivered(run))
    }

    /// The energy that all transmitters draw from batteries for each delivery, in joules.
    public static let energy = StudyMetric(
        "energy", "what all transmitters take from batteries for each delivery, in J; no receivers", most: 20
    ) { run, plan in
        let joules = zip(run.nodes, plan.equipment).reduce(0) { sum, node in
            sum + Double(node.0.airtimeMilliseconds) / 1000 * watts(sending: node.1.board.txPower)
        }
        return each(joules, delivered(run))
    }

    /// The share of the received frames whose packet the node had already.
    public static let duplicates = StudyMetric(
        "duplicates", "share of the received frames whose packet the node had already"
    ) { run, _ in share(run.discards.first { $0.name == "alreadySeen" }?.count ?? 0, of: run.receptions) }

    /// The share of the frames at antennas that a collision destroyed.
    public static let collisions = StudyMetric(
        "collisions", "share of the frames at antennas that a collision destroyed"
    ) { run, _ in
        share(run.losses.first { $0.name == "collision" }?.count ?? 0, of: run.receptions + run.lost)
    }

    /// The evenness of air time among infrastructure nodes: Jain's index, 0 to 1.
    public static let fairness = StudyMetric(
        "fairness", "how evenly infrastructure nodes share the air time: Jain's index", isMoreBetter: true
    ) { run, _ in
        let times = run.nodes.filter { $0.role != "companion" }.map { Double($0.airtimeMilliseconds) }
        let squares = times.reduce(0) { $0 + $1 * $1 }
        let sum = times.reduce(0, +)
        return squares > 0 ? sum * sum / (Double(times.count) * squares) : 1
    }

    /// All of them, in the order of tables.
    package static let known: [StudyMetric] = [
        delivery, reach, acknowledged, attempts, latency, transmissions, airtime, energy, duplicates, collisions,
        fairness,
    ]

    private static func delivered(_ run: MeshSummary) -> Int { run.deliveries.reduce(0) { $0 + $1.delivered } }

    /// A number of one kind of messages; 1 where there were none.
    private static func kind(_ name: String, _ run: MeshSummary, _ value: (MeshSummary.Delivery) -> Double) -> Double {
        run.deliveries.first { $0.kind == name }.map(value) ?? 1
    }

    /// Returns the watts of a transmitter at a power in dBm: 3.3 V times the current of an SX1262 with DC-DC.
    private static func watts(sending power: Int8) -> Double {
        let place = Int(min(max(power, -9), 22)) + 9
        return Double(hundredMicroamperes[place]) / 10_000 * 3.3
    }

    /// Currents at -9 to 22 dBm, as Semtech measured them: its LoRa Basics Modem, radio layer for the SX126x,
    /// high-power amplifier, DC-DC converter.
    private static let hundredMicroamperes = [
        240, 254, 267, 280, 306, 319, 332, 357, 382, 406, 429, 462, 482, 518, 541, 570,
        603, 635, 671, 705, 742, 784, 835, 893, 924, 945, 954, 975, 1001, 1038, 1091, 1179,
    ]

    /// Nothing of nothing is all of it.
    private static func share(_ part: Int, of whole: Int) -> Double {
        whole > 0 ? Double(part) / Double(whole) : 1
    }

    private static func each(_ amount: Double, _ delivered: Int) -> Double {
        delivered > 0 ? amount / Double(delivered) : .infinity
    }
}
