public import MeshTime

/// Makes a broken scenario as small as it can be while the same sentence is broken for the same reason.
///
/// The reason is the same where all actions were done that the expectation depends on, and its people still know and
/// reach each other. Without that it would break whatever else is left out.
///
/// Delta debugging (Zeller, Hildebrandt 2002): all parts of a kind are left out, then halves, quarters, and so on to
/// single items. They stay out while it still breaks: nodes, lines, links, their losses, until nothing helps any more.
/// Leaving out a part changes which frames are lost, so a node that cannot go is tried with other random numbers. In
/// the end times are shortened. The effort is bounded, and the result is the smallest that was seen.
public struct Shrinker: Sendable {
    /// A scenario that cannot be made smaller, or not within the effort.
    public struct Outcome: Sendable {
        /// The items left out of the whole scenario, in the order of kinds and numbers.
        public var items: [ScenarioItem]
        /// The scenario that remains.
        public var scenario: Scenario
        /// The failure of the scenario that remains.
        public var failure: EventLog.Failure
        /// Runs that it needed.
        public var runs: Int
    }

    /// The whole scenario.
    public let scenario: Scenario
    /// The seed that repeats the run.
    public let seed: Seed
    /// Runs at most.
    public var effort = 600
    /// Prepares each attempt; the soak that found the failure passes its own.
    public var prepare: @Sendable (inout ScenarioRun) -> Void = { _ in }

    private var left: Set<ScenarioItem> = []
    private var runs = 0
    private var failure: EventLog.Failure
    /// The subjects that the failure depends on in the whole scenario.
    private let basis: Set<Subject>
    private let ties: Scenario.Ties

    /// A shrinker for a scenario that is broken from this seed.
    public init(_ scenario: Scenario, seed: Seed, failure: EventLog.Failure) {
        self.scenario = scenario
        self.seed = seed
        self.failure = failure
        basis = Set(failure.basis)
        ties = scenario.ties(among: failure.people)
    }

    /// The number of further random streams that are tried for a node that cannot be left out otherwise.
    private static let randomStreams = 4

    /// Shrinks. It blocks the calling thread.
    public mutating func perform() -> Outcome {
        // States are counted, and break nothing.
        attempt(Set(scenario.rules.indices.filter { scenario.rules[$0].isState }.map(ScenarioItem.rule)))
        let relays = scenario.cast.indices.filter { !scenario.cast[$0].isPerson }
        let lossy = scenario.links.indices.filter { scenario.links[$0].loss > 0 }
        var isSmaller = true
        while isSmaller, runs < effort {
            let before = left
            leaveOut(scenario.lines.indices.map(ScenarioItem.step))
            leaveOut(scenario.cast.indices.map(ScenarioItem.node), randomStreams: Self.randomStreams)
            leaveOut(relays.map(ScenarioItem.bypass), randomStreams: Self.randomStreams)
            leaveOut(lossy.map(ScenarioItem.loss))
            leaveOut(scenario.links.indices.map(ScenarioItem.link))
            leaveOut(scenario.knownContacts.indices.map(ScenarioItem.knownContact))
            leaveOut(scenario.rules.indices.map(ScenarioItem.rule))
            isSmaller = left != before
        }
        shorten()
        return Outcome(
            items: left.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }, scenario: scenario.without(left),
            failure: failure, runs: runs)
    }

    /// Tells whether it still breaks with these left out too; if so, they stay out.
    @discardableResult
    private mutating func attempt(_ items: Set<ScenarioItem>, randomStreams: Int = 0) -> Bool {
        guard !items.isSubset(of: left) else { return false }
        for number in 0...randomStreams {
            var all = left.union(items)
            if number > 0 {
                // Lucks that were tried already have failed with as little left out.
                let last = left.compactMap(\.random).max() ?? 0
                all = all.filter { $0.random == nil }.union([.random(last + number)])
            }
            if breaks(all) { return true }
        }
        return false
    }

    private mutating func breaks(_ all: Set<ScenarioItem>) -> Bool {
        guard runs < effort else { return false }
        let smaller = scenario.without(all)
        guard smaller.has(ties) else { return false }
        runs += 1
        var run = ScenarioRun(smaller, seed: seed)
        prepare(&run)
        guard case .broken(let found) = run.onVirtualTime().verdict, isSame(found) else { return false }
        left = all
        failure = found
        return true
    }

    /// Tells whether it is the same sentence, and all was done on which it depends.
    private func isSame(_ found: EventLog.Failure) -> Bool {
        found.sentence == failure.sentence && basis.isSubset(of: found.basis)
    }

    /// Leaves out as many as can be: all at once, then in halves and so on. Single ones get other random streams.
    private mutating func leaveOut(_ candidates: [ScenarioItem], randomStreams: Int = 0) {
        var open = candidates.filter(isThere)
        var size = open.count
        while size >= 1, !open.isEmpty {
            var index = 0
            while index < open.count {
                let part = open[index..<min(index + size, open.count)]
                if attempt(Set(part), randomStreams: size == 1 ? randomStreams : 0) {
                    open.removeSubrange(part.indices)
                } else {
                    index += size
                }
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

    /// Tells whether leaving it out would change anything.
    private func isThere(_ item: ScenarioItem) -> Bool {
        if left.contains(item) { return false }
        let now = scenario.without(left)
        let then = scenario.without(left.union([item]))
        return now.size != then.size || now.links != then.links
    }
}

extension Scenario {
    /// The counts of its parts, by which two scenarios are compared.
    fileprivate var size: [Int] { [cast.count, links.count, knownContacts.count, rules.count, lines.count] }
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
        case .knownContact: 3
        case .rule: 4
        case .step: 5
        case .loss: 6
        case .length: 7
        case .random: 8
        }
    }

    fileprivate var random: Int? { if case .random(let number) = self { number } else { nil } }

    fileprivate var place: Int {
        switch self {
        case .node(let place), .bypass(let place), .link(let place), .knownContact(let place), .rule(let place),
            .step(let place), .loss(let place), .length(let place, _), .random(let place):
            place
        }
    }
}
