/// A part of a scenario that can be left out or made smaller, by its place in the whole scenario.
///
/// Its name is one character and a number, and stays the same whatever else is left out. `n3` is the fourth node of the
/// cast with all that mentions it, `l2` a link, `a0` a known contact. `r1` is a rule, and `s5` a line of the script
/// with its contents. `b3` leaves out a node, and those who heard it hear each other. `c2` is a link that loses nothing
/// any more, and `s5/8` a line that needs an eighth of its time. `w2` is another series of random numbers on the air.
/// Leaving out a part changes which frames are lost, and the same failure may need another series.
public enum ScenarioItem: Hashable, Sendable {
    /// A node of the cast, with all that mentions it.
    case node(Int)
    /// A node in the middle: its neighbours hear each other instead.
    case bypass(Int)
    /// A link between two nodes.
    case link(Int)
    /// A contact that an app has when the scenario begins.
    case knownContact(Int)
    /// A rule for the whole of the scenario.
    case rule(Int)
    /// Lines are counted from top to bottom, those inside of others too.
    case step(Int)
    /// The loss of a link.
    case loss(Int)
    /// A line of the script that lasts a fraction of its time.
    case length(step: Int, divisor: Int)
    /// Other random numbers on the air, 1 and up.
    case random(Int)
}

extension ScenarioItem: LosslessStringConvertible {
    public var description: String {
        switch self {
        case .node(let index): "n\(index)"
        case .bypass(let index): "b\(index)"
        case .link(let index): "l\(index)"
        case .knownContact(let index): "a\(index)"
        case .rule(let index): "r\(index)"
        case .step(let index): "s\(index)"
        case .loss(let index): "c\(index)"
        case .length(let step, let divisor): "s\(step)/\(divisor)"
        case .random(let number): "w\(number)"
        }
    }

    public init?(_ description: String) {
        let parts = description.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard let kind = description.first, let first = parts.first ?? nil, first >= 0 else { return nil }
        if parts.count == 2, kind == "s", let divisor = parts[1], divisor > 1 {
            self = .length(step: first, divisor: divisor)
            return
        }
        guard parts.count == 1 else { return nil }
        switch kind {
        case "n": self = .node(first)
        case "b": self = .bypass(first)
        case "l": self = .link(first)
        case "a": self = .knownContact(first)
        case "r": self = .rule(first)
        case "s": self = .step(first)
        case "c": self = .loss(first)
        case "w" where first > 0: self = .random(first)
        default: return nil
        }
    }
}

extension Scenario {
    /// Tells whether the scenario has such an item.
    public func has(_ item: ScenarioItem) -> Bool {
        switch item {
        case .node(let index), .bypass(let index): cast.indices.contains(index)
        case .link(let index), .loss(let index): links.indices.contains(index)
        case .knownContact(let index): knownContacts.indices.contains(index)
        case .rule(let index): rules.indices.contains(index)
        case .step(let index): lines.indices.contains(index)
        case .length(let index, _): lines.indices.contains(index) && lines[index].hasLength
        case .random(_): true
        }
    }

    /// The scenario with less in it.
    public func without(_ items: some Sequence<ScenarioItem>) -> Scenario {
        let items = Set(items)
        let members = cast
        var gone: Set<String> = []
        for index in members.indices where items.contains(.node(index)) || items.contains(.bypass(index)) {
            gone.insert(members[index].name)
        }

        var smaller = self
        smaller.leftOut = (leftOut + items).sorted { $0.description < $1.description }
        for case .random(let number) in items { smaller.random = max(random, number) }
        smaller.links = links.indices.filter { !items.contains(.link($0)) }.map { index in
            var link = links[index]
            if items.contains(.loss(index)) { link.loss = 0 }
            return link
        }
        for index in members.indices where items.contains(.bypass(index)) {
            smaller.links = Scenario.bypassing(members[index].name, smaller.links)
        }
        smaller.links.removeAll { gone.contains($0.one.name) || gone.contains($0.other.name) }
        smaller.knownContacts = []
        for (index, knownContact) in knownContacts.enumerated() where !items.contains(.knownContact(index)) {
            if gone.contains(knownContact.who.name) || gone.contains(knownContact.whom.name) { continue }
            var knownContact = knownContact
            if let path = knownContact.path, path.contains(where: { gone.contains($0.name) }) {
                knownContact.path = nil
            }
            smaller.knownContacts.append(knownContact)
        }
        smaller.rules = rules.enumerated().filter { index, rule in
            !items.contains(.rule(index)) && !rule.expectation.cast.contains { gone.contains($0.name) }
        }.map(\.element)
        smaller.bridges.removeAll { gone.contains($0.one.name) || gone.contains($0.other.name) }
        smaller.bystanders.removeAll { gone.contains($0.name) }
        var cut = ScriptCut(items: items, gone: gone)
        smaller.script = cut.smaller(script)
        return smaller
    }

    /// Other links in place of those of a node that is left out; what either lost, they lose.
    private static func bypassing(_ name: String, _ links: [RadioRange]) -> [RadioRange] {
        let neighbours = links.compactMap { link in
            link.one.name == name ? (link.other, link.loss) : link.other.name == name ? (link.one, link.loss) : nil
        }
        var rest = links.filter { $0.one.name != name && $0.other.name != name }
        for (index, (one, loss)) in neighbours.enumerated() {
            for (other, otherLoss) in neighbours.dropFirst(index + 1) where one.name != other.name {
                let pair: Set = [one.name, other.name]
                if rest.contains(where: { [$0.one.name, $0.other.name] == pair }) { continue }
                rest.append(one.hears(other, loss: 1 - (1 - loss) * (1 - otherLoss)))
            }
        }
        return rest
    }

    /// The lines of the script, those inside of others too, in the order in which items number them.
    public var lines: [Step] { script.flatMap(\.lines) }

    /// The lines in which an action or a fault begins, or something is expected.
    public var events: [Step] {
        lines.filter { step in
            switch step {
            case .does, .fault, .expects, .stays: true
            case .waits, .at, .when, .meanwhile: false
            }
        }
    }
}

extension Step {
    /// The line, and those in it.
    var lines: [Step] {
        switch self {
        case .at(_, let steps), .when(_, let steps), .meanwhile(let steps): [self] + steps.flatMap(\.lines)
        case .does, .expects, .stays, .waits, .fault: [self]
        }
    }

    /// Tells whether its length may be shortened. An expectation keeps its time, which is part of what must hold.
    var hasLength: Bool {
        switch self {
        case .waits, .at, .fault(_, .some): true
        case .fault(let fault, nil): fault is WorldFault
        case .does, .expects, .stays, .when, .meanwhile: false
        }
    }
}

/// Walks a script and numbers its lines.
private struct ScriptCut {
    let items: Set<ScenarioItem>
    let gone: Set<String>
    private var number = -1

    init(items: Set<ScenarioItem>, gone: Set<String>) {
        self.items = items
        self.gone = gone
    }

    mutating func smaller(_ steps: [Step]) -> [Step] { steps.compactMap { smaller($0) } }

    private mutating func smaller(_ step: Step) -> Step? {
        number += 1
        let mine = number
        let isGone = items.contains(.step(mine))
        let divisor = items.reduce(1) { divisor, item in
            if case .length(mine, let other) = item { max(divisor, other) } else { divisor }
        }
        switch step {
        case .at(let moment, let steps):
            // Lines inside are counted, whatever becomes of them.
            let rest = smaller(steps)
            return isGone || rest.isEmpty ? nil : .at(moment / divisor, rest)
        case .when(let expectation, let steps):
            let rest = smaller(steps)
            return isGone || rest.isEmpty || concernsGone(expectation.cast) ? nil : .when(expectation, rest)
        case .meanwhile(let steps):
            let rest = smaller(steps)
            return isGone || rest.isEmpty ? nil : .meanwhile(rest)
        case .waits(let span): return isGone ? nil : .waits(span / divisor)
        case .fault(let fault, let span):
            guard !isGone, let rest = without(gone, fault) else { return nil }
            guard divisor > 1, let short = rest as? WorldFault else {
                return .fault(rest, lasting: span.map { $0 / divisor })
            }
            return .fault(short.shortened(by: divisor), lasting: span.map { $0 / divisor })
        case .does, .expects, .stays: return isGone || concernsGone(step.cast) ? nil : step
        }
    }

    private func without(_ gone: Set<String>, _ fault: any ScenarioFault) -> (any ScenarioFault)? {
        if let fault = fault as? WorldFault { return fault.without(gone) }
        return concernsGone(fault.cast) ? nil : fault
    }

    private func concernsGone(_ cast: [Member]) -> Bool { cast.contains { gone.contains($0.name) } }
}
