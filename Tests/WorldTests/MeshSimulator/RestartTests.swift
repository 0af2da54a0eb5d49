import MeshCrypto
import MeshFirmware
import MeshRadio
import MeshSimulator
import MeshTime
import MeshWire
import Testing

/// Infrastructure nodes of a world that go down and start again.
@Suite struct RestartTests {
    /// The way in which a node goes down and comes back.
    enum Restart: CaseIterable, CustomTestStringConvertible {
        case command
        case button
        case power
        case crash

        var testDescription: String { "\(self)" }
    }

    private static let roles: [(NodeRole, ServerRole)] = [
        (.repeater, .repeater), (.roomServer, .roomServer), (.sensor, .sensor),
    ]

    private func world() -> World {
        World(
            WorldDescription(
                name: "servers", summary: "one of each",
                nodes: Self.roles.map { NodeDescription($1.commandName, $0) }), seed: Seed(3))
    }

    private func type(_ line: String, _ world: inout World, _ node: NodeID) {
        world.inject(.appBytes([UInt8]((line + "\r").utf8)), into: node)
    }

    private func server(_ world: World, _ node: NodeID) throws -> ServerState {
        let firmware = try #require(world.firmware(node))
        let server = try #require(firmware as? any InfrastructureNode)
        return server.server
    }

    private func key(_ world: World, _ node: NodeID) -> PublicKey? {
        guard let firmware = world.firmware(node) else { return nil }
        return firmware.publicKey
    }

    private func time(_ world: World, _ node: NodeID) -> UInt32 {
        guard let firmware = world.firmware(node) else { return 0 }
        return firmware.unixTime(at: world.now)
    }

    /// Lets a node go down and come back.
    private func down(_ node: NodeID, _ restart: Restart, _ world: inout World) {
        switch restart {
        case .command: type("reboot", &world, node)
        case .button: world.restart(node)
        case .power:
            world.powerOff(node)
            world.powerOn(node)
        case .crash: world.schedule(Fault(.crash(node), from: .seconds(21), to: .seconds(22)))
        }
    }

    @Test(arguments: Restart.allCases)
    func `what a node has saved is there after a restart, the rest is gone`(restart: Restart) throws {
        var world = world()
        let friend = LocalIdentity(seed: Seed32(repeatElement(9, count: 32))).publicKey
        var keys: [PublicKey?] = []
        for node in world.nodes {
            type("set name \(node.index)", &world, node)
            type("setperm \(friend.hex) 3", &world, node)
            type("region put tmp", &world, node)
            world.setClock(of: node, to: 1_800_000_000)
            keys.append(key(world, node))
        }
        world.run(until: .seconds(20))

        for node in world.nodes { down(node, restart, &world) }
        world.run(until: .seconds(40))

        for node in world.nodes {
            let state = try server(world, node)
            #expect(world.isUp(node))
            #expect(key(world, node) == keys[node.index])
            #expect(state.preferences.name == ByteText("\(node.index)"))
            #expect(state.clients.count == 1 && state.clients.index(of: friend) == 0)
            #expect(state.regions.region(named: "tmp") == nil)
            // Where the chip keeps its clock, only power loses it.
            let keepsClock = world.board(of: node).keepsClockOverRestart && (restart == .command || restart == .button)
            let isKept = time(world, node) >= 1_800_000_000
            #expect(isKept == keepsClock)
        }
    }

    @Test(arguments: [nil, 0, 40] as [Int?])
    func `a write that the power breaks off leaves a beginning of the file, and a node that boots from it`(
        bytes: Int?
    ) throws {
        var world = world()
        for node in world.nodes { type("set name before", &world, node) }
        world.run(until: .seconds(2))
        for node in world.nodes {
            world.schedule(
                Fault(.tornWrite(node, path: "/prefs.json", bytes: bytes), from: .seconds(3), to: .seconds(10)))
        }
        world.run(until: .seconds(4))
        _ = world.takeOutputs()

        for node in world.nodes { type("set name afterwards", &world, node) }
        world.run(until: .seconds(9))
        for node in world.nodes {
            #expect(!world.isUp(node))
            #expect(world.flash(of: node)["/prefs.json"]?.count == bytes)
        }
        // Nothing is answered, and a disk that follows the outputs has the same.
        for output in world.takeOutputs() {
            if case .appBytes(let text) = output.kind { #expect(!String(decoding: text, as: UTF8.self).contains("->")) }
            guard case .flash(let change) = output.kind else { continue }
            switch change {
            case .wrote(let path, let content): #expect(world.flash(of: output.node)[path] == content)
            case .removed(let path): #expect(bytes == nil && path == "/prefs.json")
            case .formatted: Issue.record("formatted")
            }
        }
        world.run(until: .seconds(20))

        for node in world.nodes {
            #expect(world.isUp(node))
            let name = try server(world, node).preferences.name
            #expect(name != "before")
            type("set name works", &world, node)
            world.run(until: world.now + .seconds(1))
            #expect(try server(world, node).preferences.name == "works")
        }
    }

    @Test func `a clock that is set is set to the second, and looked at once`() throws {
        var world = world()
        let sensor = try #require(world.node(labelled: "sensor"))
        world.run(until: .milliseconds(33_333))

        world.setClock(of: sensor, to: 1_900_000_000)

        #expect(time(world, sensor) == 1_900_000_000)
    }
}
