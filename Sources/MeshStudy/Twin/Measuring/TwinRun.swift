import MeshFirmware
import MeshSimulator
package import MeshTime
import MeshWire
package import MeshWorlds

/// Floods of a world with background traffic, logged at its observers; one run for each seed.
///
/// A seed draws one origin that sends eleven flood adverts, and three that send one each, as the observed floods were.
/// Origins are companions in place of what they are, since only those can be told when to send. Talkers, which are
/// companions beside drawn repeaters, send channel texts at the observed rate of floods.
package struct TwinRun: Sendable {
    static let talkers = 12
    static let adverts = 11
    static let others = 3
    private static let start = TimeSpan.seconds(30)
    /// From one measured flood to the next; longer than any flood observed.
    private static let spacing = TimeSpan.seconds(30)

    /// Floods an hour that a run may have beside those that are measured.
    package static let rates = 0.0...20_000

    package let world: WorldFile.Content
    /// Floods an hour beside those that are measured.
    package var backgroundPerHour: Double

    package init(_ world: WorldFile.Content, backgroundPerHour: Double) {
        self.world = world
        self.backgroundPerHour = backgroundPerHour
    }

    /// Simulated time of a run that measures all its floods.
    package static var span: TimeSpan { start + spacing * Int64(adverts + others) + .seconds(30) }

    /// Result of a seed.
    package struct Outcome: Sendable {
        var metrics: FloodMetrics
        var bars: ShortWays
        /// Broken rules of the simulator: a run with any is worth nothing.
        package var violations: Int
    }

    package func outcome(of seed: UInt64, span: TimeSpan = Self.span) -> Outcome {
        var stream = Seed(seed).stream("twin")
        var plan = world.plan
        plan.silenceAdverts()
        plan.traffic = Traffic()
        plan.faults = []
        let ways = ShortWays.Graph(world.plan.topology)
        let origins = drawn(&stream, ways)
        for origin in origins { plan.topology.nodes[origin].role = .companion }
        addTalkers(&plan, &stream)
        let labels = origins.map { plan.topology.nodes[$0].label }
        if let main = labels.first {
            plan.traffic.rules.append(
                Traffic.Rule(.node(main), .advert, first: Self.start, every: Self.spacing, count: Self.adverts))
        }
        for (number, label) in labels.dropFirst().enumerated() {
            let due = Self.start + Self.spacing * Int64(Self.adverts + number)
            plan.traffic.rules.append(Traffic.Rule(.node(label), .advert, first: due))
        }
        if backgroundPerHour > 0 {
            // A rate next to nothing comes once in ten years, as any interval of traffic may.
            let gap = TimeSpan.milliseconds(
                Int64(wholePart: 3_600_000 / backgroundPerHour, in: 0...10 * 365 * 86_400_000) + 1)
            plan.traffic.rules.append(
                Traffic.Rule(
                    .anybody, .channelText("background NNNN"), first: .seconds(5), every: gap, isIrregular: true))
        }
        let recorder = FloodRecorder(observers: world.observers, nodes: plan.topology.nodes.count)
        var run = MeshRun(plan, seed: Seed(seed), span: span) { recorder.take($0, $1, $2) }
        let summary = run.perform()
        let hearing = world.observers.count { ways.isHearing($0) }
        let metrics = FloodMetrics(
            recorder.log, origins: Set(origins), least: FloodMetrics.leastReceptions(observers: hearing))
        var bars = ShortWays()
        for origin in origins { bars.measure(ways, from: origin, to: world.observers, using: &stream) }
        return Outcome(metrics: metrics, bars: bars, violations: summary.violations)
    }

    /// Four nodes that reach at least half of the observers which anybody reaches; fewer where there are not so many.
    private func drawn(_ stream: inout RandomStream, _ ways: ShortWays.Graph) -> [Int] {
        let observers = Set(world.observers)
        let hearing = world.observers.filter(ways.isHearing)
        var candidates = world.plan.topology.nodes.indices.filter { node in
            guard !observers.contains(node), world.plan.topology.nodes[node].role != .external else { return false }
            return ways.hasOutput(node)
        }
        var found: [Int] = []
        while found.count < 1 + Self.others, !candidates.isEmpty {
            let node = candidates.remove(at: Int(stream.draw(0, UInt32(candidates.count))) % candidates.count)
            let depths = ways.depths(from: node)
            if 2 * hearing.count(where: { depths[$0] != nil }) >= hearing.count { found.append(node) }
        }
        return found
    }

    private func addTalkers(_ plan: inout WorldPlan, _ stream: inout RandomStream) {
        let repeaters = plan.topology.nodes.indices.filter { plan.topology.nodes[$0].role == .repeater }
        guard !repeaters.isEmpty, let radio = plan.equipment.first?.board.radio else { return }
        for number in 1...Self.talkers {
            let host = repeaters[Int(stream.draw(0, UInt32(repeaters.count))) % repeaters.count]
            var equipment = WorldPlan.Equipment()
            equipment.board.radio = radio
            plan.topology.nodes.append(Topology.Node("twin talker \(number)", .companion))
            plan.equipment.append(equipment)
            plan.topology.links.append(Topology.Link(plan.topology.nodes.count - 1, host, .benchmark))
        }
    }
}
