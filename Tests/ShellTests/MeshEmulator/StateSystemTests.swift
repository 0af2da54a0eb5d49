import Foundation
import MeshFirmware
import MeshSimulator
import MeshTestSupport
import MeshTime
import MeshWire
import Testing

@testable import MeshEmulator

@Suite struct StateSystemTests {
    let scratch = Scratch()
    let alice = NodeID(index: 0)

    /// Starts `solo` on the scratch folder's state, runs the body, stops and lets go of the folder.
    func run(
        seed: UInt64 = 7, pace: Pace = .clock(speed: 1), _ body: (Emulator, TestClient) async throws -> Void
    ) async throws {
        let state = try StateDirectory(path: scratch.file("state"))
        try await Emulator.with(.solo, [.tcp("alice")], seed: seed, pace: pace, state: state) { emulator in
            try await body(emulator, try TestClient.connect(port: emulator.port(of: "alice")))
        }
    }

    @Test func `name and identity survive a restart with another seed`() async throws {
        var keys: [String?] = []
        try await run(seed: 7) { emulator, client in
            client.sendFrame([8] + Array("Ada".utf8))
            #expect(client.receiveFrame() == [0])
            keys.append(try await emulator.inspect { $0.companion(alice)?.publicKey.hex })
        }

        try await run(seed: 8) { emulator, client in
            keys.append(try await emulator.inspect { $0.companion(alice)?.publicKey.hex })
            let name = try await emulator.inspect { $0.companion(alice)?.name.description }
            #expect(name == "Ada")
        }

        #expect(keys[0] != nil)
        #expect(keys[0] == keys[1])
    }

    @Test func `what has been acknowledged is on disk, also when the process ends at once`() async throws {
        try await run { emulator, client in
            client.sendFrame([8] + Array("Grace".utf8))
            #expect(client.receiveFrame() == [0])

            // Read while the emulator runs: nothing is left to be written at its end.
            let flash = try await emulator.inspect { $0.flash(of: alice) }
            for file in flash.files {
                let stored = try Data(contentsOf: URL(fileURLWithPath: scratch.file("state/alice\(file.path)")))
                #expect([UInt8](stored) == file.bytes, "\(file.path)")
            }
            #expect(!flash.files.isEmpty)
        }
    }

    @Test func `when a change cannot be stored it is not acknowledged, and the emulator ends with the reason`()
        async throws
    {
        let state = try StateDirectory(path: scratch.file("state"))
        let emulator = try await Emulator.start(
            .init(world: .solo, seed: Seed(7), endpoints: [.tcp("alice")], state: state))
        let client = try TestClient.connect(port: emulator.port(of: "alice"))
        #expect(client.asksTime())
        try FileManager.default.removeItem(atPath: scratch.file("state/alice"))
        try Data().write(to: URL(fileURLWithPath: scratch.file("state/alice")))

        client.sendFrame([8] + Array("Ada".utf8))

        #expect(client.receiveFrame() == nil)
        let error = await #expect(throws: EmulatorError.self) { try await emulator.waitUntilEnded() }
        #expect(error?.description.contains("state could not be written") == true)
        await emulator.stop()
    }

    @Test func `a clean end writes the contacts that would have been written later`() async throws {
        let key = [UInt8](repeating: 0x4B, count: 32)
        let add = [9] + key + [1, 0, 0xFF] + [UInt8](repeating: 0, count: 64 + 32 + 4 + 8)
        try await run(pace: .stepped) { emulator, client in
            client.sendFrame(add)
            let answer = try await emulator.frame(for: client)
            #expect(answer == [0])
            let file = scratch.file("state/alice/contacts3")
            #expect(!FileManager.default.fileExists(atPath: file), "five seconds have not passed")
        }

        try await run { _, client in
            client.sendFrame([30] + key)
            let contact = try #require(client.receiveFrame())
            #expect([UInt8](contact.prefix(33)) == [3] + key)
        }
    }

    @Test func `contacts that cannot be written at the end are reported, and a second stop is harmless`() async throws {
        let state = try StateDirectory(path: scratch.file("state"))
        let emulator = try await Emulator.start(
            .init(world: .solo, seed: Seed(7), endpoints: [.tcp("alice")], state: state))
        let client = try TestClient.connect(port: emulator.port(of: "alice"))
        client.sendFrame([9] + [UInt8](repeating: 0x4B, count: 32) + [1] + [UInt8](repeating: 0, count: 110))
        #expect(client.receiveFrame() == [0])
        try FileManager.default.createDirectory(
            atPath: scratch.file("state/alice/contacts3"), withIntermediateDirectories: true)

        await emulator.stop()
        await emulator.stop()

        let error = await #expect(throws: EmulatorError.self) { try await emulator.waitUntilEnded() }
        #expect(error?.description.contains("alice/contacts3") == true)
    }

    @Test(arguments: [
        ("identity/_main.id", Data(), "public key"),
        ("identity/_main.id", Data(repeating: 1, count: 40), "private key"),
        ("identity/_main.id", Data(repeating: 1, count: 96), "public key"),
        ("prefs.json", Data(), ""),
        ("prefs.json", Data("{name:\"relay".utf8), "name"),
        ("prefs.json", Data("{name:\"relay\",lat:north,lon:0}".utf8), "lat"),
        ("prefs.json", Data("{name:\"relay\",lat:1.5".utf8), "lat"),
    ])
    func `a repeater's damaged file is named, kept, and refused`(file: String, content: Data, field: String)
        async throws
    {
        try await Emulator.with(.village, [], state: try StateDirectory(path: scratch.file("state"))) { _ in }
        let path = scratch.file("state/rep1/\(file)")
        try content.write(to: URL(fileURLWithPath: path))

        let state = try StateDirectory(path: scratch.file("state"))
        let error = await #expect(throws: EmulatorError.self) {
            try await Emulator.start(.init(world: .village, seed: Seed(7), state: state))
        }

        guard case .stateDamaged(path, field, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == content)
    }

    @Test func `a factory reset empties the node's folder and makes it another node`() async throws {
        var keys: [String?] = []
        try await run(pace: .stepped) { emulator, client in
            keys.append(try await emulator.inspect { $0.companion(alice)?.publicKey.hex })
            client.sendFrame([8] + Array("Ada".utf8))
            let answer = try await emulator.frame(for: client)
            #expect(answer == [0])
            client.sendFrame([51] + Array("reset".utf8))
            // Until the restart a second later the board listens to nobody, and until it has booted it takes nobody.
            try await emulator.advance(by: .seconds(10))
            #expect(client.isClosed())
            #expect(try TestClient.connect(port: emulator.port(of: "alice")).asksTime())
            keys.append(try await emulator.inspect { $0.companion(alice)?.publicKey.hex })
        }

        #expect(keys[0] != keys[1])
        let stored = try StateDirectory(path: scratch.file("state")).load("alice")
        #expect(stored.files.map(\.path) == ["/_main.id"])
    }

    @Test func `a damaged file is named with its field, kept, and refused`() async throws {
        try await run { _, client in #expect(client.asksTime()) }
        let path = scratch.file("state/alice/_main.id")
        try Data(repeating: 1, count: 40).write(to: URL(fileURLWithPath: path))

        let state = try StateDirectory(path: scratch.file("state"))
        await #expect(
            throws: EmulatorError.stateDamaged(path: path, field: "private key", reason: "40 bytes instead of 96")
        ) {
            try await Emulator.start(.init(world: .solo, seed: Seed(1), state: state))
        }

        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(repeating: 1, count: 40))
    }

    @Test func `setting aside moves the files, and says where`() async throws {
        try await run { _, client in #expect(client.asksTime()) }
        let state = try StateDirectory(path: scratch.file("state"))

        let places = [try state.setAside("alice"), try state.setAside("alice"), try state.setAside("nobody")]

        #expect(places == [scratch.file("state/alice.old-1"), nil, nil])
        #expect(FileManager.default.fileExists(atPath: scratch.file("state/alice.old-1/_main.id")))
        #expect(try state.load("alice") == Flash())
    }

    @Test func `files are written whole: what a cut left behind is not read`() async throws {
        try await run { _, client in #expect(client.asksTime()) }
        try Data("half".utf8).write(to: URL(fileURLWithPath: scratch.file("state/alice/_main.id.new")))

        try await run { emulator, client in
            #expect(client.asksTime())
            let left = try await emulator.inspect { $0.flash(of: alice)["/_main.id.new"] }
            #expect(left == nil)
        }
    }

    @Test func `two emulators cannot work on one state directory`() throws {
        let first = try StateDirectory(path: scratch.file("state"))

        #expect(throws: EmulatorError.stateInUse(path: first.path)) { try StateDirectory(path: first.path) }
    }

    @Test func `a state directory that is a file, or holds a link, is refused by name`() throws {
        try Data().write(to: URL(fileURLWithPath: scratch.file("plain")))
        #expect(throws: EmulatorError.stateUnusable(path: scratch.file("plain"), reason: "is not a directory")) {
            try StateDirectory(path: scratch.file("plain"))
        }

        let state = try StateDirectory(path: scratch.file("state"))
        try FileManager.default.createDirectory(atPath: scratch.file("state/bob"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: scratch.file("state/bob/prefs"), withDestinationPath: "/etc/passwd")
        #expect(
            throws: EmulatorError.stateUnusable(
                path: scratch.file("state/bob/prefs"), reason: "is not a regular file")
        ) { try state.load("bob") }
    }
}
