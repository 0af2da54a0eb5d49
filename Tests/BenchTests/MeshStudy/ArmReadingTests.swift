import Testing

@testable import MeshStudy

/// Arms as their nodes have them, and arms that change nothing.
@Suite struct ArmReadingTests {
    private func plan(_ arm: String) throws -> StudyPlan {
        try StudyPlan(
            reading: Array(
                """
                {"study": "arms", "question": "Does it matter?", "world": "line:3", "for": "60s", "traffic": "flood:10s",
                 "seeds": 2, "metrics": {"delivery": 0.05}, "arms": [{"name": "first"}, \(arm)]}
                """.utf8))
    }

    private func result(_ arm: String) throws -> StudyResult {
        let plan = try plan(arm)
        var rows = StudyRows(StudyUnit(plan).origin(version: "1"))
        return try StudyRun(plan).perform(&rows)
    }

    @Test func `the settings of an arm are read off its nodes`() throws {
        let delay = try plan(#"{"name": "slow", "repeater": {"receive_delay_base": 5}}"#).readings()
        let old = try plan(#"{"name": "old", "firmware": "1.15"}"#).readings()

        #expect(delay.map(\.arm) == ["first", "slow"])
        #expect(delay[0].differences.isEmpty)
        #expect(delay[1].differences.count == 1)
        #expect(delay[1].differences.first?.hasPrefix("rxdelay: ") == true)
        #expect(delay[1].differences.first?.contains("→ 5") == true)
        #expect(old[1].differences.contains { $0.hasPrefix("firmware: ") })
    }

    @Test func `an arm that changes nothing is said to be equal to the first one`() throws {
        let same = try result(#"{"name": "again"}"#)

        #expect(same.equalArms == ["again"] && same.isValid)
        #expect(same.text.contains("It equals first in every figure of every seed: its setting changed nothing."))
        #expect(same.text.contains("again, read off its nodes: no setting of a node differs."))
        #expect(same.html([]).contains("its setting changed nothing"))
        let other = try result(#"{"name": "lossy", "faults": [{"kind": "loss"}]}"#)
        #expect(other.equalArms.isEmpty && other.isValid)
    }

    @Test func `a fault of an arm that does nothing takes all verdicts back`() throws {
        let idle = try result(#"{"name": "calm", "faults": [{"kind": "loss", "share": 0}]}"#)
        let willing = try result(#"{"name": "calm", "faults": [{"kind": "loss", "share": 0, "may_not_fire": true}]}"#)

        #expect(!idle.isValid && willing.isValid)
        #expect(
            idle.text.contains("ALARM: calm: fault 0, loss: it never took effect: no verdict of this study counts."))
    }

    @Test func `a fault of an arm behind the end of the run is refused before it starts`() throws {
        let problem = #expect(throws: StudyProblem.self) {
            try plan(#"{"name": "late", "faults": [{"kind": "loss", "at": "2m"}]}"#)
        }

        #expect(problem?.description.hasPrefix("arm late: fault 0, loss, begins at 120.0 s") == true)
    }
}
