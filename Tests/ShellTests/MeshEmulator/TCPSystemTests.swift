import Foundation
import MeshCompanion
import MeshFirmware
import MeshSimulator
import MeshTestSupport
import MeshTime
import MeshTransports
import MeshWire
import Testing

@testable import MeshEmulator

@Suite struct TCPSystemTests {
    @Test func `a client on TCP is answered in frames`() async throws {
        try await Emulator.with(.solo, [.tcp("alice")]) { emulator in
            let client = try TestClient.connect(port: emulator.port(of: "alice"))

            client.send([0x3C, 0x01, 0x00, 0x05])

            #expect(client.receive(8).prefix(4) == [0x3E, 0x05, 0x00, 0x09])
        }
    }

    @Test func `a command that arrives byte by byte is answered`() async throws {
        try await Emulator.with(.solo, [.tcp("alice")]) { emulator in
            let client = try TestClient.connect(port: emulator.port(of: "alice"))

            for byte: UInt8 in [0x3C, 0x01, 0x00, 0x05] {
                client.send([byte])
                // A turn of the event loop in between.
                _ = try await emulator.inspect { $0.now }
            }

            #expect(client.receiveFrame()?.first == 9)
        }
    }

    @Test func `a second client takes the radio from the first, whose connection is closed`() async throws {
        try await Emulator.with(.solo, [.tcp("alice")]) { emulator in
            let first = try TestClient.connect(port: emulator.port(of: "alice"))
            #expect(first.asksTime())

            let second = try TestClient.connect(port: emulator.port(of: "alice"))

            #expect(second.asksTime())
            #expect(first.isClosed())
            #expect(second.asksTime())
        }
    }

    @Test func `apps at two endpoints of a radio with firmware 1_18 both hear what either is answered`() async throws {
        var world = WorldDescription.solo
        world.nodes[0].run(.v1_18)
        try await Emulator.with(world, [.tcp("alice"), .tcp("alice")]) { emulator in
            let clients = try emulator.endpoints.map { endpoint in
                guard case .tcp(_, let port) = endpoint.endpoint else { throw TestClient.Failure(reason: "no port") }
                return try TestClient.connect(port: Int(port))
            }
            // Both are there when both have been answered.
            #expect(clients.allSatisfy { $0.asksTime() })

            clients[0].sendFrame([0x3B])
            #expect(clients[1].receives(25))
            clients[1].sendFrame([0x28])
            #expect(clients[0].receives(25) && clients[0].receives(21))
        }
    }

    @Test func `half a header of the first client does not disturb the second`() async throws {
        try await Emulator.with(.solo, [.tcp("alice")]) { emulator in
            let first = try TestClient.connect(port: emulator.port(of: "alice"))
            first.send([0x3C, 0x01, 0x00])
            let second = try TestClient.connect(port: emulator.port(of: "alice"))

            #expect(second.asksTime())
        }
    }

    @Test func `clients that come and go fast leave a radio that answers`() async throws {
        try await Emulator.with(.solo, [.tcp("alice")]) { emulator in
            for _ in 0..<200 {
                let client = try TestClient.connect(port: emulator.port(of: "alice"))
                client.send([0x3C, 0x01, 0x00, 0x05, 0x3C])
            }

            let last = try TestClient.connect(port: emulator.port(of: "alice"))
            #expect(last.asksTime())
        }
    }

    @Test func `a client that ends its own side gets its answers, and then the connection ends`() async throws {
        try await Emulator.with(.solo, [.tcp("alice")]) { emulator in
            let client = try TestClient.connect(port: emulator.port(of: "alice"))

            client.sendFrame([5])
            client.endOutput()

            #expect(client.receiveFrame()?.first == 9)
            #expect(client.isClosed())
            let isConnected = try await emulator.inspect { $0.companion(NodeID(index: 0))?.isConnected }
            #expect(isConnected == false)
        }
    }

    @Test func `a client that sends and never reads stalls itself and nobody else`() async throws {
        try await Emulator.with(.village, [.tcp("alice"), .tcp("bob")]) { emulator in
            let stalled = try TestClient.connect(port: emulator.port(of: "alice"), receiveBuffer: 4096)
            let commands = [UInt8](([0x3C, 0x01, 0x00, 0x05] as [UInt8]).repeated(50_000))
            stalled.send(commands, within: 200)

            let other = try TestClient.connect(port: emulator.port(of: "bob"))
            #expect(other.asksTime())
            let next = try TestClient.connect(port: emulator.port(of: "alice"))
            #expect(next.asksTime())
        }
    }

    @Test func `a length that can never arrive blocks the client that sent it, within the socket's buffers`()
        async throws
    {
        try await Emulator.with(.village, [.tcp("alice"), .tcp("bob")]) { emulator in
            let hostile = try TestClient.connect(port: emulator.port(of: "alice"))

            hostile.send([0x3C, 0xFF, 0xFF])
            let taken = hostile.send([UInt8](repeating: 0x41, count: 50_000_000), within: 200)

            #expect(taken < 10_000_000)
            let other = try TestClient.connect(port: emulator.port(of: "bob"))
            #expect(other.asksTime())
            let next = try TestClient.connect(port: emulator.port(of: "alice"))
            #expect(next.asksTime())
        }
    }

    @Test func `garbage is harmless`() async throws {
        try await Emulator.with(.solo, [.tcp("alice")], pace: .clock(speed: 20)) { emulator in
            var randomness = Seed(99).stream("garbage")
            for _ in 0..<20 {
                let hostile = try TestClient.connect(port: emulator.port(of: "alice"))
                hostile.send((0..<5000).map { _ in randomness.nextByte() }, within: 100)
            }

            let client = try TestClient.connect(port: emulator.port(of: "alice"))
            #expect(client.asksTime())
        }
    }

    @Test func `a port in use is named`() async throws {
        try await Emulator.with(.solo, [.tcp("alice")]) { emulator in
            let port = emulator.port(of: "alice")
            let taken = NodeEndpoint(label: "alice", endpoint: .tcp(host: "127.0.0.1", port: UInt16(port)))

            await #expect(throws: EmulatorError.link(.portInUse(host: "127.0.0.1", port: UInt16(port)))) {
                try await Emulator.start(.init(world: .solo, seed: Seed(1), endpoints: [taken]))
            }
        }
    }

    @Test func `a port is free again when the emulator has stopped`() async throws {
        let emulator = try await Emulator.start(.init(world: .solo, seed: Seed(1), endpoints: [.tcp("alice")]))
        let endpoints = emulator.endpoints
        await emulator.stop()

        let again = try await Emulator.start(.init(world: .solo, seed: Seed(1), endpoints: endpoints))
        await again.stop()
        #expect(throws: TestClient.Failure.self) { try TestClient.connect(port: again.port(of: "alice")) }
    }

    @Test func `an endpoint of a node that is not there, or has one already, is refused`() async {
        let start = { (endpoints: [NodeEndpoint]) in
            try await Emulator.start(.init(world: .village, seed: Seed(1), endpoints: endpoints))
        }

        await #expect(throws: EmulatorError.unknownNode("carol", known: ["alice", "rep1", "bob", "room1", "sens1"])) {
            try await start([.tcp("carol")])
        }
        await #expect(throws: EmulatorError.secondEndpoint(label: "bob")) {
            try await start([.tcp("bob"), .tcp("bob")])
        }
    }

    @Test func `the console of a repeater is at its port`() async throws {
        try await Emulator.with(.village, [.tcp("rep1")]) { emulator in
            let client = try TestClient.connect(port: emulator.port(of: "rep1"))
            let line = "discover.neighbors\r"

            client.send([UInt8](line.utf8))

            let id = try await emulator.inspect { $0.repeater(NodeID(index: 1))?.publicKey.hex.uppercased() ?? "" }
            let text = "Repeater ID: \(id)\r\n" + line + "\n  -> OK - Discover sent\r\n"
            #expect(String(decoding: client.receive(text.utf8.count), as: UTF8.self) == text)
        }
    }

    @Test func `a reboot closes the connection, and the board answers again after its boot delay`() async throws {
        try await Emulator.with(.solo, [.tcp("alice")], pace: .clock(speed: 10)) { emulator in
            let client = try TestClient.connect(port: emulator.port(of: "alice"))

            client.sendFrame([19] + Array("reboot".utf8))

            #expect(client.isClosed())
            while try await !emulator.inspect({ $0.isUp(NodeID(index: 0)) }) {}
            let next = try TestClient.connect(port: emulator.port(of: "alice"))
            #expect(next.asksTime())
        }
    }
}

extension Array {
    func repeated(_ count: Int) -> [Element] {
        var all: [Element] = []
        all.reserveCapacity(count * self.count)
        for _ in 0..<count { all += self }
        return all
    }
}

extension TestClient {
    /// Returns whether a frame of this code comes, whatever comes before it.
    fileprivate func receives(_ code: UInt8) -> Bool {
        while let frame = receiveFrame() { if frame.first == code { return true } }
        return false
    }
}
