import MeshBoards
import MeshCompliance

/// The real radios of a run of scenarios: their state is kept before it, and put back behind it.
///
/// Scenarios put back what they have changed themselves. The files with the state are for a run that is killed: the
/// next program that meets one of the radios puts it back.
final class LentRadios {
    private let guards: [BoardGuard]

    /// Reaches each radio, puts back what an earlier run has left on it, and keeps its state.
    ///
    /// When one is out of reach nothing is changed, and nothing is kept.
    init(_ claims: [BoardClaim], in folders: BoardFolders = .standard) throws(ComplianceRun.Problem) {
        var guards: [BoardGuard] = []
        for claim in claims {
            do throws(ComplianceRun.Problem) {
                guards.append(try BoardGuard(claim, in: folders))
            } catch {
                for guardian in guards { _ = guardian.end() }
                throw error
            }
        }
        self.guards = guards
    }

    /// Facts for the user, a line each.
    var notes: [String] { guards.flatMap(\.notes) }

    /// Puts all radios back, and forgets their state; what was not put back, a line each.
    func giveBack() -> [String] {
        guards.flatMap { guardian in guardian.end().map { "\(guardian.title): \($0)" } }
    }
}
