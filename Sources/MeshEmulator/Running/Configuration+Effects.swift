import MeshCapture
import MeshSimulator
import MeshWorlds

// The files and listeners of a run, which its effects reach.
extension Emulator.Configuration {
    /// Performs an effect on files and listeners; one on ports or steps is none of theirs.
    func perform(_ effect: DriverEffect, label: (NodeID) -> String) throws(EmulatorError) {
        switch effect {
        case .persist(let change, let node): try state?.apply(change, of: label(node))
        case .replaceFiles(let flash, let node): try state?.store(flash, of: label(node))
        case .recorded(let entry, let node): try record(entry, of: label(node))
        case .happened(let line): happened?(line.time, line.node, line.happening)
        case .turned(let turn, let moment): turned?(turn, moment)
        case .lost(let words): lost?(words)
        case .note(let text): log(text)
        case .write, .linked, .roomy, .shutOut, .restarts, .losesPower, .booted, .forgets, .arm, .disarm, .stepEnded,
            .stepFailed, .ended:
            break
        }
    }

    private func record(_ entry: RecordingEntry, of label: String) throws(EmulatorError) {
        do {
            try record?(label, entry)
        } catch {
            throw .notRecorded(reason: "\(error)")
        }
    }
}
