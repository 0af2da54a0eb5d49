import MeshBoards
import MeshCompanion
import MeshCompliance
import MeshFirmware
import MeshRoleCompliance
import MeshTime

// Emulated nodes of a release, asked statements.
extension ComparedRelease {
    /// Asks emulated nodes of the release statements as a version promises them; `step` is told each name.
    func report(
        on subject: ReleaseSubject, against version: FirmwareVersion, _ selection: Selection, _ seed: UInt64,
        _ step: (String) -> Void = { _ in }
    ) throws(ComplianceRun.Problem) -> ComplianceReport {
        switch subject {
        case .companion:
            var run = ComplianceRun(target: .emulator, only: selection)
            run.firmware = version
            run.mutant = mutant(against: version)
            run.seed = Seed(seed)
            return try run.perform(progress: { entry, _ in step(entry.id) })
        case .server(let role):
            var run = RoleRun(role, only: selection)
            run.firmware = version
            run.running = running
            run.mutant = fault(of: role)
            run.seed = Seed(seed)
            return try run.perform(progress: { entry, _ in step(entry.id) })
        }
    }
}

extension ReleaseSubject {
    /// The names of all statements on such nodes, in their order.
    var statementIDs: [String] {
        switch self {
        case .companion: ComplianceRun.checkIDs
        case .server(let role): RoleRun.statementIDs(of: role)
        }
    }
}
