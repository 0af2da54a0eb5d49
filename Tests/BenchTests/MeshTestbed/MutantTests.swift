import MeshBoards
import MeshFirmware
import MeshSimulator
import MeshTime
import Testing

@testable import MeshCompliance
@testable import MeshReports

/// The suite must notice every fault that it says it would notice.
struct MutantTests {
    @Test func `there are at least 120 mutants, each with a name of its own`() {
        #expect(Mutant.all.count >= 120)
        #expect(Set(Mutant.all.map(\.name)).count == Mutant.all.count)
        for mutant in Mutant.all {
            #expect(mutant.name.allSatisfy { $0 == "-" || $0.isNumber || $0.isLowercase }, "\(mutant)")
            #expect(mutant.summary.hasSuffix("."), "\(mutant)")
            #expect(Mutant.named(mutant.name) == mutant)
        }
    }

    @Test func `every mutant names statements that the emulator can show`() {
        let shown = Set((EmulatorComplianceTests.checks + Check.ofLeaving).map(\.id))

        for mutant in Mutant.all {
            #expect(!mutant.statementIDs.isEmpty, "\(mutant)")
            #expect(Set(mutant.statements).count == mutant.statements.count, "\(mutant)")
            #expect(mutant.statementIDs.allSatisfy(shown.contains), "\(mutant)")
        }
    }

    @Test func `every family has mutants, and every statement that the emulator can show has one`() {
        let named = Set(Mutant.all.flatMap(\.statementIDs))

        for family in Mutant.Family.allCases { #expect(Mutant.all.contains { $0.family == family }, "\(family)") }
        for check in EmulatorComplianceTests.checks where check.id.hasPrefix("CMP-") {
            #expect(named.contains(check.id), "\(check.title)")
        }
    }

    @Test(arguments: Mutant.all)
    func `a mutant breaks every statement that names it`(_ mutant: Mutant) throws {
        let entry = try MutantRun.judge(mutant)

        #expect(entry.missedBy.isEmpty, "broken elsewhere: \(entry.brokenElsewhere)")
        #expect(entry.isCaught)
    }

    @Test func `statements that a mutant is not about are kept`() throws {
        let mutant = try #require(Mutant.named("acks-late"))
        let report = try ComplianceRun(target: .emulator).perform(on: EmulatorTarget(mutant: mutant))

        #expect(report.entries.filter(\.isBroken).map(\.id).contains("CMP-151"))
        #expect(report.kept > 200)
    }

    @Test func `a fault of the board is there after every boot, and once`() throws {
        let mutant = try #require(Mutant.named("table-one-larger"))
        var board = BoardProfile.heltecV3
        board.maxContacts = 5
        var build = HeldRadio.Build(board: board)
        build.hooks = mutant.hooks
        var radio = HeldRadio(build)

        for _ in 0..<3 {
            radio.connect()
            radio.receive([0x3C, 2, 0, 0x16, 3])
            radio.run(for: .seconds(1), until: .written)
            let written = radio.takeWrite()
            let info = try #require(written)
            // Halved, as the firmware reports it.
            #expect(info[5] == 6 / 2)
            radio.cyclePower()
        }
    }

    @Test func `a report tells who was missed and where it showed`() {
        let mutant = Mutant.all[0]
        var report = MutantReport()
        report.entries = [
            .init(mutant: mutant, caughtBy: ["CMP-001"], missedBy: [], brokenElsewhere: []),
            .init(mutant: mutant, caughtBy: [], missedBy: ["CMP-002"], brokenElsewhere: ["CMP-003"]),
            .init(mutant: mutant, caughtBy: [], missedBy: ["CMP-002"], brokenElsewhere: []),
        ]

        #expect(report.exitCode == 1)
        #expect(report.text.contains("MISSED    \(mutant.name)"))
        #expect(report.text.contains("SURVIVED  \(mutant.name)"))
        #expect(report.text.contains("broken elsewhere: CMP-003"))
        #expect(report.text.hasSuffix("1 of 3 mutants caught by every statement that names them"))
        let common = TestReport(report)
        #expect(common.kept == 1 && common.broken == 2 && common.exitCode == 1)
        #expect(common.entries[1].repeatCommand == "meshbed comply --mutants --only '\(mutant.name)'")
    }

    @Test func `a run can be of some mutants, and a pattern that fits none is refused`() throws {
        #expect(try MutantRun(only: "ack-*").mutants.map(\.name).allSatisfy { $0.hasPrefix("ack-") })
        #expect(try MutantRun(only: "cmp-151, wrong framing").mutants.count > 8)
        #expect(throws: ComplianceRun.Problem.self) { try MutantRun(only: "acks-late,no such fault") }
    }
}
