import MeshFiles
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshWorlds
import Testing

@testable import MeshStudy

@Suite struct StudyPlanTests {
    @Test func `a file names arms, metrics and margins`() throws {
        let plan = try StudyText.plan(StudyText.delays())

        #expect(plan.arms.map(\.name) == ["now", "later"])
        #expect(plan.measures.map(\.metric) == [.delivery, .airtime])
        #expect(plan.measures.map(\.margin) == [0.05, 0.2])
        #expect(plan.measures.map(\.most) == [1, 20])
        #expect((plan.seeds, plan.error, plan.comparisons) == (30, 0.05, 4))
    }

    @Test func `a setting reaches every node of its role`() throws {
        let plan = try StudyText.plan(StudyText.delays())
        let base = try plan.base(seed: .init(1))

        let factors = try plan.arms.map { arm in
            let changed = try plan.plan(arm, on: base, .init(1))
            return changed.topology.nodes.indices.filter { changed.topology.nodes[$0].role == .repeater }
                .map { changed.equipment[$0].setup.preferences.floodDelayFactor }
        }
        #expect(factors == [[0, 0], [2, 2]])
    }

    @Test func `what arms change is named above a report`() throws {
        #expect(try StudyText.plan(StudyText.delays()).airWords == "chip")
        let text = StudyText.delays().replacing(
            #""name": "later""#,
            with: #""name": "later", "air": {"capture_db": 1}, "without_quirks": ["clock-only-forward"]"#)

        let plan = try StudyText.plan(text)
        #expect(plan.airWords == "as the arms say")
        #expect(plan.withoutQuirks == ["clock-only-forward"])
    }

    @Test func `a sweep has an arm for each point`() throws {
        let sweep =
            #"{"parameters": {"flood_delay_factor": {"from": 0, "to": 2, "levels": 3}, "flood_max": {"from": 8, "to": 64, "levels": 2, "whole": true}}}"#
        let text = """
            {"study": "x", "world": "line:4", "metrics": {"delivery": 0.1}, "sweep": \(sweep)}
            """
        let names = try StudyText.plan(text).arms.map(\.name)
        #expect(names.count == 6)
        #expect(names.first == "flood_delay_factor 0 flood_max 8")
        #expect(names.last == "flood_delay_factor 2 flood_max 64")
    }

    /// Faulty members, and words of the complaint.
    @Test(arguments: [
        (#""world": "line:4""#, #""world": "nowhere:4""#, "nowhere"),
        (#""for": "60s""#, #""for": "soon""#, "for: is not a time"),
        (#""traffic": "flood:10s""#, #""traffic": "shouting""#, "traffic"),
        (#""seeds": 30"#, #""seeds": 0"#, "seeds"),
        (#""name": "later""#, #""name": "now""#, "names that differ"),
        (#""name": "later""#, #""name": "control""#, "that of the control"),
        (#""name": "later""#, #""name": "a,b""#, "without comma"),
        (#""flood_delay_factor": 2"#, #""flood_delay_factor": 200"#, "flood_delay_factor"),
        (#""flood_delay_factor": 2"#, #""delay": 2"#, "delay: is not known here"),
        (#""delivery": 0.05"#, #""speed": 0.05"#, "speed: is not known here"),
        (#""delivery": 0.05"#, #""delivery": 0"#, "delivery"),
        (#""name": "later""#, #""name": "later", "firmware": "2.0""#, "is no version"),
        (#""name": "later""#, #""name": "later", "without_quirks": ["x"]"#, "has no quirk 'x'"),
    ])
    func `a mistake is named`(_ right: String, _ wrong: String, _ complaint: String) throws {
        let text = StudyText.delays().replacing(right, with: wrong)
        #expect(text != StudyText.delays())

        let error = #expect(throws: (any Error).self) { try StudyText.plan(text) }
        #expect("\(try #require(error))".contains(complaint), "\(String(describing: error))")
    }

    @Test func `a study needs two arms and a metric`() {
        for text in [
            #"{"study": "x", "world": "line:4", "metrics": {"delivery": 0.1}, "arms": [{"name": "a"}]}"#,
            #"{"study": "x", "world": "line:4", "metrics": {}, "arms": [{"name": "a"}, {"name": "b"}]}"#,
            #"[1]"#, "", #"{"study": 1}"#,
        ] {
            #expect(throws: (any Error).self, "\(text)") { try StudyText.plan(text) }
        }
    }
}
