import MeshSimulator
import MeshTime
import MeshWire
import MeshWorlds

extension ScenarioResult {
    /// The verdict for people: what is broken, why, what became of the texts it is about, and the line that repeats it.
    ///
    /// Where the texts were lost is known of recorded runs, and of those whose run explains failures. The script as it
    /// was walked stands below when `isVerbose` is set.
    public func text(isVerbose: Bool = false) -> String {
        let indent = "          "
        var lines: [String]
        switch verdict {
        case .kept: lines = ["kept      \(scenario.path)"]
        case .broken(let failure):
            lines = ["BROKEN    \(scenario.path)", indent + "\(failure.sentence): \(failure.reason)"]
            lines += (failure.details + TextFates(self).lines).map { indent + $0 }
            lines += provenance.map { [indent + $0] } ?? []
            lines.append(indent + "again: \(repeatCommand)")
        case .notRun(let reason): lines = ["not run   \(scenario.path): \(reason)"]
        case .couldNotRun(let reason): lines = ["FAILED    \(scenario.path): \(reason)"]
        case .invalid(let reasons):
            lines = ["INVALID   \(scenario.path)"] + reasons.map { indent + $0 }
            lines.append(indent + "again: \(repeatCommand)")
        }
        if isVerbose { lines += faults.map { indent + "fault: " + $0.text } }
        if isVerbose { lines += entries.compactMap { $0.line.map { indent + $0 } } }
        return lines.joinedVisibleLines
    }
}

extension FaultOutcome {
    /// One line for people: the fault and its effects.
    var text: String {
        let place = nodes.isEmpty ? "" : " at " + nodes.joined(separator: ", ")
        return "\(sentence): " + (count.hasFired ? count.text + place : "it never took effect")
    }
}

extension EventLog.Entry {
    /// One line for people; `nil` for frames, which drawings show.
    fileprivate var line: String? {
        let words: String
        switch kind {
        case .step(let sentence): words = sentence
        case .connected: words = "connected"
        case .disconnected: words = "disconnected"
        case .fault(let sentence, let begins): words = (begins ? "trouble: " : "over: ") + sentence
        case .cameTrue(let sentence): words = "true: " + sentence
        case .reached(let sentence): words = "reached: " + sentence
        case .failed(let sentence, let reason): words = "FAILED \(sentence): \(reason)"
        case .toRadio, .toApp: return nil
        }
        let milliseconds = String(Int64(nearest: time / .milliseconds(1)))
        let digits = String(repeating: "0", count: max(0, 4 - milliseconds.count)) + milliseconds
        let seconds = digits.dropLast(3) + "." + digits.suffix(3)
        let who = who.map { $0 + " " } ?? ""
        return "\(String(seconds).alignedRight(to: 9)) s  " + who + words
    }
}
