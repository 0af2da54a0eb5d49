import FoundationEssentials
import MeshCapture
import MeshEmulator
import MeshScenarios
import MeshSimulator
import MeshTime
import MeshVirtualTime
import PocketMeshServices

/// The speed at which a recording with a deep queue of messages goes into the service stack.
struct ReplayBenchmark: Sendable {
    var load = SyncLoad()
    var seed = Seed(42)

    init() {}

    struct Row: Hashable, Sendable, Codable {
        let messages: Int
        /// Lines of the recording, and its size as text.
        let entries: Int
        let bytes: Int
        /// Reading the text.
        let readSeconds: Double
        /// The replayer alone, without a stack.
        let replayerSeconds: Double
        /// The whole stack with a store in memory, on virtual time.
        let stackSeconds: Double

        var rate: Double { Double(messages) / stackSeconds }
        var replayerRate: Double { Double(messages) / replayerSeconds }
        var megabytesPerSecond: Double { Double(bytes) / readSeconds / 1e6 }
    }

    /// Records a sync of the load, then replays it. Throws a `SyncFailure` unless every message is in the store.
    func run() throws -> Row {
        let text = try recording().text
        var problems: [CaptureProblem] = []
        var recording = Recording(RecordingHeader())
        let read = try Self.seconds { recording = try Recording(text.utf8, problems: &problems) }
        let replayer = Self.seconds { Self.drain(recording) }
        var stored = 0
        let stack = try Self.seconds { stored = try StackReplay(recording, pace: .atOnce).run().messages.count }
        guard stored == load.messages else { throw SyncFailure(expected: load.messages, stored: stored) }
        return Row(
            messages: stored, entries: recording.entries.count, bytes: text.utf8.count, readSeconds: read,
            replayerSeconds: replayer, stackSeconds: stack)
    }

    /// Records the traffic between a stack and an emulated radio with the load.
    func recording() throws -> Recording {
        try VirtualTime.run { clock in
            let world = LoopbackWorld(World(load.world(seed: seed), seed: seed, checks: false), clock: clock)
            let log = TrafficLog()
            let link = log.recorded(try await world.transport(to: SyncLoad.label), clock: clock)
            let dependencies = ServiceDependencies(
                clock: clock, startDate: Date(timeIntervalSince1970: Double(Stage.startOfTime)), seed: seed)
            let app = try await StackApp("bench", choices: StackChoices(), link: link, dependencies: dependencies)
            try await app.open()
            try await clock.sleep(for: .seconds(1))
            await app.close()
            await world.end()
            return log.recording()
        }
    }

    /// Sends every recorded command, and receives what comes.
    private static func drain(_ recording: Recording) {
        var radio = RadioReplayer(recording, pace: .atOnce)
        var effects: [RadioReplayer.Effect] = []
        radio.handle(.connected, at: .start, into: &effects)
        for case .frame(.toRadio, let frame) in recording.entries.lazy.map(\.event) {
            effects.removeAll(keepingCapacity: true)
            radio.handle(.frame(frame), at: .start, into: &effects)
        }
    }

    private static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        try body()
        return (ContinuousClock.now - start) / .seconds(1)
    }
}
