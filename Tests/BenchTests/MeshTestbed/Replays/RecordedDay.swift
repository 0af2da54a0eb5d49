import Foundation
import MeshCapture
import MeshCaptureIO
import MeshCompanion
import MeshCore
import MeshEmulator
import MeshPacket
import MeshSimulator
import MeshTime
import MeshVirtualTime
import MeshWire
import PocketMeshServices

@testable import MeshScenarios
@testable import meshbed

/// Recordings made here, of the stack and of a bare session with emulated radios.
enum RecordedDay {
    /// A stack that connects to a radio with a queue full of messages.
    static func sync(messages: Int = 40) throws -> Recording {
        var benchmark = ReplayBenchmark()
        benchmark.load.messages = messages
        benchmark.load.contacts = 7
        benchmark.load.channels = 3
        return try benchmark.recording()
    }

    /// A session that asks the solo radio of this seed for this and that.
    static func session(seed: UInt64 = 7) throws -> Recording {
        try VirtualTime.run { clock in
            let world = LoopbackWorld(World(.solo, seed: Seed(seed)), clock: clock)
            let log = TrafficLog()
            let link = log.recorded(try await world.transport(to: "alice"), clock: clock)
            try await MeshCoreSession.visit(link, clock: clock) { session in
                try await session.queryDevice()
                try await session.setTime(1_900_000_000)
                try await session.setName("alice on the hill")
                try await clock.sleep(for: .seconds(3))
                _ = try await session.getContacts()
                try await session.setName("alice")
            }
            await link.disconnect()
            await world.end()
            return log.recording(
                RecordingHeader(transport: .loopback, rows: [.init("world", "solo"), .init("seed", "\(seed)")]))
        }
    }

    /// A recording of these lines: time, `+`, `-`, `>` or `<`, and a frame in hex.
    static func made(of lines: [String]) throws -> Recording {
        let rows = lines.map { line in
            let words = line.split(separator: " ", maxSplits: 1)
            return "\(words[0]) tcp \(words[1])"
        }
        var problems: [CaptureProblem] = []
        let text = "meshbed capture 1\n\n" + rows.joined(separator: "\n") + "\n"
        let recording = try Recording(text.utf8, problems: &problems)
        if let problem = problems.first { throw problem }
        return recording
    }

    /// The recording as a file that is there for as long as the body runs.
    static func withFile<R>(_ recording: Recording, _ body: (String) throws -> R) throws -> R {
        let path = FileManager.default.temporaryDirectory.path + "/replay-\(UUID().uuidString).capture"
        try recording.text.write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try body(path)
    }
}
