import MeshBoards
import MeshCompanion
import MeshReports

// Real radios of a run: one program has them at a time, and what it leaves changed is put back by the next one.
extension ComplianceRun {
    /// The report of a run without its radio: nothing was shown, and that was expected.
    func skipped(because reason: String) throws(Problem) -> ComplianceReport {
        if let part = selection.parts(withoutAny: Check.all + Check.onRequest).first { throw Problem(unknown: part) }
        var report = ComplianceReport(target: target.title, version: firmware ?? .standard)
        report.skippedBecause = reason
        report.notes.append("Skipped: \(reason)")
        report.entries = (leavesAndReturns ? Check.ofLeaving : Check.all).filter(selection.chooses).map { check in
            var entry = ComplianceReport.Entry(
                id: check.id, group: check.group, title: check.title, verdict: .notRun(reason), seconds: 0)
            entry.repeatCommand = repeatCommand([check.id])
            return entry
        }
        return report
    }

    /// Puts back what a run that was cut off has left changed, and runs nothing; notes on what was done, a line each.
    package func putBack() throws(Problem) -> [String] {
        let (run, claims) = try claimed(for: "lab restore")
        defer { for claim in claims { claim.release() } }
        let target: any ComplianceTarget
        do { target = try run.opened() } catch { throw Problem(error) }
        defer { target.close() }
        var report = ComplianceReport(target: target.title)
        try run.reach(Probe(target), &report)
        return report.notes
    }

    /// The run on radios that are claimed, with the addresses at which they are.
    func claimed(for command: String) throws(Problem) -> (run: ComplianceRun, claims: [BoardClaim]) {
        if let peer, target.hasRadio(of: peer) {
            throw Problem(description: "\(target.title) and \(peer.title) are the same radio; a peer is another one")
        }
        var run = self
        run.records = folders
        var claims: [BoardClaim] = []
        do throws(Bench.Problem) {
            let claim = try BoardClaim(target, for: "\(program.call) \(command)", in: folders)
            run.target = claim.target
            claims.append(claim)
            if let peer {
                let claim = try BoardClaim(peer, for: "\(program.call) \(command)", in: folders)
                run.peer = claim.target
                claims.append(claim)
            }
        } catch {
            throw Problem(error)
        }
        return (run, claims)
    }
}
