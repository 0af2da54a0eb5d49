import MeshCapture
import MeshCompanion
import MeshSimulator
import MeshTestSupport
import MeshTime
import Synchronization
import Testing

@testable import MeshEmulator

/// Recordings that an emulator makes of its own radios.
@Suite struct RecordingSystemTests {
    /// The recorded lines, by node.
    final class Lines: Sendable {
        private let lines = Mutex<[(label: String, entry: RecordingEntry)]>([])

        func add(_ label: String, _ entry: RecordingEntry) {
            lines.withLock { $0.append((label, entry)) }
        }

        func events(_ label: String) -> [RecordingEntry.Event] {
            lines.withLock { lines in lines.filter { $0.label == label }.map(\.entry.event) }
        }

        func entries(_ label: String) -> [RecordingEntry] {
            lines.withLock { lines in lines.filter { $0.label == label }.map(\.entry) }
        }
    }

    @Test func `every frame of an endpoint is recorded, and what the radio sends and hears on the air`() async throws {
        let lines = Lines()
        let emulator = try await Emulator.start(
            .init(
                world: .village, seed: Seed(7), endpoints: [.tcp("alice"), .tcp("rep1")], pace: .stepped,
                record: lines.add))
        var client: TestClient? = try TestClient.connect(port: emulator.port(of: "alice"))

        client?.sendFrame([7, 1])
        let answer = try await emulator.frame(for: #require(client))
        #expect(answer == [0])
        // The repeater sends the advert on.
        while let app = client, let frame = try await emulator.frame(for: app), frame.first != 0x88 {}
        client = nil
        await emulator.stop()

        let events = lines.events("alice")
        let frames = events.filter { if case .frame = $0 { true } else { false } }
        #expect(events.first == .connected)
        #expect(frames.prefix(2) == [.frame(.toRadio, [7, 1]), .frame(.toApp, [0])])
        let sent = events.compactMap { if case .packet(.transmitted, let bytes, nil) = $0 { bytes } else { nil } }
        let logged = events.filter { if case .frame(.toApp, let frame) = $0 { frame.first == 0x88 } else { false } }
        let received = events.filter { if case .packet(.heard, _, .some) = $0 { true } else { false } }
        #expect(sent.count == 1 && (sent.first?.count ?? 0) > 100)
        #expect(logged.count == 1)
        #expect(received.count == 1, "a packet that the radio logs stands there once: \(received)")
        let times = lines.entries("alice").map(\.time)
        #expect(times == times.sorted())
        // The console of a repeater is not in frames.
        #expect(lines.entries("rep1").isEmpty)
    }

    @Test func `a recorder that cannot write ends the run`() async throws {
        struct Full: Error, CustomStringConvertible { let description = "no space left" }
        let emulator = try await Emulator.start(
            .init(world: .solo, seed: Seed(7), endpoints: [.tcp("alice")], record: { _, _ in throw Full() }))

        let client = try TestClient.connect(port: emulator.port(of: "alice"))

        #expect(client.isClosed())
        await #expect(throws: EmulatorError.notRecorded(reason: "no space left")) {
            try await emulator.waitUntilEnded()
        }
        await emulator.stop()
    }
}
