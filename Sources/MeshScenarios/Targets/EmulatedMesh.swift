import MeshBoards
import MeshCompanion
import MeshCore
import MeshCrypto
import MeshEmulator
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshTransports
import MeshWire

/// The world of a scenario in this process.
actor EmulatedMesh: StageMesh {
    nonisolated let abilities: Abilities
    private nonisolated let carrier: LinkCarrier
    private let world: LoopbackWorld
    /// Numbers of the interfaces of those who share a radio, by their names.
    private let interfaces: [String: Int]

    init(
        _ scenario: Scenario, on place: Target.Place, clock: any Clock<Duration>, seed: Seed, traceCapacity: Int
    ) throws {
        abilities = Target(place).stageAbilities
        carrier = if case .modelled = place { .bluetooth } else { .tcp }
        interfaces = scenario.interfaces
        guard case .modelled(let link) = place else {
            world = LoopbackWorld(try scenario.world(seed: seed, traceCapacity: traceCapacity), clock: clock)
            return
        }
        var bluetooth = LoopbackBluetooth()
        bluetooth.seed = seed.part("bluetooth")
        let mesh = try scenario.world(
            seed: seed, traceCapacity: traceCapacity, link: .bluetooth, board: link.board)
        world = LoopbackWorld(mesh, clock: clock, bluetooth: bluetooth)
    }

    nonisolated func carrier(of member: Member) -> LinkCarrier { carrier }

    func transport(to member: Member) async throws -> any MeshTransport {
        try await world.transport(to: member.radioName, at: interfaces[member.name] ?? 0)
    }

    func key(of member: Member) async throws -> FixedBytes<32>? {
        try await world.withWorld { world in world.firmware(try world.node(of: member))?.publicKey }
    }

    func withWorld<R: Sendable>(_ body: @escaping @Sendable (inout World) throws -> R) async throws -> R {
        try await world.withWorld(body)
    }

    func end() async { await world.end() }
}

extension Scenario {
    /// The mesh before anybody has done anything: nodes set up, links as stated, clocks set.
    func world(
        seed: Seed, traceCapacity: Int, link wire: AppLink = .wifi, board: BoardProfile = .heltecV3
    ) throws -> World {
        var world = World(seed: seed.part("world"), traceCapacity: traceCapacity)
        for member in cast where !member.sharesRadio {
            var description = try member.description(wire, board)
            if let version = member.settings.firmware { description.run(version) }
            description.body = member.settings.body
            if let bridge = bridges.first(where: { [$0.one.name, $0.other.name].contains(member.name) }) {
                description.board.bridge = bridge.kind
            }
            try share(&description)
            world.add(description)
        }
        for member in cast where member.sharesRadio && world.node(labelled: member.radioName) == nil {
            throw ScenarioError("\(member.name) is at a radio of \(member.radioName), and there is none")
        }
        for link in links {
            let one = try world.node(of: link.one)
            let other = try world.node(of: link.other)
            guard one != other else {
                throw ScenarioError(
                    "\(link.one.name) and \(link.other.name) have one radio, which does not hear itself")
            }
            let way = AirLink(link)
            world.links[link: one, other] = way
            if !link.isOneWay { world.links[link: other, one] = way }
        }
        for bridge in bridges {
            let (one, other) = (try world.node(of: bridge.one), try world.node(of: bridge.other))
            world.join(WorldBridge([one.index, other.index], kind: bridge.kind))
        }
        for member in cast where member.isInfrastructure {
            world.setClock(of: try world.node(of: member), to: Stage.startOfTime)
        }
        return world
    }
}

extension Scenario {
    /// Interfaces of a radio for those who share it, in the order of the cast.
    private static let furtherLinks: [AppLink] = [.serial, .ethernet]

    /// Numbers of the interfaces of those who share a radio, by their names; the owner has the first one.
    var interfaces: [String: Int] {
        var (numbers, counts): ([String: Int], [String: Int]) = ([:], [:])
        for member in cast where member.sharesRadio {
            counts[member.radioName, default: 0] += 1
            numbers[member.name] = counts[member.radioName]
        }
        return numbers
    }

    /// Gives a radio as many interfaces as people share it.
    fileprivate func share(_ description: inout NodeDescription) throws {
        let count = cast.count { $0.sharesRadio && $0.radioName == description.label }
        guard count > 0 else { return }
        guard case .companion = description.role, description.board.hasSeveralInterfaces else {
            throw ScenarioError("\(description.label) has no radio with several interfaces: firmware 1.18 has them")
        }
        guard count <= Self.furtherLinks.count else {
            throw ScenarioError("\(count) people share the radio of \(description.label), and 2 can")
        }
        description.furtherLinks = Array(Self.furtherLinks.prefix(count))
    }
}

extension AirLink {
    init(_ link: RadioRange) {
        let signal = Signal(
            snrHundredths: Int16(nearest: max(-32, min(32, link.snr)) * 100), rssiHundredths: -8000)
        self.init(signal, lossPerTenThousand: UInt16(nearest: link.loss * 10_000, in: 0...10_000))
    }
}

extension Member {
    var isInfrastructure: Bool { role.serverRole != nil }

    /// The node before it is switched on.
    func description(_ wire: AppLink, _ board: BoardProfile) throws -> NodeDescription {
        guard 1...31 ~= name.utf8.count else { throw ScenarioError("'\(name)' is no name: 1 to 31 bytes are") }
        if let server = role.serverRole { return station(server) }
        guard isPerson else { return NodeDescription(name, .guest { _ in RogueCore() }) }
        var board = settings.board ?? board
        if let room = settings.maxContacts { board.maxContacts = room }
        return NodeDescription(name, .companion(wire), board: board)
    }

    private func station(_ role: ServerRole) -> NodeDescription {
        let board = settings.board ?? .heltecV3
        var setup = ServerSetup(role, board: board)
        setup.silenceAdverts()
        setup.preferences.name = ByteText(name)
        if let password = settings.adminPassword { setup.preferences.password = ByteText(password) }
        if let password = settings.guestPassword { setup.preferences.guestPassword = ByteText(password) }
        if let isRelaying = settings.isRelaying { setup.preferences.isForwardingDisabled = !isRelaying }
        for region in settings.regions { setup.regions.put(ByteText(region)) }
        if settings.hasShortSymbols {
            (setup.preferences.bandwidth, setup.preferences.spreadingFactor) = (500, 7)
        }
        var node = NodeDescription(name, .server(role), board: board, setup: setup)
        if settings.forgetsReceptions { node.quirks.remove(.nextFrameOverlooked) }
        if let byte = settings.firstKeyByte { ServerFiles.store(identity(beginningWith: byte), in: &node.flash) }
        return node
    }

    /// Keys that begin with a byte: the first of those that come of the name.
    private func identity(beginningWith byte: UInt8) -> LocalIdentity {
        var stream = Seed(0).stream("keys", name)
        while true {
            var seed = Seed32()
            seed.withUnsafeMutableBytes { stream.fill($0) }
            let identity = LocalIdentity(seed: seed)
            if identity.publicKey[0] == byte { return identity }
        }
    }
}
