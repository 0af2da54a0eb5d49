// Many nodes at once.

/// Expects a number of people of a crowd to have a text.
public struct CrowdHas: Expectation {
    let crowd: [Member]
    let text: String
    let amount: Amount

    public var sentence: String { "\(amount.text("person")) of \(crowd.count) has “\(text)”" }
    public var cast: [Member] { crowd }
    public var subjects: [Subject] { [.text(text)] }

    public func look(at stage: Stage) async throws -> Observation {
        var without: [String] = []
        for member in crowd {
            let messages = try await stage.app(of: member).messages()
            if !messages.contains(where: { $0.isReceived && $0.text == text }) { without.append(member.name) }
        }
        return Observation(
            amount.fits(crowd.count - without.count), otherwise: "without it: " + without.joined(separator: ", "))
    }
}

extension Array where Element == Person {
    /// People with bare sessions: `bird-1`, `bird-2`, …
    public static func clients(
        _ name: String, _ count: Int, _ change: (inout StationSettings) -> Void = { _ in }
    ) -> [Person] {
        (1...count).map { .client("\(name)-\($0)", change) }
    }

    /// People with whole stacks.
    public static func stacks(
        _ name: String, _ count: Int, preset: StackChoices.Preset = .architectureV2
    ) -> [Person] {
        (1...count).map { .stack("\(name)-\($0)", preset: preset) }
    }

    /// Each of them has the text.
    public func allHave(_ text: String) -> CrowdHas { have(text, .exactly(count)) }

    /// Expects a number of them to have the text.
    public func have(_ text: String, _ amount: Amount) -> CrowdHas {
        CrowdHas(crowd: map(\.member), text: text, amount: amount)
    }

    /// Makes all of them join the channel.
    public func join(_ channel: ChannelWord) -> [Step] { map { .does($0.joins(channel)) } }
}

extension Array where Element == Repeater {
    /// Repeaters in a row: `hill-1`, `hill-2`, …
    public static func row(_ name: String, _ count: Int) -> [Repeater] {
        (1...count).map { Repeater("\(name)-\($0)") }
    }
}

/// Each node hears the next one, and no other.
public func chain(_ nodes: [any Node], loss: Double = 0) -> [RadioRange] {
    zip(nodes, nodes.dropFirst()).map { RadioRange(one: $0.member, other: $1.member, snr: 10, loss: loss) }
}

/// Links among all of these nodes.
public func together(_ nodes: [any Node], loss: Double = 0) -> [RadioRange] {
    nodes.indices.flatMap { one in
        nodes.indices.dropFirst(one + 1).map { other in
            RadioRange(one: nodes[one].member, other: nodes[other].member, snr: 10, loss: loss)
        }
    }
}

/// Streets and avenues: in rows of `columns`, each node hears its neighbours to the left, right, front and back.
public func grid(_ nodes: [any Node], columns: Int, loss: Double = 0) -> [RadioRange] {
    nodes.indices.flatMap { index in
        var neighbours: [Int] = []
        if (index + 1) % columns != 0 { neighbours.append(index + 1) }
        neighbours.append(index + columns)
        return neighbours.filter(nodes.indices.contains).map {
            RadioRange(one: nodes[index].member, other: nodes[$0].member, snr: 10, loss: loss)
        }
    }
}

/// All of them hear the one in the middle, and nobody else.
public func around(_ middle: some Node, _ nodes: [any Node], loss: Double = 0) -> [RadioRange] {
    nodes.map { RadioRange(one: middle.member, other: $0.member, snr: 10, loss: loss) }
}
