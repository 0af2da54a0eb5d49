import Foundation
import MeshBoards
import MeshCompanion
import MeshCompliance
import MeshFiles
import MeshFirmware
import MeshReports
import MeshRoleCompliance
import MeshTestSupport
import Testing

@testable import MeshReleases

/// Nodes that were asked elsewhere, by their reports: beside a version, and beside each other.
@Suite struct ReportedComparisonTests {
    /// Reads what `comply` has written of an emulated companion radio, changed as a test needs it.
    private static func radio(
        _ only: String, mutant: String? = nil, firmware: FirmwareVersion = .v1_17_1, named name: String = "my radio",
        in file: String = "my.json", _ change: (inout TestReport) -> Void = { _ in }
    ) throws -> ComparedRelease {
        var run = ComplianceRun(target: .emulator, only: Selection(only))
        run.firmware = firmware
        run.mutant = try mutant.map { try #require(Mutant.named($0)) }
        return try read(TestReport(run.perform()), named: name, in: file, change)
    }

    /// Reads the same of an emulated repeater.
    private static func repeater(_ only: String, mutant: String? = nil) throws -> ComparedRelease {
        var run = RoleRun(.repeater, only: Selection(only))
        run.mutant = try mutant.map { try #require(RoleMutant.named($0, of: .repeater)) }
        return try read(TestReport(run.perform()), named: "hill", in: "hill.json")
    }

    private static func read(
        _ written: TestReport, named name: String, in file: String, _ change: (inout TestReport) -> Void = { _ in }
    ) throws -> ComparedRelease {
        var report = written
        report.node?.name = name
        change(&report)
        return try ComparedRelease(NodeReport(reading: Array(report.json.utf8), of: file))
    }

    private static func report(
        _ old: ComparedRelease, _ new: ComparedRelease, only: Set<String>? = nil
    ) throws -> FirmwareComparisonReport {
        var comparison = FirmwareComparison(old, new)
        comparison.only = only
        return try comparison.perform()
    }

    /// Gives an entry of a report another verdict.
    private static func judged(_ id: String, _ verdict: TestReport.Verdict) -> (inout TestReport) -> Void {
        { report in
            for place in report.entries.indices where report.entries[place].id == id {
                report.entries[place].verdict = verdict
            }
        }
    }

    // MARK: A version and a report

    @Test func `a radio that answers as the version does differs in nothing`() throws {
        let report = try Self.report(ComparedRelease(.v1_17_1), Self.radio("50-56"))

        #expect(report.findings.isEmpty && report.exitCode == 0)
        #expect(
            report.answer
                == "As a companion radio, my radio answers as 1.17.1 does: no difference that matters was found, "
                + "by 7 statements with a verdict on both sides.")
        #expect(report.mesh == nil && report.fates.isEmpty)
    }

    @Test func `a planted fault is named, with the answer that came`() throws {
        let report = try Self.report(ComparedRelease(.v1_17_1), Self.radio("50-56", mutant: "poles-refused"))

        let finding = try #require(report.findings.first)
        #expect(report.findings.map(\.id) == ["CMP-053"] && report.exitCode == 1)
        #expect(finding.weight == .brokenProtocol)
        #expect(finding.details.first == "my radio: broken")
        #expect(finding.details.contains { $0.hasPrefix("my radio: expected") })
        #expect(finding.details.contains { $0.hasPrefix("my radio: got") })
        #expect(report.answer.contains("my radio departs from 1.17.1: 1 difference (1 changed protocol)"))
        #expect(report.annotations(.fail).count == 1)
    }

    @Test func `what the version keeps in place of a fault is a gain`() throws {
        let report = try Self.report(Self.radio("50-56", mutant: "poles-refused"), ComparedRelease(.v1_17_1))

        #expect(report.exitCode == 0)
        #expect(report.findings.map(\.weight) == [.gain])
        #expect(report.findings[0].title == "1.17.1 keeps 1 statement from which my radio departs")
        #expect(report.findings[0].details == ["CMP-053"])
    }

    @Test func `an older version is asked as the report was: against the version of the report`() throws {
        let report = try Self.report(ComparedRelease(.v1_16), Self.radio("CMP-101,CMP-065"))

        // 1.16 breaks what 1.17.1 promises, and the radio does not.
        #expect(report.findings.map(\.weight) == [.gain])
        #expect(report.findings[0].details == ["CMP-101"])
    }

    @Test func `a repeater is compared by the statements of its role`() throws {
        let equal = try Self.report(ComparedRelease(.v1_17_1), Self.repeater("INF-102,INF-107"))
        let faulty = try Self.report(
            ComparedRelease(.v1_17_1), Self.repeater("INF-005", mutant: "advert-without-place"))

        #expect(equal.findings.isEmpty && equal.answer.hasPrefix("As a repeater, hill answers as 1.17.1 does"))
        #expect(faulty.findings.map(\.id) == ["INF-005"])
        #expect(faulty.findings[0].weight == .airtime)
    }

    // MARK: What counts

    @Test func `a quirk and an optional command that are missing are named, and do not count`() throws {
        let quirk = try Self.radio("50-51", Self.judged("CMP-050", .differs("answers without its quirk", ["got  00"])))
        let lack = try Self.radio("50-51", Self.judged("CMP-051", .lacks("has no SET_ADVERT_NAME", ["got  01 01"])))

        for (side, id) in [(quirk, "CMP-050"), (lack, "CMP-051")] {
            let report = try Self.report(ComparedRelease(.v1_17_1), side)
            #expect(report.findings.map(\.id) == [id] && report.findings.map(\.weight) == [.permitted])
            #expect(report.exitCode == 0)
        }
    }

    @Test func `what both sides break is no difference, and is said`() throws {
        let old = try Self.radio("50-53", mutant: "poles-refused", named: "old")
        let new = try Self.radio("50-53", mutant: "poles-refused", named: "new")

        let report = try Self.report(old, new)

        #expect(report.findings.isEmpty)
        #expect(report.caveats.contains("Broken on both sides, and so no difference: CMP-053."))
    }

    @Test func `statements without a verdict on one side are named with the reason`() throws {
        let side = try Self.radio("50-52", Self.judged("CMP-051", .notRun("needs control over power")))

        let report = try Self.report(ComparedRelease(.v1_17_1), side, only: ["CMP-050", "CMP-051", "CMP-056"])

        #expect(
            report.uncomparedLines() == [
                "my radio, not run: needs control over power: CMP-051", "my radio, not in the report: CMP-056",
            ])
        #expect(report.statementsAsked == 1)
        #expect(report.text().contains("Not compared (2)"))
    }

    @Test func `a statement that this program does not have is named`() throws {
        let side = try Self.radio("50-50") { report in
            report.entries.append(
                TestReport.Entry(kind: .statement, id: "LATER-9", group: "Z", title: "of later", verdict: .kept))
        }

        let report = try Self.report(ComparedRelease(.v1_17_1), side, only: ["CMP-050", "LATER-9"])

        #expect(report.uncomparedLines() == ["1.17.1, not asked of emulated nodes: LATER-9"])
    }

    @Test func `parts that a report cannot be asked are said, with the reason`() throws {
        let report = try Self.report(ComparedRelease(.v1_17_1), Self.radio("50-50"))

        #expect(
            report.unaskedLines.map { String($0.prefix(while: { $0 != ":" })) } == [
                "stored state", "packets", "mesh on the way",
            ])
        #expect(report.text().contains("Not asked of a report\n  stored state: no build reads the files"))
        #expect(report.html([]).contains("<h2>Not asked of a report</h2>"))
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any])
        #expect((object["notAsked"] as? [[String: String]])?.count == 3)
        #expect((object["notCompared"] as? [[String: Any]])?.isEmpty == false)
        #expect(object["role"] as? String == "companion radio" && object["against"] as? String == "1.17.1")
    }

    @Test func `a run that ended early and another build are said`() throws {
        var comparison = FirmwareComparison(
            ComparedRelease(.v1_17_1),
            try Self.radio("50-50") { report in
                report.abortedBecause = "the radio is gone"
                report.provenance = Provenance(version: MeshbedVersion(number: "0.1.0"), date: "2026-11-22T18:52:56Z")
            })
        comparison.build = "0.3.0"

        let report = try comparison.perform()

        #expect(report.caveats.contains("my.json is of a run that ended early: the radio is gone."))
        #expect(
            report.caveats.contains("my.json was made by another build, 0.1.0: statements may have changed since."))
        #expect(
            report.method.first
                == "my.json: emulator was checked against 1.17.1 on 2026-11-22T18:52:56Z by meshbed 0.1.0.")
    }

    // MARK: Two reports

    @Test func `two reports are held against each other, and nothing is run`() throws {
        let before = try Self.radio("50-56", named: "before", in: "before.json")
        let after = try Self.radio("50-56", mutant: "poles-refused", named: "after", in: "after.json")

        var steps = 0
        let report = try FirmwareComparison(before, after).perform { _, _, _, _ in steps += 1 }

        #expect(report.findings.map(\.id) == ["CMP-053"])
        #expect(report.reported?.emulated == nil && steps == 0)
    }

    @Test func `two nodes of one name are told apart by their files`() throws {
        let before = try Self.radio("50-50", in: "before.json")
        let after = try Self.radio("50-50", in: "after.json")

        let report = try Self.report(before, after)

        #expect((report.old.name, report.new.name) == ("my radio (before.json)", "my radio (after.json)"))
    }

    @Test func `reports of different roles or versions are refused in one sentence`() throws {
        let radio = try Self.radio("50-50")
        let other = try Self.repeater("INF-102")
        let older = try Self.radio("50-50", firmware: .v1_16, in: "older.json")

        let roles = #expect(throws: FileProblem.self) { try Self.report(radio, other) }
        let versions = #expect(throws: FileProblem.self) { try Self.report(radio, older) }

        #expect(
            roles?.description
                == "hill.json: is of a node asked as repeater, and my.json of one asked as companion")
        #expect(
            versions?.description == "older.json: was checked against 1.16, and my.json against 1.17.1; "
                + "'comply --firmware' names the version")
    }

    // MARK: Files

    @Test func `a report without a verdict in common is refused`() throws {
        let side = try Self.radio("50-50", Self.judged("CMP-050", .notRun("needs a rig")))

        let problem = #expect(throws: FileProblem.self) { try Self.report(ComparedRelease(.v1_17_1), side) }

        #expect(problem?.description == "my.json: has no statement with a verdict on both sides")
    }

    @Test func `a file that is no such report is one sentence`() throws {
        func problem(_ change: (inout TestReport) -> Void) -> String? {
            let found = #expect(throws: FileProblem.self) { try Self.radio("50-50", change) }
            return found?.description
        }
        let other = #expect(throws: FileProblem.self) { try NodeReport(reading: Array("{}".utf8), of: "x.json") }

        #expect(other?.description == "x.json:1: format: must be \"meshbed-report/1\"")
        #expect(
            problem { $0.node?.reference = "9.9" }
                == "my.json: node.against: \"9.9\" is none of \(FirmwareVersion.names)")
        #expect(problem { $0.node = nil } == "my.json: says nothing of the node that was checked")
        #expect(problem { $0.command = "scenario run" } == "my.json: is a report of 'scenario run', not of comply")
    }

    @Test func `texts of a report are escaped wherever they stand`() throws {
        let side = try Self.radio("50-51", named: "<b>\u{1B}[31m|") { report in
            report.entries[0].verdict = .notRun("<i>\u{1B}[31m")
        }

        let report = try Self.report(ComparedRelease(.v1_17_1), side)

        #expect(!report.text().contains("\u{1B}") && !report.html([]).contains("<b>"))
        #expect(!report.html([]).contains("<i>") && !report.jobSummary.contains("<b>"))
    }
}
