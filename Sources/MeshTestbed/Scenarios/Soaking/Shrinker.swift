public import MeshTime

/// Makes a broken scenario as small as it can be while the same sentence is broken.
///
/// Delta debugging (Zeller, Hildebrandt 2002): parts of the scenario are left out, in halves, quarters and so on down to
/// single items, and stay left out while it still breaks; first rules and nodes, then lines, then links. In the end
/// losses are taken away and times shortened. The effort is bounded, and the result is the smallest that was seen.
public struct Shrinker: Sendable {
    /// A scenario that cannot be made smaller, or not within the effort.
    public struct Outcome: Sendable {
        /// What is left out of the whole scenario, in the order of kinds and numbers.
        public var items: [ScenarioItem]
        public var scenario: Scenario
        public var failure: Diary.Failure
        /// Runs that it took.
        public var runs: Int
    }

    public let scenario: Scenario
    public let seed: Seed
    /// Runs at most.
    public var effort = 600
    /// How each attempt is played; as the soak did that found the failure.
    public var prepare: @Sendable (inout ScenarioRun) -> Void = { _ in }

    private var left: Set<ScenarioItem> = []
    private var runs = 0
    private var failure: Diary.Failure

    public init(_ scenario: Scenario, seed: Seed, failure: Diary.Failure) {
        self.scenario = scenario
        self.seed = seed
        self.failure = failure
    }

    /// Shrinks. It blocks the calling thread.
    public mutating func perform() -> Outcome {
        // States are counted, and break nothing.
        attempt(Set(scenario.rules.indices.filter { scenario.rules[$0].isState }.map(ScenarioItem.rule)))
        var before = -1
        while before != left.count, runs < effort {
            before = left.count
            leaveOut(scenario.cast.indices.map(ScenarioItem.node))
            leaveOut(scenario.cast.indices.filter { !scenario.cast[$0].isPerson }.map(ScenarioItem.bypass))
            leaveOut(scenario.lines.indices.map(ScenarioItem.step))
            leaveOut(scenario.acquaintances.indices.map(ScenarioItem.acquaintance))
            leaveOut(scenario.links.indices.map(ScenarioItem.link))
            leaveOut(scenario.rules.indices.map(ScenarioItem.rule))
        }
        leaveOut(scenario.links.indices.filter { scenario.links[$0].loss > 0 }.map(ScenarioItem.loss))
        shorten()
        return Outcome(
            items: left.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }, scenario: scenario.without(left),
            failure: failure, runs: runs)
    }

    /// Whether it still breaks with these left out too; if so, they stay out.
    @discardableResult
    private mutating func attempt(_ items: Set<ScenarioItem>) -> Bool {
        let all = left.union(items)
        guard runs < effort, all != left else { return false }
        runs += 1
        var run = ScenarioRun(scenario.without(all), seed: seed)
        prepare(&run)
        guard case .broken(let found) = run.onVirtualTime().verdict, found.sentence == failure.sentence else {
            return false
        }
        left = all
        failure = found
        return true
    }

    private mutating func leaveOut(_ candidates: [ScenarioItem]) {
        var open = candidates.filter(isThere)
        var size = (open.count + 1) / 2
        while size >= 1, !open.isEmpty {
            var index = 0
            while index < open.count {
                let part = open[index..<min(index + size, open.count)]
                if attempt(Set(part)) { open.removeSubrange(part.indices) } else { index += size }
            }
            if size == 1 { break }
            size = (size + 1) / 2
        }
    }

    private mutating func shorten() {
        let lines = scenario.lines
        for index in lines.indices where lines[index].hasLength && isThere(.step(index)) {
            for divisor in [64, 8, 2] where attempt([.length(step: index, divisor: divisor)]) { break }
        }
    }

    /// Whether leaving it out would change anything.
    private func isThere(_ item: ScenarioItem) -> Bool {
        if left.contains(item) { return false }
        let now = scenario.without(left)
        let then = scenario.without(left.union([item]))
        return now.size != then.size || now.links != then.links
    }
}

extension Scenario {
    /// How much there is of it.
    fileprivate var size: [Int] { [cast.count, links.count, acquaintances.count, rules.count, lines.count] }
}

extension Rule {
    fileprivate var isState: Bool { if case .sometimes = self { true } else { false } }
}

extension ScenarioItem {
    fileprivate var rank: Int {
        switch self {
        case .node: 0
        case .bypass: 1
        case .link: 2
        case .acquaintance: 3
        case .rule: 4
        case .step: 5
        case .loss: 6
        case .length: 7
        }
    }

    fileprivate var place: Int {
        switch self {
        case .node(let place), .bypass(let place), .link(let place), .acquaintance(let place), .rule(let place),
            .step(let place),
            .loss(let place), .length(let place, _):
            place
        }
    }
}
