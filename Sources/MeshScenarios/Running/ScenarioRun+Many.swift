public import MeshBoards
public import MeshTime

extension ScenarioRun {
    /// Plays scenarios on a target, several at the same time where time is real; results come in the order of the
    /// scenarios.
    ///
    /// - Parameter prepare: how each is played.
    public static func results(
        of scenarios: [Scenario], seed: Seed, on target: Target, jobs: Int,
        prepare: @escaping @Sendable (inout ScenarioRun) -> Void = { _ in }
    ) -> AsyncStream<ScenarioResult> {
        let (stream, continuation) = AsyncStream.makeStream(of: ScenarioResult.self)
        let side = target.isRepeatable ? 1 : max(1, jobs)
        let task = Task(name: "scenarios") {
            await withTaskGroup(of: (Int, ScenarioResult).self) { group in
                var begun = 0
                var told = 0
                var waiting: [Int: ScenarioResult] = [:]
                func begin() {
                    guard begun < scenarios.count, !Task.isCancelled else { return }
                    let number = begun
                    var run = ScenarioRun(scenarios[number], seed: seed)
                    prepare(&run)
                    begun += 1
                    group.addTask { [run] in (number, await run.decided(on: target)) }
                }
                for _ in 0..<side { begin() }
                while let (number, result) = await group.next() {
                    waiting[number] = result
                    while let next = waiting.removeValue(forKey: told) {
                        continuation.yield(next)
                        told += 1
                    }
                    begin()
                }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    /// On a target, and again where a clock that was made to run fast may have decided.
    ///
    /// Apps behind real links of this machine live several times as fast as the wall clock, and the machine does not.
    /// Five of their seconds leave a quarter of one for its other work. A scenario that breaks there is played once
    /// more, slower, and that verdict counts.
    func decided(on target: Target) async -> ScenarioResult {
        await decided(on: target) { await $0.on(target) }
    }

    /// The same for any way to play.
    package func decided(
        on target: Target, playing play: (ScenarioRun) async -> ScenarioResult
    ) async -> ScenarioResult {
        let result = await play(self)
        guard case .wired = target.place, speed > 1 else { return result }
        switch result.verdict {
        case .kept, .notRun: return result
        case .broken, .couldNotRun, .invalid:
            var slower = self
            slower.speed = max(1, speed / 5)
            return await play(slower)
        }
    }
}
