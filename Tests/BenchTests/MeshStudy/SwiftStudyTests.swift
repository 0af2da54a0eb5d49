import MeshFirmware
import MeshSimulator
import MeshTime
import MeshWorlds
import Testing

@testable import MeshStudy

/// Studies that are written in Swift.
@Suite struct SwiftStudyTests {
    private static let slowest = StudyMetric("slowest", "longest time to a delivery, in s", most: 60) { run in
        run.deliveries.map { Double($0.latencyMilliseconds.longest) / 1000 }.max() ?? .infinity
    }

    /// The study of `StudyText.delays`, written in Swift.
    private static func delays(
        _ metrics: [StudyMetric] = [.delivery.within(0.05), .airtime.within(0.2)], members: [String: Study.Value] = [:],
        arm: Study.Arm? = nil
    ) -> Study {
        Study(
            "delays", "Does waiting help?", threads: ["https://example.org/1"], world: "line:4", for: "60s",
            traffic: "flood:10s", seeds: 6, metrics: metrics, members: members
        ) {
            for (name, factor) in [("now", 0.0), ("later", 2)] {
                Study.Arm(name, ["repeater": ["flood_delay_factor": .number(factor)]])
            }
            if let arm { arm }
        }
    }

    private static func plan(_ study: Study, program: String = "1") throws -> StudyPlan {
        try StudyPlan(study) { program }
    }

    @Test func `a study in Swift is that of the file with the same members`() throws {
        let file = try StudyText.plan(StudyText.delays(seeds: 6))
        let swift = try Self.plan(Self.delays())

        #expect(swift.measures == file.measures)
        #expect((swift.name, swift.question, swift.threads) == (file.name, file.question, file.threads))
        #expect((swift.span, swift.seeds, swift.error) == (file.span, file.seeds, file.error))
        #expect(try StudyUnit(swift).values(of: 3) == StudyUnit(file).values(of: 3))
    }

    @Test func `members of the whole study are read as in a file`() throws {
        let walking = try Self.plan(
            Self.delays(members: ["apps": ["retry": "prd"], "faults": []], arm: Study.Arm("v2", ["share": 0.5])))

        #expect(walking.arms.map(\.name) == ["now", "later", "v2"])
        #expect(walking.arms.allSatisfy { $0.habits.retry != nil })
        #expect(walking.arms[2].share == 0.5)
    }

    @Test func `a metric of one's own is measured beside the known ones`() throws {
        let twice = StudyMetric("again", "the share of delivery once more", isMoreBetter: true) { run in
            StudyMetric.delivery.value(run, WorldPlan(Topology(name: "")))
        }
        let plan = try Self.plan(Self.delays([Self.slowest.within(1), .delivery.within(0.05), twice.within(0.05)]))

        let values = try StudyUnit(plan).values(of: 1)

        #expect(plan.measures.map(\.metric.name) == ["delivery", "slowest", "again"])
        for arm in 0..<3 {
            #expect(values[3 * arm] == values[3 * arm + 2])
            #expect((0.1...60).contains(values[3 * arm + 1]))
        }
        var rows = StudyRows(StudyUnit(plan).origin(version: "1"))
        var run = StudyRun(plan)
        run.stopsEarly = false
        let result = try run.perform(&rows)
        #expect(try StudyRows(reading: Array(rows.csv.utf8)) == rows)
        #expect(result.text.contains("slowest"))
    }

    /// Semtech's figures of the SX1262; beyond the power that it has, those of its limits.
    @Test(arguments: [(22, 117.9), (20, 103.8), (14, 89.3), (-9, 24), (-40, 24), (30, 117.9)] as [(Int8, Double)])
    func `energy is the air time at the current of the power`(_ power: Int8, _ milliamperes: Double) throws {
        let plan = try Self.plan(Self.delays())
        var world = try plan.plan(plan.arms[0], on: plan.base(seed: Seed(1)), Seed(1))
        for index in world.equipment.indices { world.equipment[index].board.txPower = power }
        var run = MeshRun(world, seed: Seed(1), span: plan.span)
        let summary = run.perform()

        let delivered = summary.deliveries.reduce(0) { $0 + $1.delivered }
        let milliseconds = summary.nodes.reduce(0) { $0 + $1.airtimeMilliseconds }
        let joules = Double(milliseconds) / 1000 * milliamperes / 1000 * 3.3
        #expect(delivered > 0)
        #expect(abs(StudyMetric.energy.value(summary, world) - joules / Double(delivered)) < 1e-9)
    }

    /// A closure's code is in no text, so the build of the program stands for it.
    @Test func `rows of another build of the program are not mixed with these`() throws {
        let own = Self.delays([Self.slowest.within(1)])

        #expect(try Self.plan(own, program: "1").fingerprint == Self.plan(own, program: "1").fingerprint)
        #expect(try Self.plan(own, program: "1").fingerprint != Self.plan(own, program: "2").fingerprint)
        // Without one the text says it all.
        #expect(
            try Self.plan(Self.delays(), program: "1").fingerprint == Self.plan(Self.delays(), program: "2").fingerprint
        )
    }

    @Test(arguments: [
        (delays([]), "metrics.delivery: is missing, as all others are"),
        (delays([.delivery]), "metric delivery has no margin; say one with 'within'"),
        (delays([.delivery.within(0)]), "metrics.delivery.margin"),
        (delays([.delivery.within(.nan)]), "study delays: "),
        (delays([.delivery.within(0.1), .delivery.within(0.2)]), "metrics: 'delivery' is given twice"),
        (delays([metric("delivery").within(0.1)]), "metric 'delivery': its name is that of another metric"),
        (delays([metric("a,b").within(0.1)]), "metric 'a,b': its name must have"),
        (delays([metric("a\r\nb").within(0.1)]), "its name must have"),
        (delays(members: ["world": "pair"]), "members: 'world' is given twice"),
        (delays(members: ["wrold": "pair"]), "wrold: is not known here"),
        (delays(arm: Study.Arm("x", ["name": "y"])), "arm x: 'name' is given twice"),
        (delays(arm: Study.Arm("now")), "arms: must have names that differ"),
        (delays(arm: Study.Arm("x", ["repeater": ["flood_delay": 1]])), "flood_delay"),
    ])
    func `what no study can have is refused in words`(_ study: Study, _ words: String) {
        do {
            _ = try Self.plan(study)
            Issue.record("it was taken")
        } catch {
            #expect("\(error)".contains(words), "\(error)")
            #expect(!"\(error)".contains("line "), "\(error)")
        }
    }

    private static func metric(_ name: String, _ value: Double = 0) -> StudyMetric {
        StudyMetric(name, "a number") { _ in value }
    }

    @Test(arguments: [-0.5, .nan])
    func `a value below 0, or none, ends the run with the name of its metric`(_ value: Double) throws {
        let plan = try Self.plan(Self.delays([Self.metric("odd", value).within(0.1)]))

        let problem = #expect(throws: StudyProblem.self) { try StudyUnit(plan).values(of: 2) }
        #expect(problem?.description == "seed 2, arm now: metric odd is \(value), and 0 is the least")
    }
}
