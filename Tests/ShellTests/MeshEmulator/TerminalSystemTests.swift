import Foundation
import MeshSimulator
import MeshTestSupport
import MeshTime
import MeshTransports
import Testing

@testable import MeshEmulator

@Suite struct TerminalSystemTests {
    let scratch = Scratch()
    var link: String { scratch.file("alice.tty") }
    var endpoint: NodeEndpoint { NodeEndpoint(label: "alice", endpoint: .pty(path: link)) }

    @Test func `a client on the terminal is answered in frames`() async throws {
        try await Emulator.with(.solo, [endpoint]) { _ in
            let client = try TestClient.open(terminal: link)

            client.send([0x3C, 0x01, 0x00, 0x05])

            #expect(client.receive(8).prefix(4) == [0x3E, 0x05, 0x00, 0x09])
        }
    }

    @Test func `the terminal passes every byte unchanged, both ways`() async throws {
        let echo = WorldDescription(
            name: "echo", summary: "", nodes: [NodeDescription("alice", .guest { _ in Echo() })])
        try await Emulator.with(echo, [endpoint]) { _ in
            let client = try TestClient.open(terminal: link)
            let bytes = (0...255).map { UInt8($0) }

            client.send(bytes)

            #expect(client.receive(256) == bytes)
        }
    }

    @Test func `the terminal can be opened, closed and opened again`() async throws {
        try await Emulator.with(.solo, [endpoint]) { _ in
            for _ in 0..<20 {
                let client = try TestClient.open(terminal: link)
                #expect(client.asksTime())
            }
        }
    }

    @Test func `while nobody listens the driver keeps little`() async throws {
        let talker = WorldDescription(
            name: "talker", summary: "", nodes: [NodeDescription("alice", .guest { _ in Talker() })])
        let (notes, sink) = AsyncStream.makeStream(of: String.self)
        try await Emulator.with(talker, [endpoint], pace: .stepped, log: { sink.yield($0) }) { emulator in
            try await emulator.pass(.seconds(30))
            let client = try TestClient.open(terminal: link)
            for await note in notes where note == "alice: terminal opened" { break }

            let kept = client.receive(200)
            var heard = 0
            for _ in 0..<50 {
                try await emulator.pass(.seconds(1))
                heard += client.receive(100).count
            }

            #expect(kept.count == 200, "what fits into 256 bytes of the hundreds that were said")
            #expect(heard == 5000, "a listener hears all that is said from now on")
            #expect(!client.hasInput, "and nothing else")
        }
    }

    @Test func `the link goes away with the emulator`() async throws {
        try await Emulator.with(.solo, [endpoint]) { _ in
            let target = try FileManager.default.destinationOfSymbolicLink(atPath: link)
            #expect(target.hasPrefix("/dev/pts/"))
        }

        #expect(!FileManager.default.fileExists(atPath: link))
        #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == nil)
    }

    @Test func `a link that a killed emulator has left is replaced`() async throws {
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/pts/999999")

        try await Emulator.with(.solo, [endpoint]) { _ in
            let client = try TestClient.open(terminal: link)
            #expect(client.asksTime())
        }
    }

    @Test func `a file of somebody else's at the path is an error and stays`() async throws {
        try Data("mine".utf8).write(to: URL(fileURLWithPath: link))

        await #expect(throws: EmulatorError.link(.pathOccupied(path: link))) {
            try await Emulator.start(.init(world: .solo, seed: Seed(1), endpoints: [endpoint]))
        }

        #expect(try String(contentsOfFile: link, encoding: .utf8) == "mine")
    }

    @Test func `a path in a folder that is not there is an error that says so`() async {
        let path = scratch.file("missing/alice.tty")

        await #expect(throws: EmulatorError.link(.noTerminal(path: path, reason: "No such file or directory"))) {
            let endpoint = NodeEndpoint(label: "alice", endpoint: .pty(path: path))
            try await Emulator.start(.init(world: .solo, seed: Seed(1), endpoints: [endpoint]))
        }
    }

    @Test func `a client that does not read loses frames, and the radio goes on`() async throws {
        try await Emulator.with(.solo, [endpoint]) { _ in
            let stalled = try TestClient.open(terminal: link)
            stalled.send(([0x3C, 0x01, 0x00, 0x05] as [UInt8]).repeated(20_000), within: 300)

            while let chunk = stalled.receiveSome(65_536, within: 300), !chunk.isEmpty {}

            #expect(stalled.asksTime())
        }
    }
}
