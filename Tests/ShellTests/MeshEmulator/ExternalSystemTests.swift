import Foundation
import MeshFirmware
import MeshSimulator
import MeshTestSupport
import MeshTime
import MeshTransports
import Testing

@testable import MeshEmulator

/// External nodes whose programs are at the other end of a socket.
@Suite struct ExternalSystemTests {
    private static let end = TimeSpan.seconds(60)

    private func configuration(
        _ world: WorldDescription, _ labels: [String], pace: Pace = .lockstep
    ) throws -> Emulator.Configuration {
        var configuration = Emulator.Configuration(
            world: world, seed: Seed(7), endpoints: try labels.map { try NodeEndpoint("\($0)=external:tcp://:0") },
            pace: pace)
        // No machine is so busy that a program of these tests takes longer.
        configuration.peers.answerLimit = .seconds(600)
        configuration.end = .start + Self.end
        return configuration
    }

    /// Runs a program at a port, in a thread of its own; returns all requests that it received.
    private func run(_ program: Beacon, at port: Int) async -> [String] {
        await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: Self.serve(program, at: port)) }.start()
        }
    }

    private static func serve(_ program: Beacon, at port: Int) -> [String] {
        var program = program
        var told: [String] = []
        guard let client = try? TestClient.connect(port: port) else { return [] }
        var line: [UInt8] = []
        while let bytes = client.receiveSome(1, within: 600_000), let byte = bytes.first {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                continue
            }
            told.append(String(decoding: line, as: UTF8.self))
            line = []
            guard let answer = program.answer(told[told.count - 1]) else { break }
            client.send([UInt8]((answer + "\n").utf8))
        }
        return told
    }

    /// The digest of the same run without a socket.
    private func digestWithoutSockets() -> Digest {
        var description = WorldDescription.village
        description.nodes[0].role = .guest { ExternalNode($0) }
        var world = World(description, seed: Seed(7))
        var program = Beacon()
        let alice = NodeID(index: 0)
        world.inject(.appConnected, into: alice)
        var isAnswered = false
        while true {
            isAnswered = true
            for output in world.takeOutputs() where output.node == alice {
                guard case .appBytes(let bytes) = output.kind else { continue }
                let request = String(decoding: bytes.dropLast(), as: UTF8.self)
                isAnswered = false
                if let answer = program.answer(request) { world.inject(.appBytes([UInt8](answer.utf8)), into: alice) }
            }
            guard isAnswered else { continue }
            guard world.peekNextEventTime() <= .start + Self.end else { break }
            world.run(until: world.peekNextEventTime())
        }
        world.run(until: .start + Self.end)
        return world.digest
    }

    @Test func `two runs with a program have one digest, which is that of the run without a socket`() async throws {
        var digests: Set<Digest> = [digestWithoutSockets()]
        for _ in 0..<2 {
            let emulator = try await Emulator.start(configuration(.village, ["alice"]))
            let told = await run(Beacon(), at: emulator.port(of: "alice"))
            try await emulator.waitUntilEnded()
            let outcome = try #require(await emulator.conclude())
            digests.insert(outcome.digest)

            #expect(outcome.now == .start + Self.end)
            #expect(told.last == "{\"end\":{\"now\":60000000}}")
            #expect(told.contains { $0.contains("\"heard\"") }, "the repeater relays what alice sends")
        }

        #expect(digests.count == 1)
    }

    @Test func `programs in the place of any node are served together`() async throws {
        var digests: Set<Digest> = []
        for _ in 0..<2 {
            let emulator = try await Emulator.start(configuration(.village, ["room1", "alice", "bob"]))
            async let alice = run(Beacon(), at: emulator.port(of: "alice"))
            async let bob = run(Beacon(), at: emulator.port(of: "bob"))
            async let room = run(Beacon(), at: emulator.port(of: "room1"))
            for told in await [alice, bob, room] { #expect(told.last?.hasPrefix("{\"end\"") == true) }
            try await emulator.waitUntilEnded()
            digests.insert(try #require(await emulator.conclude()).digest)
        }

        #expect(digests.count == 1)
    }

    @Test func `stepped time waits for a program too, and with the clock the world waits as well`() async throws {
        for pace in [Pace.stepped, .clock(speed: 1000)] {
            let emulator = try await Emulator.start(configuration(.desk, ["alice"], pace: pace))
            async let told = run(Beacon(), at: emulator.port(of: "alice"))
            if pace == .stepped {
                #expect(try await emulator.advance(by: .seconds(30)) == .seconds(30))
                let sent = try await emulator.inspect { $0.framesSent(by: NodeID(index: 0)) }
                #expect(sent == 6)
                await emulator.stop()
            } else {
                try await emulator.waitUntilEnded()
                await emulator.stop()
            }
            #expect(await told.last?.hasPrefix("{\"end\"") == true)
        }
    }

    @Test func `a run that waits for a program ends when it is told to`() async throws {
        let emulator = try await Emulator.start(configuration(.desk, ["alice"]))
        let client = try TestClient.connect(port: emulator.port(of: "alice"))
        #expect(client.receive(8) == [UInt8]("{\"start\"".utf8))

        await emulator.stop()

        #expect(client.isClosed())
    }

    @Test(arguments: [
        ("nonsense\n", "its answer is no answer"), ("{}\n{}\n", "it says more than one line"),
        ("{\"transmit\":\"00\",\"wake\":1}\n{}", ""), (String(repeating: "a", count: 5000), "longer than 4096 bytes"),
    ])
    func `a program that does what it must not ends the run with the reason`(text: String, reason: String) async throws
    {
        let emulator = try await Emulator.start(configuration(.desk, ["alice"]))
        let client = try TestClient.connect(port: emulator.port(of: "alice"))
        _ = client.receive(8)

        client.send([UInt8](text.utf8))
        let error = await #expect(throws: EmulatorError.self) { try await emulator.waitUntilEnded() }

        #expect(error?.description.contains("the program of node \"alice\" failed at 0 ms of the world: it") == true)
        #expect(error?.description.contains(reason) == true || reason.isEmpty)
        await emulator.stop()
    }

    @Test func `a program that goes or never answers ends the run`() async throws {
        var client: TestClient?
        for vanishes in [true, false] {
            var configuration = try configuration(.desk, ["alice"])
            if !vanishes { configuration.peers.answerLimit = .milliseconds(20) }
            let emulator = try await Emulator.start(configuration)
            client = try TestClient.connect(port: emulator.port(of: "alice"))
            if vanishes {
                _ = client?.receive(8)
                client = nil
            }
            let error = await #expect(throws: EmulatorError.self) { try await emulator.waitUntilEnded() }

            let reason = vanishes ? "it has closed the connection" : "it has not answered within 20 ms"
            #expect(error?.description.hasSuffix(reason) == true)
            await emulator.stop()
        }
    }

    @Test func `a board that restarts tells its program, which goes on`() async throws {
        var configuration = try configuration(.desk, ["alice"])
        configuration.world.faults = [
            Fault(.crash(NodeID(index: 0)), from: .start + .seconds(10), to: .start + .seconds(20))
        ]
        let emulator = try await Emulator.start(configuration)
        let told = await run(Beacon(), at: emulator.port(of: "alice"))
        try await emulator.waitUntilEnded()
        await emulator.stop()

        #expect(told.count { $0.hasPrefix("{\"start\"") } == 2)
        #expect(told.contains { $0.contains("\"boots\":1") })
    }

    @Test(arguments: ["external:pty:./x", "external:", "external:5000", "external:ble:hci0", "external:modem:tcp://:0"])
    func `an external node is reached by a port only`(place: String) {
        #expect(throws: LinkError.self) { try NodeEndpoint("alice=\(place)") }
    }

    @Test func `an endpoint of an external node is written as it is read`() throws {
        let endpoint = try NodeEndpoint("rep1=external:tcp://:0")

        #expect(endpoint == NodeEndpoint(label: "rep1", endpoint: .freePort, service: .external))
        #expect(endpoint.description == "rep1=external:tcp://127.0.0.1:0")
    }
}
