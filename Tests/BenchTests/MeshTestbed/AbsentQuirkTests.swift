import MeshBoards
import MeshCompanion
import MeshFirmware
import Testing

@testable import MeshCompliance
@testable import MeshReports

/// A radio that only lacks a quirk of the firmware does not break the protocol, and nothing else passes for that.
struct AbsentQuirkTests {
    private static func report(_ quirks: QuirkSet, _ only: [String]) throws -> ComplianceReport {
        let run = ComplianceRun(target: .emulator, only: Selection(only.joined(separator: ",")))
        return try run.perform(on: SomebodysRadio(quirks: quirks))
    }

    /// Quirks whose absence shows in silence, which excuses no failure.
    private static let untold: Set<Quirk> = [.receiveBufferResidue]

    @Test(arguments: Mutant.oddities)
    func `a radio without a quirk differs and breaks nothing`(_ mutant: Mutant) throws {
        let quirk = try #require(Quirk(rawValue: String(mutant.name.dropFirst("no-".count))))
        let report = try Self.report(.all.removing(quirk), mutant.statementIDs)

        #expect((report.broken == 0) == !Self.untold.contains(quirk), "\(report.text(isVerbose: true))")
        for entry in report.entries {
            guard case .differs(let quirks, let lines, _) = entry.verdict else { continue }
            #expect(quirks.contains(quirk), "\(entry.id)")
            #expect(!lines.isEmpty)
        }
    }

    @Test func `most quirks are told apart on a radio that only a client reaches`() throws {
        var told = 0
        for mutant in Mutant.oddities {
            let quirk = try #require(Quirk(rawValue: String(mutant.name.dropFirst("no-".count))))
            if try Self.report(.all.removing(quirk), mutant.statementIDs).different > 0 { told += 1 }
        }
        #expect(told > Mutant.oddities.count / 3)
    }

    // A login that keeps the request before is what a radio without `one-pending-request` does.
    private static let faults = Mutant.all.filter { mutant in
        mutant.name != "login-keeps-request" && mutant.family != .oddity
            && mutant.statementIDs.contains { id in
                Mutant.oddities.contains { $0.statementIDs.contains(id) }
            }
    }

    @Test(arguments: faults)
    func `no other fault passes for a quirk`(_ mutant: Mutant) throws {
        for check in Check.all where mutant.statementIDs.contains(check.id) {
            let run = ComplianceRun(target: .emulator, only: Selection(check.id))
            let report = try run.perform(on: EmulatorTarget(mutant: mutant))
            for case .broken(let lines, _) in report.entries.map(\.verdict) {
                let quirks = AbsentQuirk.quirks(behind: check, lines, in: .standard)
                #expect(quirks == nil, "\(mutant.name) passes in \(check.id)")
            }
        }
    }

    @Test func `a report counts what differs apart, and does not fail for it`() throws {
        let report = try Self.report(.all.removing(.floatConversions), ["CMP-034", "CMP-055"])
        let common = TestReport(report)

        #expect(common.kept == 1 && common.broken == 0 && common.different == 1)
        #expect(report.exitCode == 0 && common.exitCode == 0)
        #expect(common.summary.contains("broken 0, differs from quirks 1, not run 0"))
        #expect(common.text().contains("Differs from a quirk of the reference:"))
        #expect(common.entries[1].reason?.contains("float-conversions") == true)
        #expect(common.json.contains("\"verdict\" : \"differs\"") || common.json.contains("\"verdict\": \"differs\""))
        #expect(common.junit.contains("skipped=\"1\""))
        #expect(common.junit.contains("differs: answers as firmware 1.17.1 would without its quirk float-conversions"))
    }

    @Test func `a fault that was switched on is never excused`() throws {
        let mutant = try #require(Mutant.named("no-float-conversions"))
        var run = ComplianceRun(target: .emulator, only: Selection("CMP-055"))
        run.mutant = mutant
        let report = try run.perform(on: SomebodysRadio(quirks: .all.removing(.floatConversions)))

        #expect(report.broken == 1 && report.different == 0)
    }
}
