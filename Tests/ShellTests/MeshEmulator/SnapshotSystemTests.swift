import MeshCapture
import MeshFirmware
import MeshSimulator
import MeshTestSupport
import MeshTime
import MeshWire
import MeshWorlds
import Synchronization
import Testing

@testable import MeshEmulator

/// Worlds with files and modelled links that go back to a snapshot while clients are connected.
@Suite struct SnapshotSystemTests {
    private let scratch = Scratch()
    private let alice = NodeID(index: 0)

    private final class Files: Sendable {
        let recorded = Mutex<[RecordingEntry]>([])
        let turns = Mutex<[String]>([])
    }

    private func start(_ link: LoopbackLink, _ state: StateDirectory, _ files: Files) async throws -> Emulator {
        var configuration = Emulator.Configuration(
            world: .solo, seed: Seed(7), endpoints: [.tcp("alice")], pace: .stepped,
            state: state,
            record: { _, entry in files.recorded.withLock { $0.append(entry) } })
        configuration.link = link
        configuration.isSteered = true
        configuration.happened = { _, _, _ in }
        configuration.turned = { turn, at in files.turns.withLock { $0.append("\(turn.word) \(turn.name) \(at)") } }
        return try await Emulator.start(configuration)
    }

    /// Asks for the time until the radio answers; a modelled link needs time of the world for that.
    private func ask(_ client: TestClient, _ command: [UInt8], _ emulator: Emulator) async throws -> UInt8? {
        client.sendFrame(command)
        for _ in 0..<600 where !client.hasInput { try await emulator.advance(by: .milliseconds(100)) }
        return client.receiveFrame()?.first
    }

    @Test(arguments: [LoopbackLink.direct, .bluetoothNRF52])
    func `a world with state, trace and recording goes back, and marks its files`(link: LoopbackLink) async throws {
        let files = Files()
        let state = try StateDirectory(path: scratch.file("state"))
        let emulator = try await start(link, state, files)
        let port = emulator.port(of: "alice")
        let first = try TestClient.connect(port: port)
        #expect(try await ask(first, [8] + Array("Ada".utf8), emulator) == 0)
        try await emulator.steer { try $0.takeSnapshot("named") }
        #expect(try await ask(first, [8] + Array("Eve".utf8), emulator) == 0)

        try await emulator.steer { try $0.restore("named") }

        #expect(first.isClosed())
        let second = try TestClient.connect(port: port)
        #expect(try await ask(second, [5], emulator) == 9)
        let flash = try await emulator.inspect { $0.flash(of: alice) }
        #expect(try await emulator.inspect { $0.companion(alice)?.name.description } == "Ada")
        await emulator.stop()
        // The files of the node are those of the run that went on.
        for file in flash.files { #expect(try state.load("alice")[file.path] == file.bytes, "\(file.path)") }
        #expect(files.turns.withLock { $0.map { String($0.prefix(14)) } } == ["snapshot named", "restored named"])
        let turns = files.recorded.withLock { entries in entries.compactMap { $0.event.turn } }
        #expect(turns == [.snapshot("named"), .restored("named")])
    }
}

extension RecordingEntry.Event {
    fileprivate var turn: RunTurn? {
        if case .turn(let turn) = self { turn } else { nil }
    }
}
