package import MeshBoards
import MeshCompanion
import MeshReports
import MeshTime
import MeshTransports

/// A real radio that tests of any kind use: as it was found it is put back between them, and at the end.
///
/// A link to the radio is open only within a call, so that the tests can have theirs. The state before is kept in a
/// file until everything is put back: when the program is killed, the next one that meets the radio does it.
package final class BoardGuard {
    private let target: any ComplianceTarget
    private let probe: Probe
    private let before: RadioRecord

    /// Reaches the radio of a claimed target, puts back what an earlier run has left, and remembers its state.
    ///
    /// - Parameter folders: The place of the radio's record.
    package convenience init(_ claim: BoardClaim, in folders: BoardFolders = .standard) throws(ComplianceRun.Problem) {
        let radio = claim.target
        guard let address = radio.addresses.first, radio.addresses.count == 1 else {
            throw ComplianceRun.Problem(description: "\(radio.title) is not one real radio")
        }
        try self.init(
            StreamTarget(address, title: radio.label, allowing: radio.allowed, board: radio.board), of: radio,
            in: folders)
    }

    /// The same for a radio that is reached in any way; its record is that of `radio`.
    init(_ target: any ComplianceTarget, of radio: Target, in folders: BoardFolders) throws(ComplianceRun.Problem) {
        let probe = Probe(target)
        defer { target.close() }
        do {
            try probe.prepare(Setup())
            try probe.introduce()
            probe.ledger = RadioLedger(radio, in: folders)
            notes = try probe.putBackLeft(of: target.title)
            let keeper = try probe.remembered()
            probe.ledger?.begin(keeper, isWhole: true)
            before = keeper.before
        } catch {
            throw ComplianceRun.problem(error, probe)
        }
        self.target = target
        self.probe = probe
        if let problem = probe.ledger?.problem {
            notes.append("If this program is killed, nothing is put back later: \(problem)")
        }
    }

    /// Facts for the user, a line each.
    package private(set) var notes: [String]

    /// The name of the radio in texts.
    package var title: String { target.title }

    /// The abilities of the radio.
    package var abilities: Abilities { target.abilities }
    /// Tells whether it may be told to send.
    package var mayTransmit: Bool { !target.isSilent }

    /// Puts back what has changed since the radio was found, with contacts that were heard in the meantime.
    package func restore() throws(ComplianceRun.Problem) {
        defer { target.close() }
        do {
            try reachAgain()
            try probe.restoreTouched()
            probe.keeper = nil
        } catch {
            throw ComplianceRun.problem(error, probe)
        }
    }

    /// Switches the power of the radio off and on again by its owner's commands, and waits until it answers.
    package func cyclePower() throws(TargetError) {
        defer { target.close() }
        try target.powerCycle()
    }

    /// Puts everything back, and forgets the file; what was not put back, a line each.
    package func end() -> [String] {
        defer { target.close() }
        do { try reachAgain() } catch { return ["the radio is out of reach: \(error)"] }
        return probe.restoreAndForget(mayBeStarting: true)
    }

    private func reachAgain() throws {
        try probe.prepare(Setup())
        try probe.regain(mayBeStarting: true)
        let now = try probe.remembered()
        var way = RadioKeeper(before)
        way.hidesTransients = now.hidesTransients
        way.note(differencesTo: now.before)
        if before.privateKey != nil, now.before.selfInfo?.publicKey != before.selfInfo?.publicKey {
            way.note(command: [ImportPrivateKey.codeByte])
        }
        probe.keeper = way
    }
}
