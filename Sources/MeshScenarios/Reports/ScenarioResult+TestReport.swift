public import MeshReports
public import MeshTime
import MeshWire

extension TestReport {
    /// The results of scenarios as all reports are written from them, in the order of the run.
    public init(scenarios results: [ScenarioResult], target: String, seed: Seed) {
        let program = results.first?.program ?? .meshbed
        self.init(
            title: "Scenarios", program: program, command: program.scenario("run"), target: target,
            entries: results.map(Entry.init))
        self.seed = seed.value
        notes = results.compactMap { result in result.provenance.map { "\(result.scenario.name): \($0)" } }
        coverage = Self.states(of: results)
    }

    /// Reports soaks: an entry for each scenario, and how often their states were reached.
    public init(soaks results: [SoakResult]) {
        let program = results.first?.program ?? .meshbed
        self.init(
            title: "Soak", program: program, command: program.scenario("soak"), target: "emulator",
            entries: results.map(Entry.init))
        coverage = results.flatMap { result in
            result.states.map { StateCount(results.count > 1 ? "\(result.name): \($0.name)" : $0.name, $0.count) }
        }
    }

    /// States that scenarios ask for with `sometimes`, in the order in which they first occur.
    private static func states(of results: [ScenarioResult]) -> [StateCount] {
        var states: [StateCount] = []
        var places: [String: Int] = [:]
        for result in results where result.isKept || result.isBroken || result.isInvalid {
            for name in result.scenario.states {
                let place = places[name] ?? states.count
                if place == states.count { states.append(StateCount(name, 0)) }
                places[name] = place
                if result.reached.contains(name) { states[place].count += 1 }
            }
        }
        return states
    }
}

extension TestReport.Entry {
    /// One scenario; a broken one that was recorded has its timeline and the last frames.
    public init(_ result: ScenarioResult) {
        let scenario = result.scenario
        self.init(
            kind: .scenario, id: scenario.path, group: scenario.story.rawValue, title: scenario.name, verdict: .kept)
        explanation = scenario.summary
        tags = scenario.tags.map(\.description).sorted()
        repeatCommand = result.repeatCommand
        effects = result.faults.map(\.text)
        switch result.verdict {
        case .kept: break
        case .notRun(let reason): verdict = .notRun(reason)
        case .couldNotRun(let reason): verdict = .couldNotRun(reason)
        case .invalid(let reasons): verdict = .invalid(reasons)
        case .broken(let failure):
            verdict = .broken(failure.lines(result))
            let story = ScenarioStory(result)
            transcript = story.transcript
            timeline = story.timeline
            frames = story.frames
        }
    }

    /// One scenario with many seeds; the first broken one that was made small is printed in full.
    init(_ result: SoakResult) {
        self.init(kind: .scenario, id: result.path, group: "Soak", title: result.name, verdict: .kept)
        let count = result.played.counted("seed")
        explanation = "\(count), \(result.kept) kept, \(result.failures.count) broken."
        let faults = result.faults
        if faults.begun > 0 { effects = ["\(faults.fired) of \(faults.begun.counted("fault")) took effect"] }
        seconds = result.elapsed / .seconds(1)
        if let first = result.failures.first {
            let others = result.failures.dropFirst().map { "also seed \($0.seed): \($0.failure.sentence)" }
            verdict = .broken(others + ["seed      \(first.seed)"] + first.failure.lines())
            repeatCommand = result.program.playing(result.name, seed: first.seed)
            if let shrunk = result.shrunk.first(where: { $0.seed == first.seed }) { tell(shrunk, others: others) }
        } else if let problem = result.problems.first {
            verdict = .couldNotRun("seed \(problem.seed): \(problem.reason)")
            repeatCommand = result.program.playing(result.name, seed: problem.seed)
        } else if let first = result.invalid.first {
            let others = result.invalid.dropFirst().map { "also seed \($0.seed)" }
            verdict = .invalid(first.reasons.map { "seed \(first.seed): " + $0 } + others)
            repeatCommand = result.program.playing(result.name, seed: first.seed)
        } else if result.played == result.notRun {
            verdict = .notRun("no seed could be played here")
        }
    }

    private mutating func tell(_ shrunk: ShrunkFailure, others: [String]) {
        let script = shrunk.outcome.scenario.text.split(separator: "\n").map { "          " + $0 }
        verdict = .broken(
            others + ["seed      \(shrunk.seed), \(shrunk.summary)"]
                + ["script    " + script.joined(separator: "\n").trimmed]
                + shrunk.outcome.failure.lines(shrunk.result))
        repeatCommand = shrunk.repeatCommand
        let story = ScenarioStory(shrunk.result)
        (transcript, timeline, frames) = (story.transcript, story.timeline, story.frames)
    }
}

extension EventLog.Failure {
    /// The lines of a report, with what a run of it knows beside; the last one is the shortest.
    func lines(_ result: ScenarioResult? = nil) -> [String] {
        let place = result.map { "in        \($0.place)" }
        let fates = details + (result.map { TextFates($0).lines } ?? [])
        let mark = result?.provenance.map { "mark      " + $0 }
        return ["at        \(TimelineDrawing.words(.start + TimeSpan(time)))"] + [place, mark].compactMap(\.self)
            + ["expected  " + sentence] + fates.map { "seen      " + $0 } + ["got       " + reason]
    }
}
