import MeshFiles
import MeshTime

/// Plays a scenario with many seeds, on several threads, and returns failures and reached states.
///
/// The result does not depend on the number of threads. Seeds count in their order, up to the one at which the soak
/// stops.
public struct Soak: Sendable {
    /// The scenario that is played from many seeds.
    public let source: ScenarioSource
    /// The seeds to play, both ends included.
    public var seeds: ClosedRange<UInt64>
    /// Threads; each plays one seed at a time.
    public var jobs = 1
    /// The soak stops with the so many-th broken seed.
    public var failureLimit = 1
    /// Begins no seed after this long; `nil` plays all.
    public var timeLimit: Duration?
    /// Prepares the run of each seed; a test may change it.
    public var prepare: @Sendable (inout ScenarioRun) -> Void = { _ in }

    public init(_ source: ScenarioSource, seeds: ClosedRange<UInt64>) {
        self.source = source
        self.seeds = seeds
    }

    /// One run as the soak plays it.
    public func run(of seed: UInt64) -> ScenarioRun {
        var run = ScenarioRun(source.scenario(of: Seed(seed)), seed: Seed(seed))
        prepare(&run)
        return run
    }

    /// Plays.
    ///
    /// It blocks the calling thread, which must not be one of the cooperative pool.
    ///
    /// - Parameter progress: receives, after each seed in order, the numbers of finished and of broken seeds.
    public func perform(progress: (_ played: Int, _ broken: Int) -> Void = { _, _ in }) -> SoakResult {
        let clock = ContinuousClock()
        let start = clock.now
        let desk = SoakDesk(seeds: seeds)
        let end = timeLimit.map { start + $0 }
        for _ in 0..<max(1, jobs) {
            desk.enter()
            SystemThread.start {
                while let seed = desk.next() {
                    if let end, clock.now >= end { desk.stop(before: seed) } else { desk.put(play(seed), of: seed) }
                }
                desk.leave()
            }
        }
        var result = SoakResult(name: source.name, path: source.path, states: states)
        for seed in seeds {
            guard let outcome = desk.take(seed) else { break }
            result.add(outcome, seed: seed)
            progress(result.played, result.failures.count)
            if result.failures.count + result.problems.count >= failureLimit { break }
        }
        desk.stop(before: seeds.lowerBound)
        desk.waitForAll()
        result.elapsed = clock.now - start
        return result
    }

    private func play(_ seed: UInt64) -> SoakResult.Outcome {
        let result = run(of: seed).onVirtualTime()
        return SoakResult.Outcome(
            verdict: result.verdict, reached: result.reached, scenario: result.scenario,
            faults: result.faults)
    }

    /// The states that a scenario of the source asks for. What only some seeds ask for is learnt as they are played.
    private var states: [String] { source.scenario(of: Seed(seeds.lowerBound)).states }
}

extension Scenario {
    /// The sentences that it asks for with `sometimes`, in the order of the rules.
    public var states: [String] {
        rules.compactMap { if case .sometimes(let expectation) = $0 { expectation.sentence } else { nil } }
    }
}
