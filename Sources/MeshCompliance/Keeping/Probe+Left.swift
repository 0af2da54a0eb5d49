import Glibc
import MeshBoards
import MeshCompanion
import MeshReports
import MeshTime
import MeshWire

// Radios that an earlier run has left changed: killed, or ended by a power cut.
extension Probe {
    /// Puts back what earlier runs have left changed on the radio that is connected, before anything else is changed.
    ///
    /// - Parameter title: The name of the radio, for notes.
    /// - Returns: notes for the user, a line each.
    func putBackLeft(of title: String) throws -> [String] {
        guard let ledger else { return [] }
        let left: [(radio: LeftRadio, path: String)]
        do { left = try ledger.left() } catch {
            throw ComplianceRun.Problem(
                description: "what an earlier run has left on \(title) cannot be read: \(error)")
        }
        var notes: [String] = []
        for entry in left {
            let now = try remembered()
            let key = now.before.selfInfo?.publicKey.array ?? []
            let isSame = key == entry.radio.key || entry.radio.record.privateKey != nil && ledger.isOfBoard
            guard isSame else {
                notes.append(
                    "An earlier run was cut off and has left another radio here, \(entry.radio.key.prefix(6).hex), "
                        + "which \(entry.path) describes")
                continue
            }
            try putBack(entry.radio, from: now, key: key, title)
            ledger.forget(entry.path)
            notes.append("An earlier run was cut off; what it had changed on \(title) is put back")
        }
        return notes
    }

    /// At the end of a run: puts back everything, and forgets the file of the radio where nothing is left.
    ///
    /// - Returns: what was not put back, a line each.
    func restoreAndForget(mayBeStarting: Bool = false) -> [String] {
        let left = restoreAll(mayBeStarting: mayBeStarting)
        ledger?.end(isWhole: left.isEmpty)
        return left
    }

    private func putBack(_ left: LeftRadio, from now: RadioKeeper, key: [UInt8], _ title: String) throws {
        var way = RadioKeeper(left.record)
        way.hidesTransients = now.hidesTransients
        if let clock = left.clock {
            let passed = UInt32(clamping: max(0, Int64(time(nil)) - clock.machine))
            way.clock = (clock.radio &+ passed, moment)
        }
        way.note(left: left, on: now.before, hasOtherKey: key != left.key)
        keeper = way
        defer { keeper = nil }
        let lines = restoreAll(mayBeStarting: true)
        guard lines.isEmpty else {
            let list = lines.joined(separator: "; ")
            throw ComplianceRun.Problem(
                description: "what an earlier run has changed on \(title) cannot be put back: \(list)")
        }
    }
}
