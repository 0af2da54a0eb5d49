public import MeshBoards
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshWire

/// Two nodes that no longer hear each other.
public struct Cut: CountedFault {
    let one: Member
    let other: Member
    public var isOptional = false

    /// Cuts the link between two nodes, in both directions.
    public init(_ one: some Node, _ other: some Node) {
        self.one = one.member
        self.other = other.member
    }

    public var sentence: String { "\(one.name) and \(other.name) do not hear each other" }
    public var cast: [Member] { [one, other] }

    public func start(on stage: Stage) async throws -> FaultReading {
        let counter = try await stage.withWorld { world -> CutCounter? in
            let one = try world.node(of: one)
            let other = try world.node(of: other)
            let wasThere = world.links[link: one, other] != nil || world.links[link: other, one] != nil
            world.links[link: one, other] = nil
            world.links[link: other, one] = nil
            return wasThere ? CutCounter(sent: try sent(in: world)) : nil
        }
        guard let counter else { return FaultReading { _ in FaultCount() } }
        stage.proofs.open(counter, sentence)
        return FaultReading { world in
            world.flatMap { try? sent(in: $0) }.map(counter.count(sent:)) ?? FaultCount()
        }
    }

    /// Returns the number of frames that both nodes have sent.
    private func sent(in world: World) throws -> Int {
        world.framesSent(by: try world.node(of: one)) + world.framesSent(by: try world.node(of: other))
    }

    public func end(on stage: Stage) async throws {
        guard
            let link = stage.scenario.links.first(where: {
                [$0.one, $0.other].contains(one) && [$0.one, $0.other].contains(other)
            })
        else { return }
        let counter = stage.proofs.cut(sentence)
        try await stage.withWorld { world in
            counter?.close(sent: try sent(in: world))
            let one = try world.node(of: link.one)
            let other = try world.node(of: link.other)
            world.links[link: one, other] = AirLink(link)
            if !link.isOneWay { world.links[link: other, one] = AirLink(link) }
        }
    }
}

/// Two nodes that hear each other again, as they did before a cut.
public struct Mend: Action {
    private let cut: Cut

    /// Makes up for a cut between two nodes.
    public init(_ one: some Node, _ other: some Node) { cut = Cut(one, other) }

    public var sentence: String { "\(cut.one.name) and \(cut.other.name) hear each other again" }
    public var cast: [Member] { cut.cast }
    public let needs: Abilities = .air

    public func perform(on stage: Stage) async throws { try await cut.end(on: stage) }
}

/// A fault of the world, by the simulator's name, from now on.
public struct WorldFault: CountedFault {
    public let cast: [Member]
    public let needs: Abilities
    public var isOptional = false
    private let what: String
    private(set) var lasting: Duration?
    /// The same of fewer nodes, where there may be fewer.
    fileprivate var narrowed: (@Sendable ([Member]) -> WorldFault)?
    let kind: @Sendable (World) throws -> Fault.Kind

    init(
        _ sentence: String, _ cast: [Member], needs: Abilities = .air, for lasting: Duration? = nil,
        _ kind: @escaping @Sendable (World) throws -> Fault.Kind
    ) {
        what = sentence
        self.cast = cast
        self.needs = needs
        self.lasting = lasting
        self.kind = kind
    }

    public var sentence: String { what + (lasting.map { " for \($0.text)" } ?? "") }

    /// The same with an end that comes sooner, where it has one of its own.
    func shortened(by divisor: Int) -> WorldFault {
        var copy = self
        // A fault takes some time.
        copy.lasting = lasting.map { max(.milliseconds(1), $0 / divisor) }
        return copy
    }

    /// The fault without some nodes; `nil` where nothing of it is left.
    func without(_ gone: Set<String>) -> WorldFault? {
        let rest = cast.filter { !gone.contains($0.name) }
        if rest.count == cast.count { return self }
        guard !rest.isEmpty, var fault = narrowed?(rest) else { return nil }
        fault.lasting = lasting
        fault.isOptional = isOptional
        return fault
    }

    public func start(on stage: Stage) async throws -> FaultReading {
        let number = try await stage.withWorld { world in
            let end = lasting.map { world.now + TimeSpan($0) } ?? .never
            var fault = Fault(try kind(world), from: world.now, to: end)
            fault.mayNotFire = isOptional
            return world.schedule(fault)
        }
        return FaultReading { $0?.effect(ofFault: number) ?? FaultCount() }
    }
}

extension WorldFault {
    /// The world ends it by itself.
    public func lasts(_ span: Duration) -> Step {
        var fault = self
        fault.lasting = span
        return .fault(fault, lasting: nil)
    }
}

/// A share of all frames is not heard.
public func loss(_ share: Double, for span: Duration? = nil) -> WorldFault {
    WorldFault("\((share * 100).formatted) % of the frames are lost", [], for: span) { _ in
        .loss(perTenThousand: Int(nearest: share * 10_000, in: 0...10_000))
    }
}

/// These nodes hear each other and nobody else.
public func partition(_ nodes: any Node..., for span: Duration? = nil) -> WorldFault {
    partition(of: nodes.map(\.member), for: span)
}

/// `partition`, of nodes that are only known when it is drawn.
public func partition(of members: [Member], for span: Duration? = nil) -> WorldFault {
    let names = members.map(\.name).joined(separator: ", ")
    var fault = WorldFault("\(names) are cut off from everybody else", members, for: span) { world in
        .partition(try members.map(world.node(of:)))
    }
    fault.narrowed = { partition(of: $0, for: span) }
    return fault
}

extension Node {
    /// Hears nothing, and thinks that the air is quiet.
    public func isDeaf(for span: Duration? = nil) -> WorldFault {
        let member = member
        return WorldFault("\(member.name) is deaf", [member], for: span) { .deafness(try $0.node(of: member)) }
    }

    /// Is without power.
    public func hasNoPower(for span: Duration? = nil) -> WorldFault {
        let member = member
        return WorldFault("\(member.name) has no power", [member], needs: .power, for: span) {
            .crash(try $0.node(of: member))
        }
    }

    /// Restarts, with its flash or with an empty one.
    public func restarts(keepingFlash: Bool = true) -> WorldFault {
        let member = member
        return WorldFault(
            "\(member.name) restarts" + (keepingFlash ? "" : " with an empty flash"), [member], needs: .power
        ) { .reboot(try $0.node(of: member), keepingFlash: keepingFlash) }
    }

    /// The clock of the board is suddenly another.
    public func clockJumps(by span: Duration) -> WorldFault {
        let member = member
        let seconds = Int32(clamping: span.components.seconds)
        return WorldFault("the clock of \(member.name) jumps by \(seconds) s", [member], needs: .board) {
            .clockJump(try $0.node(of: member), seconds: seconds)
        }
    }
}

extension Double {
    /// Without a fraction where there is none.
    var formatted: String { Int64(exactly: self).map { "\($0)" } ?? "\(self)" }
}

/// The link between a person's app and radio is gone, and cannot be opened.
public struct LosesLink: CountedFault {
    let who: Member
    public var isOptional = false

    public var sentence: String { "\(who.name)'s app loses its radio" }
    public var cast: [Member] { [who] }
    /// Any app's end of its link is ours.
    public var needs: Abilities { [] }

    public func start(on stage: Stage) async throws -> FaultReading {
        let link = try stage.player(who).link
        let before = link.effect.times
        await link.cut()
        return FaultReading { _ in
            var count = FaultCount()
            count.note(times: link.effect.times - before)
            return count
        }
    }

    public func end(on stage: Stage) async throws { await (try stage.player(who)).link.mend() }
}

extension Person {
    /// Loses the link between app and radio until the fault ends.
    public func losesLink() -> LosesLink { LosesLink(who: member) }
}
