import MeshSimulator
import MeshTime

/// Walks a script, and looks at the rules beside it.
struct Playwright: Sendable {
    let stage: Stage
    let run: ScenarioRun

    /// Something that does not hold, said already in the diary.
    struct Broken: Error {}

    func perform() async throws {
        stage.beginScript()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await watch() }
            for case .when(let checker, let steps) in stage.scenario.script {
                group.addTask { try await armed(checker, steps) }
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
            if stage.diary.failure != nil { throw Broken() }
            // A trouble is entered where it begins, as it ends later.
            if !step.isTrouble { stage.diary.add(.step(step.sentence), at: stage.time) }
            try await take(step)
        }
    }

    private func take(_ step: Step) async throws {
        switch step {
        case .does(let doer): try await does(doer)
        case .expects(let checker, let span): try await expect(checker, within: span)
        case .stays(let checker, let span): try await stays(checker, for: span)
        case .waits(let span): try await stage.sleep(span)
        case .trouble(let trouble, let span): try await begin(trouble, for: span)
        case .at(let moment, let steps):
            let wait = moment - stage.scriptTime
            if wait > .zero { try await stage.sleep(wait) }
            try await walk(steps)
        case .when(let checker, let steps): try await armed(checker, steps)
        case .meanwhile(let steps):
            try await withThrowingTaskGroup(of: Void.self) { group in
                for step in steps { group.addTask { try await walk([step]) } }
                try await group.waitForAll()
            }
        }
    }

    private func does(_ doer: any Doer) async throws {
        do {
            try await doer.perform(on: stage)
        } catch let error as CancellationError {
            throw error
        } catch {
            try broken(doer.sentence, "\(error)")
        }
    }

    private func begin(_ trouble: any Trouble, for span: Duration?) async throws {
        stage.diary.add(.trouble(trouble.sentence, begins: true), at: stage.time)
        do { try await trouble.begin(on: stage) } catch { try broken(trouble.sentence, "\(error)") }
        guard let span else { return }
        stage.later(span, "the end of: " + trouble.sentence) { stage in
            stage.diary.add(.trouble(trouble.sentence, begins: false), at: stage.time)
            try await trouble.end(on: stage)
        }
    }

    private func expect(_ checker: any Checker, within span: Duration) async throws {
        let deadline = stage.time + span
        while true {
            let sight = await look(checker)
            guard case .holdsNot(let reason) = sight else {
                return stage.diary.add(.cameTrue(checker.sentence), at: stage.time)
            }
            if stage.diary.failure != nil { throw Broken() }
            guard stage.time < deadline else {
                return try await broken(checker, "within \(span.text): \(checker.sentence)", reason)
            }
            try await stage.sleep(min(ScenarioRun.lookInterval, deadline - stage.time))
        }
    }

    private func stays(_ checker: any Checker, for span: Duration) async throws {
        let deadline = stage.time + span
        while true {
            if case .holdsNot(let reason) = await look(checker) {
                return try await broken(checker, "for \(span.text): \(checker.sentence)", reason)
            }
            if stage.diary.failure != nil { throw Broken() }
            guard stage.time < deadline else {
                return stage.diary.add(.cameTrue(checker.sentence), at: stage.time)
            }
            try await stage.sleep(min(ScenarioRun.watchInterval, deadline - stage.time))
        }
    }

    private func armed(_ checker: any Checker, _ steps: [Step]) async throws {
        while await !look(checker).isTrue { try await stage.sleep(ScenarioRun.lookInterval) }
        stage.diary.add(.cameTrue(checker.sentence), at: stage.time)
        try await walk(steps)
    }

    /// What cannot be looked at does not hold.
    private func look(_ checker: any Checker) async -> Sight {
        do { return try await checker.look(at: stage) } catch { return .holdsNot("\(error)") }
    }

    private func broken(_ sentence: String, _ reason: String) throws {
        stage.diary.fail(sentence, reason, at: stage.time)
        throw Broken()
    }

    private func broken(_ checker: any Checker, _ sentence: String, _ reason: String) async throws {
        let failure = await stage.failure(of: checker, sentence, reason)
        stage.diary.fail(failure)
        throw Broken()
    }

    // MARK: Rules

    private func watch() async throws {
        while true {
            try await lookAtRules()
            try await stage.sleep(ScenarioRun.watchInterval)
        }
    }

    private func lookAtRules() async throws {
        // Also when nothing is kept: see `StageBuilder`.
        if let records = try? await stage.withWorld({ $0.takeTrace() }) {
            stage.diary.add(records)
        }
        for rule in stage.scenario.rules {
            switch rule {
            case .always(let checker): try await mustHold(checker, rule.sentence)
            case .never(let checker):
                if await look(checker).isTrue { try await broken(checker, rule.sentence, "it is so now") }
            case .sometimes(let checker):
                if !stage.diary.reached.contains(checker.sentence), await look(checker).isTrue {
                    stage.diary.reach(checker.sentence, at: stage.time)
                }
            case .eventually: break
            }
        }
        for checker in run.invariants where stage.mesh.abilities.isSuperset(of: checker.needs) {
            try await mustHold(checker, checker.sentence)
        }
    }

    private func mustHold(_ checker: any Checker, _ sentence: String) async throws {
        guard case .holdsNot(let reason) = await look(checker), !Task.isCancelled else { return }
        try await broken(checker, sentence, reason)
    }

    private func lookAtTheEnd() async throws {
        try await lookAtRules()
        for case .eventually(let checker) in stage.scenario.rules {
            try await mustHold(checker, "in the end: " + checker.sentence)
        }
    }
}

extension Step {
    fileprivate var isTrouble: Bool { if case .trouble = self { true } else { false } }

    /// Whether it goes on beside the script.
    fileprivate var isBeside: Bool {
        switch self {
        case .at, .when: true
        case .does, .expects, .stays, .waits, .trouble, .meanwhile: false
        }
    }
}
