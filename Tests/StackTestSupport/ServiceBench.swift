package import Foundation
import Logging
import MeshCompanion
package import MeshCore
package import MeshEmulator
package import MeshSimulator
package import MeshTime
package import MeshVirtualTime
import MeshWire
package import PocketMeshServices
import Synchronization

/// One app's stack up to its session: what every service is made of.
///
/// Not one of the simulated users of `MeshScenarios`, which uses the services: here each is tested by itself, without
/// the others.
package struct ServiceBench: Sendable {
    package let clock: VirtualClock
    package let dependencies: ServiceDependencies
    package let store: PersistenceStore
    package let session: MeshCoreSession
    /// The radio's row, as it stands in the store.
    package let device: DeviceDTO

    /// 14 June 2025; the radio's clock is set to it.
    package static let startDate = Date(timeIntervalSince1970: 1_749_900_000)

    /// Starts a session over the transport, and stores its radio.
    package init(
        transport: any MeshTransport, clock: VirtualClock, seed: Seed, store: PersistenceStore? = nil,
        configuration: SessionConfiguration = .default
    ) async throws {
        self.clock = clock
        // The date of the run, also for an app that starts later in it.
        let now = Self.startDate.addingTimeInterval(clock.now.sinceStart / .seconds(1))
        dependencies = ServiceDependencies(clock: clock, startDate: now, seed: seed)
        self.store = try store ?? PersistenceStore()
        session = MeshCoreSession(transport: transport, configuration: configuration, clock: clock)
        try await session.start()
        let make = try await session.queryDevice()
        try await session.setTime(dependencies.seconds)
        guard let info = await session.currentSelfInfo else { throw SessionError.notStarted }
        device = try await self.store.saveDevice(
            DeviceDTO(selfInfo: info, deviceInfo: make, lastConnected: dependencies.now()))
    }
}

/// Runs services against a radio that the test scripts, on virtual time.
///
/// The radio introduces itself, reports its make and accepts the time. Everything else is answered by the script,
/// before `send` returns.
package func withScriptedRadio<R: Sendable>(
    seed: UInt64 = 1, order: VirtualTime.Order = .arrival, store: PersistenceStore? = nil,
    answers: @escaping @Sendable ([UInt8]) async -> [[UInt8]] = { _ in [] },
    _ body: @escaping @Sendable (ServiceBench, MockTransport) async throws -> R
) throws -> R {
    try VirtualTime.run(order: order) { clock in
        let radio = MockTransport()
        await radio.answerEach { frame in
            let scripted = await answers(frame)
            if !scripted.isEmpty { return scripted }
            switch frame.first.flatMap(CommandCode.init(rawValue:)) {
            case .appStart: return [Frames.selfInfo.encoded()]
            case .deviceQuery: return [Frames.deviceInfo.encoded()]
            case .setDeviceTime: return [Frames.ok]
            default: return []
            }
        }
        let bench = try await ServiceBench(transport: radio, clock: clock, seed: Seed(seed), store: store)
        let result = try await body(bench, radio)
        await bench.session.stop()
        return result
    }
}

/// Apps with their radios in an emulated mesh, on virtual time.
package struct MeshBench: Sendable {
    package let clock: VirtualClock
    package let world: LoopbackWorld
    package let seed: Seed

    /// The stack of one companion radio of the world.
    package func app(_ label: String, store: PersistenceStore? = nil) async throws -> ServiceBench {
        try await ServiceBench(
            transport: try await world.transport(to: label), clock: clock, seed: seed.part(label), store: store)
    }

    /// Lets the apps' radios advertise until each has all others among its contacts.
    package func introduce(_ apps: [ServiceBench]) async throws {
        for _ in 0..<20 {
            var isDone = true
            for app in apps {
                let known = try await app.session.getContacts().contacts.map { Data($0.publicKey.array) }
                isDone =
                    isDone && apps.allSatisfy { $0.device.id == app.device.id || known.contains($0.device.publicKey) }
            }
            if isDone { return }
            for app in apps {
                try await app.session.sendAdvertisement(flood: true)
                try await clock.sleep(for: .seconds(7))
            }
        }
        throw MeshTransportError.deviceNotFound("a contact that has advertised twenty times")
    }
}

/// Runs apps against an emulated mesh on virtual time; `pair` is alice, a repeater between, and bob.
package func withMesh<R: Sendable>(
    _ description: WorldDescription = .village, seed: UInt64 = 7, order: VirtualTime.Order = .arrival,
    _ body: @escaping @Sendable (MeshBench) async throws -> R
) throws -> R {
    try VirtualTime.run(order: order) { clock in
        let world = LoopbackWorld(World(description, seed: Seed(seed)), clock: clock)
        let result = try await body(MeshBench(clock: clock, world: world, seed: Seed(seed)))
        await world.end()
        return result
    }
}

/// The notes of a test, from any task.
package final class Notes<Entry: Sendable>: Sendable {
    private let entries = Mutex<[Entry]>([])

    package init() {}

    package var all: [Entry] { entries.withLock { $0 } }

    package func add(_ entry: Entry) {
        entries.withLock { $0.append(entry) }
    }

    package func takeAll() -> [Entry] {
        entries.withLock { entries in
            defer { entries = [] }
            return entries
        }
    }
}

extension StackEvents {
    /// Records from now on the values that `entry` returns for events.
    @discardableResult
    package func note<Entry: Sendable>(
        in notes: Notes<Entry>, _ entry: @escaping @Sendable (StackEvent) -> Entry?
    ) -> Observation {
        observe { event in
            if let entry = entry(event) { notes.add(entry) }
        }
    }
}
