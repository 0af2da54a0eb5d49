import MeshCompanion
import MeshFirmware
import MeshSimulator
import MeshTestSupport
import MeshTime
import MeshTransports
import Testing

@testable import MeshEmulator

@Suite struct ModemSystemTests {
    let scratch = Scratch()

    /// The next frames of a modem, as many as are wanted, while time passes.
    private func frames(_ count: Int, for client: TestClient, of emulator: Emulator) async throws -> [[UInt8]] {
        var receiver = KISSReceiver()
        var frames: [[UInt8]] = []
        while frames.count < count {
            while !client.hasInput { try await emulator.pass(.milliseconds(10)) }
            _ = receiver.append(client.receive(1))
            while let frame = receiver.nextFrame() { frames.append(frame) }
        }
        return frames
    }

    private func ping(_ client: TestClient) -> [UInt8] {
        client.send(KISSFraming.encode(.setHardware, [ModemCommand.ping.rawValue]))
        return client.receive(4)
    }

    private static let pong = KISSFraming.encode(.setHardware, [ModemCommand.ping.response])

    @Test func `hosts on TCP and on a terminal reach each other over the air`() async throws {
        let link = scratch.file("bob.tty")
        let endpoints = [
            NodeEndpoint(label: "alice", endpoint: .freePort, service: .modem),
            NodeEndpoint(label: "bob", endpoint: .pty(path: link), service: .modem),
        ]
        try await Emulator.with(.desk, endpoints, pace: .stepped) { emulator in
            let alice = try TestClient.connect(port: emulator.port(of: "alice"))
            let bob = try TestClient.open(terminal: link)
            #expect(ping(alice) == Self.pong && ping(bob) == Self.pong)

            alice.send(KISSFraming.encode(.data, [0xC0, 0xDB, 1]))
            let heard = try await frames(2, for: bob, of: emulator)
            let told = try await frames(1, for: alice, of: emulator)

            #expect(heard == [[0, 0xC0, 0xDB, 1], [6, 0xF9, 40, 0xB0]])
            #expect(told == [[6, 0xF8, 1]])
        }
    }

    @Test func `the newest host has the modem, and a restart hangs up`() async throws {
        let endpoint = NodeEndpoint(label: "alice", endpoint: .freePort, service: .modem)
        try await Emulator.with(.solo, [endpoint], pace: .stepped) { emulator in
            let first = try TestClient.connect(port: emulator.port(of: "alice"))
            #expect(ping(first) == Self.pong)
            let second = try TestClient.connect(port: emulator.port(of: "alice"))
            #expect(ping(second) == Self.pong && first.isClosed())

            second.send(KISSFraming.encode(.setHardware, [ModemCommand.reboot.rawValue]))

            #expect(second.receive(4) == KISSFraming.encode(.setHardware, [ModemNotice.ok.rawValue]))
            #expect(second.isClosed())
            try await emulator.pass(.seconds(20))
            let third = try TestClient.connect(port: emulator.port(of: "alice"))
            #expect(ping(third) == Self.pong)
        }
    }

    @Test func `a host that does not read makes nothing grow, and hears what was lost`() async throws {
        let link = scratch.file("alice.tty")
        let endpoint = NodeEndpoint(label: "alice", endpoint: .pty(path: link), service: .modem)
        try await Emulator.with(.solo, [endpoint]) { _ in
            let client = try TestClient.open(terminal: link)
            let request = KISSFraming.encode(.setHardware, [ModemCommand.getIdentity.rawValue])
            // The answers are more than the terminal keeps.
            for _ in 0..<20 { client.send((0..<1000).flatMap { _ in request }) }

            var receiver = KISSReceiver(capacity: 8192)
            var (answers, losses) = (0, 0)
            while losses == 0, let bytes = client.receiveSome(4096, within: 5000), !bytes.isEmpty {
                _ = receiver.append(bytes)
                while let frame = receiver.nextFrame() {
                    if frame == [6, 0xF1, 7] { losses += 1 } else { answers += 1 }
                }
            }

            #expect(losses > 0, "the modem said that it was too much")
            #expect(answers > 0 && answers < 20_000)
        }
    }

    @Test(arguments: ["rep1", "room1"]) func `a node that is no companion radio cannot be a modem`(label: String) async
    {
        let endpoint = NodeEndpoint(label: label, endpoint: .freePort, service: .modem)

        let error = await #expect(throws: EmulatorError.self) { try await Emulator.with(.village, [endpoint]) { _ in } }

        #expect(error == .noModem(label: label))
    }

    @Test func `a modem keeps its identity in the state`() async throws {
        let endpoint = NodeEndpoint(label: "alice", endpoint: .freePort, service: .modem)
        var keys: [String?] = []
        for seed in [1, 2] as [UInt64] {
            try await Emulator.with(
                .solo, [endpoint], seed: seed, state: try StateDirectory(path: scratch.file("state"))
            ) { emulator in
                keys.append(try await emulator.inspect { $0.modem(NodeID(index: 0)).map { "\($0.publicKey)" } })
            }
        }

        #expect(keys[0] != nil && keys[0] == keys[1])
    }
}
