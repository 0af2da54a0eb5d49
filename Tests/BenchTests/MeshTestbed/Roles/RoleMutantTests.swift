import MeshCompliance
import MeshFirmware
import Testing

@testable import MeshRoleCompliance

/// The suite of a role must notice every fault that it says it would notice.
@Suite struct RoleMutantTests {
    @Test func `mutants have names of their own, and name statements of their role`() {
        let names = RoleMutant.all.map(\.name)
        #expect(Set(names).count == names.count)
        for mutant in RoleMutant.all {
            let shown = Set(RoleStatement.all(of: mutant.role).map(\.id))
            #expect(mutant.name.allSatisfy { $0 == "-" || $0.isNumber || $0.isLowercase }, "\(mutant.name)")
            #expect(mutant.description.summary.hasSuffix("."), "\(mutant.name)")
            #expect(!mutant.description.statementIDs.isEmpty, "\(mutant.name)")
            #expect(mutant.description.statementIDs.allSatisfy(shown.contains), "\(mutant.name)")
            #expect(RoleMutant.named(mutant.name, of: mutant.role) != nil)
        }
        #expect(RoleMutant.all(of: .repeater).count >= 120)
    }

    @Test(arguments: RoleMutant.all.map(\.name))
    func `a faulty node breaks every statement that names the fault`(_ name: String) throws {
        let mutant = try #require(RoleMutant.all.first { $0.name == name })

        let broken = try RoleMutant.broken(
            by: mutant.description, Selection(mutant.description.statementIDs.joined(separator: ",")), mutant.role)

        #expect(broken.sorted() == mutant.description.statementIDs.sorted())
    }

    @Test func `a run of mutants tells which statements noticed them`() throws {
        let report = try RoleMutant.run(.repeater, only: "ack-cut").perform()

        #expect(report.entries.map(\.mutant.name) == ["ack-cut"])
        #expect(report.entries.first?.caughtBy == ["INF-126", "OTA-042"])
        #expect(report.exitCode == 0)
    }

    @Test func `statements that a fault is not about are kept`() throws {
        var run = RoleRun(.repeater)
        run.mutant = RoleMutant.named("ack-cut", of: .repeater)

        let report = try run.perform()

        #expect(report.entries.filter(\.isBroken).map(\.id) == ["INF-126", "OTA-042"])
    }
}
