import MeshSimulator
import MeshTime
import Synchronization

/// The proof of a run: effects of faults, looks at rules, and moments that came.
///
/// All of it is counted beside the run. Nothing of it waits, draws or stands in a trace, so a run is the same with it.
final class ProofLedger: Sendable {
    private struct Begun {
        var sentence: String
        var begin: Duration
        var isOptional: Bool
        var cast: [String]
        var reading: FaultReading
    }

    private struct State {
        var begun: [Begun] = []
        var looks: [String: Int] = [:]
        var problems: [String: String] = [:]
        var moments: Set<String> = []
        var lacks: [String] = []
        var cuts: [String: CutCounter] = [:]
        var armed: [String: Range<Int>] = [:]
    }

    private let state = Mutex(State())

    // MARK: Faults

    func note(_ fault: any CountedFault, _ reading: FaultReading, at time: Duration) {
        let begun = Begun(
            sentence: fault.sentence, begin: time, isOptional: fault.isOptional, cast: fault.cast.map(\.name),
            reading: reading)
        state.withLock { $0.begun.append(begun) }
    }

    /// Returns the effects of all faults that have begun, in their order.
    func outcomes(in world: World?) -> [FaultOutcome] {
        state.withLock { $0.begun }.map { begun in
            let count = begun.reading.read(world)
            let nodes = world.map { world in
                count.nodes.map { world.label(of: NodeID(index: $0)) }
            }
            return FaultOutcome(
                sentence: begun.sentence, begin: begun.begin, isOptional: begun.isOptional, count: count,
                nodes: count.hasFired && count.nodes.isEmpty ? begun.cast : nodes ?? [])
        }
    }

    /// The counter of a cut between two nodes that is open, or was last.
    func cut(_ sentence: String) -> CutCounter? { state.withLock { $0.cuts[sentence] } }

    func open(_ cut: CutCounter, _ sentence: String) { state.withLock { $0.cuts[sentence] = cut } }

    /// Remembers the numbers that the planned faults of a line have on their link.
    func arm(_ numbers: Range<Int>, _ sentence: String) { state.withLock { $0.armed[sentence] = numbers } }

    /// Returns these numbers once.
    func disarm(_ sentence: String) -> Range<Int>? { state.withLock { $0.armed.removeValue(forKey: sentence) } }

    // MARK: Rules

    /// Counts a look at a rule that gave an answer.
    func looked(at sentence: String) { state.withLock { $0.looks[sentence, default: 0] += 1 } }

    /// Remembers why a rule could not be looked at.
    func failed(at sentence: String, _ problem: String) { state.withLock { $0.problems[sentence] = problem } }

    /// Returns the reason why no look at a rule gave an answer; `nil` when one did.
    func missingLook(at sentence: String) -> String? {
        state.withLock { state in
            guard state.looks[sentence] == nil else { return nil }
            return "it was never looked at" + (state.problems[sentence].map { ", as \($0)" } ?? "")
        }
    }

    // MARK: Lines

    /// Remembers that the moment of a line has come.
    func came(_ sentence: String) { state.withLock { _ = $0.moments.insert(sentence) } }

    func hasCome(_ sentence: String) -> Bool { state.withLock { $0.moments.contains(sentence) } }

    /// Remembers a line that proves nothing.
    func lack(_ line: String, _ reason: String) { state.withLock { $0.lacks.append("\(line): \(reason)") } }

    var lacks: [String] { state.withLock { $0.lacks } }
}

/// The frames that two nodes send while their link is cut.
final class CutCounter: Sendable {
    private let frames: Mutex<(before: Int, after: Int?)>

    /// - Parameter sent: the frames that both have sent so far.
    init(sent: Int) { frames = Mutex((before: sent, after: nil)) }

    /// Ends the count; later frames are not lost to the cut.
    func close(sent: Int) { frames.withLock { if $0.after == nil { $0.after = sent } } }

    func count(sent: Int) -> FaultCount {
        let lost = frames.withLock { ($0.after ?? sent) - $0.before }
        var count = FaultCount()
        count.note(times: lost, frames: lost)
        return count
    }
}

extension Stage {
    /// The reasons why the run proves nothing; empty for one that proves what it says.
    func idleParts(_ outcomes: [FaultOutcome]) -> [String] {
        var reasons = outcomes.filter { !$0.isOptional && !$0.count.hasFired }.map { outcome in
            "\(outcome.sentence), from \(outcome.begin.text) on: it never took effect"
        }
        for step in scenario.lines {
            switch step {
            case .fault(let fault, _):
                guard let fault = fault as? any CountedFault, !fault.isOptional, !hasBegun(fault) else { continue }
                reasons.append("\(fault.sentence): it never began")
            case .when(let expectation, _):
                guard !(expectation is WithoutOccasion), !proofs.hasCome(step.sentence) else { continue }
                reasons.append("\(step.sentence): it was never so")
            case .does, .expects, .stays, .waits, .at, .meanwhile: break
            }
        }
        for rule in scenario.rules {
            switch rule {
            case .always(let expectation), .never(let expectation):
                guard !(expectation is WithoutOccasion) else { continue }
                if let reason = proofs.missingLook(at: rule.sentence) ?? expectation.missingOccasion(on: self) {
                    reasons.append("\(rule.sentence): \(reason)")
                }
            case .eventually, .sometimes: break
            }
        }
        return reasons + proofs.lacks
    }

    private func hasBegun(_ fault: any ScenarioFault) -> Bool {
        eventLog.entries.contains { entry in
            if case .fault(fault.sentence, true) = entry.kind { true } else { false }
        }
    }
}
