import Glibc
import MeshFirmware
import MeshSimulator
import MeshTestSupport
import MeshTime
import MeshTransports
import Testing

@testable import MeshEmulator

/// Boards that lose their power while a client is connected, and boards that have it back.
@Suite struct PowerSystemTests {
    private static let alice = NodeID(index: 0)

    private func cut(_ emulator: Emulator) async throws { try await emulator.withWorld { $0.powerOff(Self.alice) } }

    private func giveBack(_ emulator: Emulator) async throws {
        try await emulator.withWorld { $0.powerOn(Self.alice) }
        try await boots(emulator)
    }

    /// Until the board is up: by stepping where time waits for that, else by its own time.
    private func boots(_ emulator: Emulator) async throws {
        while try await !emulator.inspect({ $0.isUp(Self.alice) }) {
            do { try await emulator.advance(by: .milliseconds(100)) } catch { return }
        }
    }

    @Test func `a board with power again resets the connection of before at the client's first segment`() async throws {
        try await Emulator.with(.solo, [.tcp("alice")], pace: .stepped) { emulator in
            let client = try TestClient.connect(port: emulator.port(of: "alice"))
            #expect(client.asksTime())
            try await cut(emulator)
            try await emulator.advance(by: .seconds(60))
            try await giveBack(emulator)
            try await emulator.advance(by: .seconds(60))
            // Nobody has said anything: neither does the board.
            #expect(!client.hasInput)

            client.sendFrame([5])
            try await emulator.advance(by: .zero)

            #expect(client.isReset())
            let next = try TestClient.connect(port: emulator.port(of: "alice"))
            #expect(next.asksTime())
        }
    }

    @Test func `what is sent to a board without power is answered by a reset when it has booted, and not before`()
        async throws
    {
        try await Emulator.with(.solo, [.tcp("alice")], pace: .stepped) { emulator in
            let client = try TestClient.connect(port: emulator.port(of: "alice"))
            #expect(client.asksTime())
            try await cut(emulator)
            client.sendFrame([5])
            try await emulator.advance(by: .seconds(3600))
            #expect(!client.hasInput)

            try await giveBack(emulator)

            #expect(client.isReset())
        }
    }

    @Test func `a client that gave up while there was no power is reset too`() async throws {
        try await Emulator.with(.solo, [.tcp("alice")], pace: .stepped) { emulator in
            let client = try TestClient.connect(port: emulator.port(of: "alice"))
            #expect(client.asksTime())
            try await cut(emulator)
            client.endOutput()
            try await emulator.advance(by: .seconds(10))
            #expect(!client.hasInput)

            try await giveBack(emulator)

            #expect(client.isReset())
        }
    }

    @Test func `nobody connects to a board without power, nor to one that has not booted`() async throws {
        try await Emulator.with(.solo, [.tcp("alice")], pace: .stepped) { emulator in
            let port = emulator.port(of: "alice")
            try await cut(emulator)
            #expect(throws: TestClient.Failure.self) { try TestClient.connect(port: port) }
            try await emulator.advance(by: .seconds(60))
            #expect(throws: TestClient.Failure.self) { try TestClient.connect(port: port) }
            try await emulator.withWorld { $0.powerOn(Self.alice) }
            #expect(throws: TestClient.Failure.self) { try TestClient.connect(port: port) }

            // The moment at which it has booted is one at which it takes clients.
            try await boots(emulator)
            let client = try TestClient.connect(port: port)
            #expect(client.asksTime())

            try await emulator.withWorld { $0.restart(Self.alice) }
            #expect(throws: TestClient.Failure.self) { try TestClient.connect(port: port) }
            try await boots(emulator)
            #expect(try TestClient.connect(port: port).asksTime())
        }
    }

    @Test func `by the clock it is the same`() async throws {
        try await Emulator.with(.solo, [.tcp("alice")], pace: .clock(speed: 10)) { emulator in
            let client = try TestClient.connect(port: emulator.port(of: "alice"))
            #expect(client.asksTime())
            try await cut(emulator)
            #expect(throws: TestClient.Failure.self) { try TestClient.connect(port: emulator.port(of: "alice")) }
            client.sendFrame([5])
            #expect(client.receiveSome(1, within: 100) == nil)

            try await emulator.withWorld { $0.powerOn(Self.alice) }

            #expect(client.isReset())
            #expect(try TestClient.connect(port: emulator.port(of: "alice")).asksTime())
        }
    }

    @Test func `in lockstep a board whose only client was lost boots without one`() async throws {
        try await Emulator.with(.solo, [.tcp("alice")], pace: .lockstep) { emulator in
            let port = emulator.port(of: "alice")
            var client = try TestClient.connect(port: port)
            client.sendFrame([19] + Array("reboot".utf8))
            #expect(client.isClosed())

            // It takes its boot delay of the world, for which nobody need be there.
            var isBack = false
            for _ in 0..<100_000 where !isBack {
                guard let next = try? TestClient.connect(port: port) else { continue }
                client = next
                isBack = client.asksTime()
            }

            #expect(isBack)
        }
    }

    @Test func `connections from before several losses of power are bounded`() async throws {
        try await Emulator.with(.solo, [.tcp("alice")], pace: .stepped) { emulator in
            var clients: [TestClient] = []
            for _ in 0..<10 {
                let client = try TestClient.connect(port: emulator.port(of: "alice"))
                #expect(client.asksTime())
                clients.append(client)
                try await cut(emulator)
                try await giveBack(emulator)
            }

            // The board's own memory is the newest eight.
            #expect(clients[0].isReset() && clients[1].isReset())
            #expect(!clients[2].hasInput && !clients[9].hasInput)
            for client in clients[2...] { client.sendFrame([5]) }
            try await emulator.advance(by: .zero)
            #expect(clients[2...].allSatisfy { $0.isReset() })
        }
    }

    // MARK: Snapshots

    @Test func `a world that goes back takes the power of its boards with it`() async throws {
        var configuration = Emulator.Configuration(
            world: .solo, seed: Seed(7), endpoints: [.tcp("alice")], pace: .stepped)
        configuration.isSteered = true
        let emulator = try await Emulator.start(configuration)
        let port = emulator.port(of: "alice")
        try await emulator.steer { try $0.takeSnapshot("on") }
        try await cut(emulator)
        try await emulator.steer { try $0.takeSnapshot("off") }

        try await emulator.steer { try $0.restore("on") }
        #expect(try TestClient.connect(port: port).asksTime())
        try await emulator.steer { try $0.restore("off") }
        #expect(throws: TestClient.Failure.self) { try TestClient.connect(port: port) }
        try await giveBack(emulator)

        #expect(try TestClient.connect(port: port).asksTime())
        await emulator.stop()
    }

    // MARK: Terminals

    @Test func `a terminal goes with the power, as a board that is unplugged, and comes back with the board`()
        async throws
    {
        let scratch = Scratch()
        let link = scratch.file("alice.tty")
        let endpoint = NodeEndpoint(label: "alice", endpoint: .pty(path: link))
        try await Emulator.with(.solo, [endpoint], pace: .stepped) { emulator in
            let client = try TestClient.open(terminal: link)
            #expect(client.asksTime())

            try await cut(emulator)
            #expect(client.isClosed())
            #expect(throws: TestClient.Failure.self) { try TestClient.open(terminal: link) }
            try await emulator.advance(by: .seconds(60))
            #expect(throws: TestClient.Failure.self) { try TestClient.open(terminal: link) }
            try await giveBack(emulator)

            // Whoever held on to it has a terminal that is no more.
            #expect(client.isClosed())
            let next = try TestClient.open(terminal: link)
            #expect(next.asksTime())
        }
        #expect(throws: TestClient.Failure.self) { try TestClient.open(terminal: link) }
    }

    @Test func `a place that somebody has taken meanwhile ends the run with the reason`() async throws {
        let scratch = Scratch()
        let link = scratch.file("alice.tty")
        let endpoint = NodeEndpoint(label: "alice", endpoint: .pty(path: link))
        let emulator = try await Emulator.start(
            .init(world: .solo, seed: Seed(1), endpoints: [endpoint], pace: .clock(speed: 100)))
        try await cut(emulator)
        #expect(symlink("/dev/null", link) == 0)

        try await emulator.withWorld { $0.powerOn(Self.alice) }

        await #expect(throws: EmulatorError.link(.pathOccupied(path: link))) { try await emulator.waitUntilEnded() }
    }
}
