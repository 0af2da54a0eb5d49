import MeshBoards
import MeshCompanion
import MeshFirmware
import MeshReports
import Testing

@testable import MeshCompliance

/// A radio that leaves an optional command out breaks nothing, and nothing else passes for that.
@Suite struct LackedCommandTests {
    /// The radio of a user that says UNSUPPORTED_CMD to some frames.
    private static func report(
        _ only: String, level: UInt8? = nil, refusing isRefused: @escaping ([UInt8]) -> Bool
    ) throws -> ComplianceReport {
        let radio = SomebodysRadio()
        radio.fault = { isRefused($0) ? .refusal(.unsupportedCmd) : nil }
        if let level {
            radio.tamper = { bytes in if bytes.count == 85, bytes[3] == 0x0D { bytes[4] = level } }
        }
        return try ComplianceRun(target: Target(radio.title), only: Selection(only)).perform(on: radio)
    }

    @Test func `an optional command of its level is lacked, with the exchange, and fails no run`() throws {
        let report = try Self.report("34,208") { $0.first == CommandCode.getStats.rawValue }
        let entry = try #require(report.entries.last)

        guard case .lacks(let reason, let lines, _) = entry.verdict else {
            Issue.record("\(entry.verdict)")
            return
        }
        #expect(reason == "has no CMD_GET_STATS, which is optional at its level: it answers UNSUPPORTED_CMD")
        #expect(lines.contains { $0.hasPrefix("got       01 01") })
        #expect(entry.exchange == ["app> 38 00", "<app 01 01"])
        #expect(report.lacking == 1 && report.broken == 0 && report.exitCode == 0)
    }

    @Test func `a command that no app works without is not optional`() throws {
        let report = try Self.report("50") { $0.first == CommandCode.setAdvertName.rawValue }

        #expect(report.broken == 1 && report.lacking == 0)
        #expect(report.entries.first?.exchange.first?.hasPrefix("app> 08") == true)
    }

    @Test func `a radio that knows the command elsewhere breaks the protocol`() throws {
        let report = try Self.report("208") { $0 == [CommandCode.getStats.rawValue, 2] }

        #expect(report.broken == 1 && report.lacking == 0)
    }

    @Test func `a command that came after the radio's level is none of its own`() throws {
        let report = try Self.report("208", level: 7) { $0.first == CommandCode.getStats.rawValue }

        #expect(
            report.entries.map(\.verdict)
                == [.notApplicable("CMD_GET_STATS came with level 8, and the radio says level 7")])
        #expect(report.node.level == 7)
    }

    @Test func `another refusal than that of the dispatch excuses nothing`() throws {
        let radio = SomebodysRadio()
        radio.fault = { $0.first == CommandCode.getStats.rawValue ? .refusal(.badState) : nil }

        let report = try ComplianceRun(target: .emulator, only: Selection("208")).perform(on: radio)

        #expect(report.broken == 1 && report.lacking == 0)
    }

    @Test func `a fault that was switched on is never excused`() throws {
        let radio = SomebodysRadio()
        radio.fault = { $0.first == CommandCode.getStats.rawValue ? .refusal(.unsupportedCmd) : nil }
        var run = ComplianceRun(target: .emulator, only: Selection("208"))
        run.mutant = Mutant.all[0]

        #expect(try run.perform(on: radio).broken == 1)
    }

    @Test func `all formats have the verdict, and none counts it as kept or broken`() throws {
        let file = TestReport(try Self.report("34,208") { $0.first == CommandCode.getStats.rawValue })

        #expect(file.kept == 1 && file.broken == 0 && file.lacking == 1 && file.exitCode == 0)
        #expect(file.summary.contains("broken 0, lacks optional commands 1, not run 0"))
        #expect(file.text().contains("lacks    CMP-208"))
        #expect(file.text().contains("Lacks an optional command of its level:"))
        #expect(file.json.contains(#""verdict" : "lacks""#) && file.json.contains(#""lacks" : 1"#))
        #expect(file.junit.contains("lacks: has no CMD_GET_STATS") && file.junit.contains(#"skipped="1""#))
        #expect(HTMLReport(file).html.contains(#"data-verdict="lacks""#))
        #expect(file.jobSummary.contains("Lacks an optional command of its level: 1"))
        #expect(file.badge.json.contains("1 kept, 1 lacks"))
    }

    @Test func `the check that shows a command to be known is named where it is another one`() {
        var witnesses = Witnesses([1])

        witnesses.note([1, 2], in: "CMP-001")
        witnesses.note([1, 2, 56], in: "CMP-002")
        witnesses.note([1, 2, 56], in: "CMP-003")

        #expect(witnesses.id(of: .appStart) == nil)
        #expect(witnesses.id(of: .sendTxtMsg) == "CMP-001")
        #expect(witnesses.id(of: .getStats) == "CMP-002")
        #expect(
            ComplianceRun(target: .emulator).repeatCommand(["CMP-005", "CMP-002"])
                == "meshbed comply --target emulator --only CMP-005,CMP-002")
    }

    @Test func `the commands of the first sessions are required, and all later ones may be left out`() {
        let required = CommandCode.allCases.filter { !$0.isOptional }

        #expect(required.count == 17)
        #expect(required.allSatisfy { $0.row.since <= "1.3" })
    }
}
