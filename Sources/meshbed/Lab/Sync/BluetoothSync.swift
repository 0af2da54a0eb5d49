import FoundationEssentials
import MeshBluetoothHost
import MeshCapture
import MeshCompanion
import MeshCore
import MeshEmulator
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshTransports
import MeshVirtualTime
import PocketMeshServices
import Synchronization

/// The cost of a sync over Bluetooth: an app with the whole service stack fetches everything from a radio, on virtual
/// time.
///
/// The app's own work needs no time; the measured times are those of the link with its connection events, and of the
/// radio. So the same seed gives the same row on every machine, apart from the CPU time.
struct BluetoothSync: Sendable {
    var load = SyncLoad()
    var seed = Seed(42)
    /// The chip family of the radio: `.nrf52` or `.esp32`.
    var platform: BoardPlatform
    /// The properties of the link.
    var link = LoopbackBluetooth()

    init(_ platform: BoardPlatform) {
        self.platform = platform
    }

    /// The result of a sync.
    struct Row: Hashable, Sendable, Codable {
        let chip: String
        /// From one connection event to the next, at the end.
        let intervalMilliseconds: Double
        /// The longest payload of a packet, in bytes.
        let payload: Int
        let messages: Int
        /// From the scan until frames pass, pairing included.
        let connectSeconds: Double
        /// All of the sync: the radio's settings, contacts, channels and messages.
        let seconds: Double
        /// The messages alone: from the first answer to the last.
        let messageSeconds: Double
        /// The least time that the link and the radio allow for these.
        let limitSeconds: Double
        /// Connection events in which something was sent, from the first on.
        let events: Int
        let packets: Int
        let bytes: Int
        let repeats: Int
        /// The time that packets were on the air.
        let airSeconds: Double
        /// CPU time of the process, the emulated radio included.
        let cpuSeconds: Double
        /// A fingerprint of the run: equal for equal runs.
        let digest: UInt64

        /// The limit, as a part of the time that it lasted.
        var share: Double { limitSeconds / messageSeconds }
    }

    /// Syncs; throws when not every message came.
    func run() throws -> Row {
        let cpu = ProcessUsage.cpuSeconds
        let outcome = try VirtualTime.measure { clock in try await play(clock) }
        let sync = outcome.value
        guard let limit = sync.limit, sync.exchanges.count == load.messages + 1 else {
            throw SyncFailure(expected: load.messages, stored: max(0, sync.exchanges.count - 1))
        }
        let allowed = limit.time(exchanges: sync.exchanges.dropFirst())
        return Row(
            chip: platform.rawValue, intervalMilliseconds: Double(limit.interval.microseconds) / 1000,
            payload: limit.longestPayload, messages: sync.exchanges.count - 1,
            connectSeconds: sync.connected / .seconds(1), seconds: sync.ended / .seconds(1),
            messageSeconds: (sync.last - sync.first) / .seconds(1),
            limitSeconds: Double(allowed.microseconds) / 1e6, events: sync.use.events, packets: sync.use.packets,
            bytes: sync.use.bytes, repeats: sync.use.repeats,
            airSeconds: Double(sync.use.airTime.microseconds) / 1e6, cpuSeconds: ProcessUsage.cpuSeconds - cpu,
            digest: outcome.digest)
    }

    /// The observations of one sync; moments are counted from its beginning.
    private struct Sync: Sendable {
        var connected = Duration.zero
        var ended = Duration.zero
        /// The first and the last answer to a question for a message.
        var first = Duration.zero
        var last = Duration.zero
        /// Questions for a message and their answers, by their lengths.
        var exchanges: [(request: Int, response: Int)] = []
        var question: Int?
        var use = AirUse()
        var limit: RequestResponseLimit?

        mutating func note(_ event: RecordingEntry.Event, at now: Duration) {
            switch event {
            case .connected: connected = now
            case .frame(.toRadio, let frame) where frame.first == CommandCode.syncNextMessage.rawValue:
                question = frame.count
            // Pushes come when they like.
            case .frame(.toApp, let frame) where frame.first ?? 0x80 < 0x80:
                guard let question else { return }
                self.question = nil
                if exchanges.isEmpty { first = now }
                last = now
                exchanges.append((question, frame.count))
            default: break
            }
        }
    }

    private func play(_ clock: VirtualClock) async throws -> Sync {
        var description = load.world(seed: seed)
        for index in description.nodes.indices {
            description.nodes[index].role = .companion(.bluetooth)
            description.nodes[index].board.platform = platform
        }
        var bluetooth = link
        bluetooth.seed = seed.part("bluetooth")
        let world = LoopbackWorld(
            World(description, seed: seed, checks: false), clock: clock, bluetooth: bluetooth)
        let seen = Mutex(Sync())
        let elapsed = clock.stopwatch()
        let transport = RecordingTransport(try await world.transport(to: SyncLoad.label), clock: clock) { entry in
            seen.withLock { $0.note(entry.event, at: elapsed()) }
        }
        var profile = StackProfile.architectureV2
        // The queue is deeper than that of any radio.
        profile.sync.drainLimit = max(profile.sync.drainLimit, load.messages + 1)
        let dependencies = ServiceDependencies(
            clock: clock, startDate: Date(timeIntervalSince1970: Double(SyncLoad.firstTimestamp)), seed: seed)
        let client = try await SyncClient(
            transport: transport, store: PersistenceStore(), profile: profile, dependencies: dependencies)
        try await client.sync()
        let (use, limit) = (await world.airUse(of: SyncLoad.label), await world.airLimit(of: SyncLoad.label))
        let ended = elapsed()
        await client.end()
        await world.end()
        return seen.withLock {
            ($0.use, $0.limit, $0.ended) = (use ?? AirUse(), limit, ended)
            return $0
        }
    }
}
