import Foundation
import MeshFirmware
import MeshSimulator
import MeshTestSupport
import MeshTime
import MeshWire
import MeshWorlds
import NIOCore
import Synchronization
import Testing

@testable import MeshEmulator

/// Worlds whose time waits for clients: stepped and in lockstep.
@Suite struct HeldTimeSystemTests {
    private static let sessions = 20

    /// The answer to a command; what the radio says on its own comes before it, and has a code from 0x80 on.
    @discardableResult
    private func ask(_ client: TestClient, _ command: [UInt8]) -> [UInt8]? {
        client.sendFrame(command)
        while let frame = client.receiveFrame() {
            if frame.first ?? 0xFF < 0x80 { return frame }
        }
        return nil
    }

    /// Runs a client of one radio: APP_START, DEVICE_QUERY, GET_DEVICE_TIME and an advert, each answered before the
    /// next.
    private func session(_ client: TestClient) -> [UInt8] {
        [[1, 3, 0, 0, 0, 0, 0, 0, 0x61], [22, 3], [5], [7, 1]].compactMap { ask(client, $0)?.first }
    }

    private func configuration(
        _ world: WorldDescription, _ labels: [String], _ pace: Pace, seed: UInt64 = 7
    ) -> Emulator.Configuration {
        Emulator.Configuration(world: world, seed: Seed(seed), endpoints: labels.map { .tcp($0) }, pace: pace)
    }

    // MARK: Stepped

    @Test func `the same requests in stepped time give the same digest with a client attached`() async throws {
        var digests: Set<Digest> = []
        for _ in 0..<Self.sessions {
            let emulator = try await Emulator.start(configuration(.village, ["alice", "bob"], .stepped))
            let alice = try TestClient.connect(port: emulator.port(of: "alice"))
            let bob = try TestClient.connect(port: emulator.port(of: "bob"))
            #expect(session(alice) == [5, 13, 9, 0])
            try await emulator.advance(by: .seconds(20))
            #expect(session(bob) == [5, 13, 9, 0])
            try await emulator.advance(by: .seconds(40))
            digests.insert(try #require(await emulator.conclude()).digest)
        }

        #expect(digests.count == 1)
    }

    @Test func `an advance ends at its moment, and with another request it is another run`() async throws {
        var digests: Set<Digest> = []
        for said in [0x61, 0x62] as [UInt8] {
            let emulator = try await Emulator.start(configuration(.village, ["alice"], .stepped))
            let alice = try TestClient.connect(port: emulator.port(of: "alice"))
            let now = try await emulator.advance(by: .seconds(1))
            #expect(now == .seconds(1))
            // SET_ADVERT_NAME, which is in the advert.
            ask(alice, [8, said])
            ask(alice, [7, 1])
            #expect(try await emulator.advance(by: .seconds(30)) == .seconds(31))
            digests.insert(try #require(await emulator.conclude()).digest)
        }

        #expect(digests.count == 2)
    }

    @Test func `a condition ends a step where it is met, and all the time passes where it is not`() async throws {
        let emulator = try await Emulator.start(configuration(.village, ["alice"], .stepped))
        let alice = try TestClient.connect(port: emulator.port(of: "alice"))
        ask(alice, [7, 1])

        let isSent = try await emulator.run(until: { $0.statistics.transmissions > 0 }, atMost: .seconds(60))
        let sentAt = try await emulator.inspect { $0.now }
        let isNever = try await emulator.run(until: { _ in false }, atMost: .seconds(60))

        #expect(isSent)
        #expect(sentAt < .seconds(60))
        #expect(!isNever)
        #expect(try await emulator.inspect { $0.now } == sentAt + .seconds(60))
        await emulator.stop()
    }

    @Test func `what a client has written is in the world before whoever steers it looks or changes anything`()
        async throws
    {
        let emulator = try await Emulator.start(configuration(.solo, ["alice"], .stepped))
        let alice = try TestClient.connect(port: emulator.port(of: "alice"))
        #expect(alice.asksTime())
        let descriptor = alice.descriptor
        var names: [String?] = []
        for letter in UInt8(0x61)..<0x66 {
            // From the emulator's own thread, which cannot have read it when it is asked.
            let asked = try await emulator.inOrder { runner in
                // SET_ADVERT_NAME
                let command: [UInt8] = [0x3C, 2, 0, 8, letter]
                _ = command.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                return runner.inOrder { runner in
                    runner.look { $0.world.companion(NodeID(index: 0))?.name.string }
                }
            }
            names.append(try await asked.get())
            #expect(alice.receiveFrame() == [0])
        }
        await emulator.stop()

        #expect(names == ["a", "b", "c", "d", "e"])
    }

    @Test func `a client that has gone is gone before whoever steers the world looks or lets time pass`() async throws {
        let emulator = try await Emulator.start(configuration(.solo, ["alice"], .stepped))
        var found: [[Bool]] = []
        for _ in 0..<5 {
            let alice = try TestClient.connect(port: emulator.port(of: "alice"))
            #expect(alice.asksTime())
            let descriptor = alice.descriptor
            let asked = try await emulator.inOrder { runner in
                // What it has sent before is heard first: GET_DEVICE_TIME.
                let command: [UInt8] = [0x3C, 1, 0, 5]
                _ = command.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                shutdown(descriptor, Int32(SHUT_WR))
                return runner.inOrder { runner in
                    let node = NodeID(index: 0)
                    return runner.look { [$0.hasClient(node), $0.world.companion(node)?.isConnected ?? true] }
                }
            }
            found.append(try await asked.get())
            #expect(alice.receiveFrame()?.first == 9)
            try await emulator.advance(by: .seconds(1))
        }
        await emulator.stop()

        #expect(found == Array(repeating: [false, false], count: 5))
    }

    @Test func `two who ask for time are served one after the other, and a client that vanishes stops neither`()
        async throws
    {
        let emulator = try await Emulator.start(configuration(.village, ["alice"], .stepped))
        var alice: TestClient? = try TestClient.connect(port: emulator.port(of: "alice"))
        _ = alice?.asksTime()

        async let first = emulator.advance(by: .seconds(100))
        async let second = emulator.advance(by: .seconds(100))
        alice = nil
        let moments = try await [first, second].sorted()

        #expect(moments == [.seconds(100), .seconds(200)] || moments == [.seconds(200), .seconds(200)])
        await emulator.stop()
    }

    @Test func `who asks for time of a run that has ended is told so`() async throws {
        let emulator = try await Emulator.start(configuration(.solo, ["alice"], .stepped))
        await emulator.stop()

        await #expect(throws: EmulatorError.ended) { try await emulator.advance(by: .seconds(1)) }
    }

    @Test func `a Bluetooth controller is refused where time stands still`() async throws {
        let endpoint = try NodeEndpoint("alice=ble:hci:tcp=127.0.0.1:1")
        await #expect(throws: EmulatorError.heldController(label: "alice")) {
            try await Emulator.start(.init(world: .solo, seed: Seed(1), endpoints: [endpoint], pace: .lockstep))
        }
    }

    // MARK: Lockstep

    @Test func `in lockstep runs of one client that only answers are equal, and others say that they may not be`()
        async throws
    {
        var outcomes: Set<RunOutcome> = []
        for _ in 0..<Self.sessions {
            var held = configuration(.village, ["alice"], .lockstep)
            held.end = .seconds(60)
            let emulator = try await Emulator.start(held)
            let alice = try TestClient.connect(port: emulator.port(of: "alice"))
            #expect(session(alice) == [5, 13, 9, 0])
            // A minute of the world: adverts of the others come, and nobody says anything more.
            try await emulator.waitUntilEnded()
            let outcome = try #require(await emulator.conclude())
            #expect(outcome.now == .seconds(60))
            // On a machine that is very busy a client may be too late; the run knows.
            if outcome.unpromptedInputs == 0 { outcomes.insert(outcome) }
        }

        #expect(outcomes.count == 1)
    }

    @Test func `without a client a lockstep world waits, and with none needed it runs to its end`() async throws {
        let waiting = try await Emulator.start(configuration(.village, ["alice"], .lockstep))
        #expect(try await waiting.inspect { $0.now } == .start)
        await waiting.stop()

        var free = configuration(.village, ["alice"], .lockstep)
        free.waiting.clients = 0
        free.end = .seconds(3600)
        let emulator = try await Emulator.start(free)
        try await emulator.waitUntilEnded()
        #expect(try #require(await emulator.conclude()).now == .seconds(3600))
    }

    @Test func `a client that never reads is told of, and the world goes on without it`() async throws {
        let (notes, sink) = AsyncStream.makeStream(of: String.self)
        let talker = WorldDescription(
            name: "talker", summary: "", nodes: [NodeDescription("guest", .guest { _ in Chatterbox() })])
        var held = Emulator.Configuration(
            world: talker, seed: Seed(1), endpoints: [.tcp("guest")], pace: .lockstep, log: { sink.yield($0) })
        held.waiting.quiet = .milliseconds(1)
        held.waiting.patience = .milliseconds(20)
        let emulator = try await Emulator.start(held)
        let client = try TestClient.connect(port: emulator.port(of: "guest"), receiveBuffer: 4096)

        for await note in notes where note.contains("the client does not read; time passes without it") { break }
        let then = try await emulator.inspect { $0.now }
        var now = then
        while now <= then { now = try await emulator.inspect { $0.now } }

        #expect(now > then)
        _ = client
        await emulator.stop()
    }

    // MARK: Worlds

    @Test(arguments: ["grid:4x4", "town", "city:40"])
    func `a world with people runs live as mesh run runs it, to the digest`(name: String) async throws {
        var plan = try WorldSource(name, seed: Seed(5)).plan
        plan.traffic = try Traffic("chat:20s")
        plan.addRandomFaults(3, span: .seconds(300), seed: Seed(5))
        var batch = MeshRun(plan, seed: Seed(5), span: .seconds(300))
        let summary = batch.perform()

        var held = Emulator.Configuration(world: plan.description, seed: Seed(5), pace: .lockstep)
        held.waiting.clients = 0
        held.traffic = plan
        held.end = .seconds(300)
        let messages = Mutex(0)
        held.happened = { _, _, happening in
            if case .message = happening { messages.withLock { $0 += 1 } }
        }
        let emulator = try await Emulator.start(held)
        try await emulator.waitUntilEnded()
        let outcome = try #require(await emulator.conclude())

        #expect(outcome.digest.description == summary.digest)
        #expect(outcome.unseed.description == summary.unseed)
        #expect(messages.withLock { $0 } > 0)
    }

    @Test func `whoever has an endpoint has no app of ours`() async throws {
        var plan = try WorldSource("desk", seed: Seed(5)).plan
        plan.traffic = try Traffic("chat:5s")
        let senders = Mutex<Set<Int>>([])
        var held = Emulator.Configuration(
            world: WorldDescription.desk, seed: Seed(5), endpoints: [.tcp("alice")], pace: .lockstep)
        held.waiting.clients = 0
        held.traffic = plan
        held.end = .seconds(300)
        held.happened = { _, node, happening in
            guard case .message = happening else { return }
            senders.withLock { _ = $0.insert(node.index) }
        }
        let emulator = try await Emulator.start(held)
        try await emulator.waitUntilEnded()
        await emulator.stop()

        #expect(senders.withLock { $0 } == [1])
    }

    @Test func `a node whose name is no name of a directory keeps no state`() async throws {
        let scratch = Scratch()
        let world = WorldDescription(
            name: "odd", summary: "", nodes: [NodeDescription("../up", .companion(.wifi))])
        await #expect(throws: EmulatorError.badDirectory(label: "../up")) {
            try await Emulator.start(
                .init(world: world, seed: Seed(1), state: try StateDirectory(path: scratch.file("state"))))
        }
    }
}

/// Says 10,000 bytes every second, listened to or not.
private struct Chatterbox: GuestNode {
    let flash = Flash()
    var nextWake = Instant.start

    mutating func handle(_ input: NodeInput, at now: Instant, radio: RadioStatus, into effects: inout [NodeEffect]) {
        guard now >= nextWake else { return }
        nextWake = now + .seconds(1)
        effects.append(.appBytes([UInt8](repeating: 0x2E, count: 10_000)))
    }
}
