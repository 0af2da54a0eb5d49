public import MeshBoards
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshWire

// What can be seen on the air.

/// Expects a number of frames from a node since the scenario began, relayed ones among them.
public struct HasTransmitted: Expectation {
    let who: Member
    let amount: Amount

    public var sentence: String { "\(who.name) has sent \(amount.text("frame"))" }
    public var cast: [Member] { [who] }
    public let needs = Abilities.air

    public func look(at stage: Stage) async throws -> Observation {
        let isKnown = stage.memory.has(memo)
        let (count, isReached) = try await stage.withWorld { world in
            let node = try world.node(of: who)
            let isReached =
                isKnown
                || world.nodes.contains { other in
                    world.framesSent(by: other) > 0 && world.links[link: other, node] != nil
                }
            return (world.framesSent(by: node), isReached)
        }
        if isReached { stage.memory.note(memo) }
        return Observation(amount.fits(count), otherwise: "it has sent \(count.counted("frame"))")
    }

    /// A node that nothing was sent to, and that was asked for nothing, has nothing to send.
    public func missingOccasion(on stage: Stage) -> String? {
        if stage.memory.has(memo) || stage.actionsDone.contains(where: { $0.cast.contains(who) }) { return nil }
        return "nothing reached \(who.name)"
    }

    private var memo: String { "\(who.name) was reached by a frame" }
}

/// Expects a number of frames lost at a listener because another one was on the air.
public struct HaveCollided: Expectation {
    let amount: Amount

    public var sentence: String { "\(amount.text("frame")) lost in a collision" }
    public let cast: [Member] = []
    public let needs = Abilities.air

    /// Expects this many.
    public init(_ amount: Amount) { self.amount = amount }

    public func look(at stage: Stage) async throws -> Observation {
        let count = try await stage.withWorld { $0.statistics.drops(.collision) }
        return Observation(amount.fits(count), otherwise: "it is \(count.counted("frame"))")
    }
}

/// Frames that were lost because two were on the air at once.
public func collisions(_ amount: Amount) -> HaveCollided { HaveCollided(amount) }

extension Node {
    /// Expects a number of frames from the node, its own and other people's.
    public func hasTransmitted(_ amount: Amount) -> HasTransmitted { HasTransmitted(who: member, amount: amount) }

    /// Does not hear the other any more, and is still heard by it.
    public func doesNotHear(_ other: some Node, for span: Duration? = nil) -> WorldFault {
        let (listener, speaker) = (member, other.member)
        return WorldFault("\(listener.name) does not hear \(speaker.name)", [listener, speaker], for: span) {
            .link(from: try $0.node(of: speaker), to: try $0.node(of: listener), nil)
        }
    }

    /// Hears the other as well as anybody, and is heard by it; a fine day, a new antenna.
    public func isInRadioRange(of other: some Node, for span: Duration? = nil) -> Steps {
        let (one, two) = (member, other.member)
        let ways = [(one, two), (two, one)].map { from, to in
            WorldFault("\(to.name) hears \(from.name)", [from, to], for: span) {
                .link(from: try $0.node(of: from), to: try $0.node(of: to), AirLink(one.hears(two)))
            }
        }
        return ways.map { .fault($0, lasting: nil) }
    }

    /// Sends what it hears once more, so much later: a repeater with a full queue, a ham with a recorder.
    public func echoes(after delay: Duration, for span: Duration? = nil) -> WorldFault {
        let member = member
        return WorldFault("\(member.name) sends again \(delay.text) later what it hears", [member], for: span) {
            .replay(near: try $0.node(of: member), after: TimeSpan(delay))
        }
    }
}

/// Several lines of a script at once.
public typealias Steps = [Step]

/// Moves a node to where others are: from now on it hears only these, and is heard only by them.
public struct Walks: Action {
    let who: Member
    let neighbours: [Member]

    public var sentence: String {
        neighbours.isEmpty
            ? "\(who.name) walks out of everybody's range"
            : "\(who.name) walks to \(neighbours.map(\.name).joined(separator: " and "))"
    }
    public var cast: [Member] { [who] + neighbours }
    public let needs = Abilities.air

    public func perform(on stage: Stage) async throws {
        try await stage.withWorld { world in
            let walker = try world.node(of: who)
            world.links.disconnect(walker)
            for neighbour in neighbours {
                world.links.connect(walker, try world.node(of: neighbour), AirLink(who.hears(neighbour)))
            }
        }
    }
}

extension Node {
    /// Goes where these hear it, and nobody else does.
    public func walks(to neighbours: any Node...) -> Walks {
        Walks(who: member, neighbours: neighbours.map(\.member))
    }

    /// Goes where nobody hears it.
    public func walksAway() -> Walks { Walks(who: member, neighbours: []) }
}
