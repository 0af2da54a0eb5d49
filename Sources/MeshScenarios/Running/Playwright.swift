import MeshSimulator
import MeshTime

/// Walks a script, and looks at the rules beside it.
struct Playwright: Sendable {
    let stage: Stage
    let run: ScenarioRun

    /// An expectation that does not hold, and is in the event log already.
    struct Broken: Error {}

    func perform() async throws {
        stage.beginScript()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await watch() }
            for step in stage.scenario.script {
                guard case .when(let expectation, let steps) = step else { continue }
                group.addTask { try await armed(step, expectation, steps) }
            }
            // What is awaited: the script itself and what has a time of its own.
            try await withThrowingTaskGroup(of: Void.self) { script in
                script.addTask { try await walk(stage.scenario.script.filter { !$0.isBeside }) }
                for case .at(let moment, let steps) in stage.scenario.script {
                    script.addTask {
                        let wait = moment - stage.scriptTime
                        if wait > .zero { try await stage.sleep(wait) }
                        try await walk(steps)
                    }
                }
                try await script.waitForAll()
            }
            group.cancelAll()
            while let result = await group.nextResult() {
                guard case .failure(let error) = result, !(error is CancellationError) else { continue }
                throw error
            }
        }
        try await lookAtTheEnd()
    }

    // MARK: Steps

    private func walk(_ steps: [Step]) async throws {
        for step in steps {
            if stage.eventLog.failure != nil { throw Broken() }
            // A fault is entered where it begins, as it ends later.
            if !step.isFault { stage.eventLog.add(.step(step.sentence), at: stage.time) }
            try await take(step)
        }
    }

    private func take(_ step: Step) async throws {
        switch step {
        case .does(let action): try await does(action)
        case .expects(let expectation, let span): try await expect(expectation, within: span)
        case .stays(let expectation, let span): try await stays(expectation, for: span)
        case .waits(let span): try await stage.sleep(span)
        case .fault(let fault, let span): try await begin(fault, for: span)
        case .at(let moment, let steps):
            let wait = moment - stage.scriptTime
            if wait > .zero { try await stage.sleep(wait) }
            try await walk(steps)
        case .when(let expectation, let steps): try await armed(step, expectation, steps)
        case .meanwhile(let steps):
            try await withThrowingTaskGroup(of: Void.self) { group in
                for step in steps { group.addTask { try await walk([step]) } }
                try await group.waitForAll()
            }
        }
    }

    private func does(_ action: any Action) async throws {
        do {
            try await action.perform(on: stage)
        } catch let error as CancellationError {
            throw error
        } catch {
            try broken(action.sentence, "\(error)")
        }
    }

    private func begin(_ fault: any ScenarioFault, for span: Duration?) async throws {
        stage.eventLog.add(.fault(fault.sentence, begins: true), at: stage.time)
        do {
            if let fault = fault as? any CountedFault {
                let time = stage.time
                stage.proofs.note(fault, try await fault.start(on: stage), at: time)
            } else {
                try await fault.begin(on: stage)
            }
        } catch {
            try broken(fault.sentence, "\(error)")
        }
        guard let span else { return }
        stage.later(span, "the end of: " + fault.sentence) { stage in
            stage.eventLog.add(.fault(fault.sentence, begins: false), at: stage.time)
            try await fault.end(on: stage)
        }
    }

    private func expect(_ expectation: any Expectation, within span: Duration) async throws {
        let deadline = stage.time + span
        while true {
            let observation = await look(expectation)
            guard case .holdsNot(let reason) = observation else {
                noteLack(of: expectation)
                return stage.eventLog.add(.cameTrue(expectation.sentence), at: stage.time)
            }
            if stage.eventLog.failure != nil { throw Broken() }
            guard stage.time < deadline else {
                return try await broken(expectation, "within \(span.text): \(expectation.sentence)", reason)
            }
            try await stage.sleep(min(ScenarioRun.lookInterval, deadline - stage.time))
        }
    }

    private func stays(_ expectation: any Expectation, for span: Duration) async throws {
        let deadline = stage.time + span
        while true {
            if case .holdsNot(let reason) = await look(expectation) {
                return try await broken(expectation, "for \(span.text): \(expectation.sentence)", reason)
            }
            if stage.eventLog.failure != nil { throw Broken() }
            guard stage.time < deadline else {
                noteLack(of: expectation)
                return stage.eventLog.add(.cameTrue(expectation.sentence), at: stage.time)
            }
            try await stage.sleep(min(ScenarioRun.watchInterval, deadline - stage.time))
        }
    }

    private func armed(_ step: Step, _ expectation: any Expectation, _ steps: [Step]) async throws {
        while await !look(expectation).isTrue { try await stage.sleep(ScenarioRun.lookInterval) }
        stage.proofs.came(step.sentence)
        stage.eventLog.add(.cameTrue(expectation.sentence), at: stage.time)
        try await walk(steps)
    }

    /// Remembers a line that something is not so which could not have been so.
    private func noteLack(of expectation: any Expectation) {
        guard expectation is any NegatedExpectation, let reason = expectation.missingOccasion(on: stage) else { return }
        stage.proofs.lack(expectation.sentence, reason)
    }

    /// Looks at an expectation; one that cannot be looked at does not hold.
    private func look(_ expectation: any Expectation) async -> Observation {
        do { return try await expectation.look(at: stage) } catch { return .holdsNot("\(error)") }
    }

    private func broken(_ sentence: String, _ reason: String) throws {
        stage.eventLog.fail(sentence, reason, at: stage.time)
        throw Broken()
    }

    private func broken(_ expectation: any Expectation, _ sentence: String, _ reason: String) async throws {
        let failure = await stage.failure(of: expectation, sentence, reason)
        stage.eventLog.fail(failure)
        throw Broken()
    }

    // MARK: Rules

    private func watch() async throws {
        while true {
            try await lookAtRules()
            try await stage.sleep(
                stage.scenario.tags.contains(.long) ? ScenarioRun.longWatchInterval : ScenarioRun.watchInterval)
        }
    }

    private func lookAtRules() async throws {
        // Also when nothing is kept: see `StageBuilder`.
        if let records = try? await stage.withWorld({ $0.takeTrace() }) {
            stage.eventLog.add(records)
        }
        for rule in stage.scenario.rules {
            switch rule {
            case .always(let expectation):
                try await mustHold(expectation, rule.sentence)
                stage.proofs.looked(at: rule.sentence)
            case .never(let expectation):
                if await isSo(expectation, rule.sentence) {
                    try await broken(expectation, rule.sentence, "it is so now")
                }
            case .sometimes(let expectation):
                if !stage.eventLog.reached.contains(expectation.sentence), await look(expectation).isTrue {
                    stage.eventLog.reach(expectation.sentence, at: stage.time)
                }
            case .eventually: break
            }
        }
        for expectation in run.invariants where stage.mesh.abilities.isSuperset(of: expectation.needs) {
            try await mustHold(expectation, expectation.sentence)
        }
    }

    /// Looks at what must never be so, and remembers whether the look gave an answer.
    private func isSo(_ expectation: any Expectation, _ sentence: String) async -> Bool {
        do {
            let observation = try await expectation.look(at: stage)
            stage.proofs.looked(at: sentence)
            return observation.isTrue
        } catch {
            stage.proofs.failed(at: sentence, "\(error)")
            return false
        }
    }

    private func mustHold(_ expectation: any Expectation, _ sentence: String) async throws {
        guard case .holdsNot(let reason) = await look(expectation), !Task.isCancelled else { return }
        try await broken(expectation, sentence, reason)
    }

    private func lookAtTheEnd() async throws {
        try await lookAtRules()
        for case .eventually(let expectation) in stage.scenario.rules {
            try await mustHold(expectation, "in the end: " + expectation.sentence)
        }
    }
}

extension Step {
    fileprivate var isFault: Bool { if case .fault = self { true } else { false } }

    /// Tells whether it goes on beside the script.
    fileprivate var isBeside: Bool {
        switch self {
        case .at, .when: true
        case .does, .expects, .stays, .waits, .fault, .meanwhile: false
        }
    }
}
