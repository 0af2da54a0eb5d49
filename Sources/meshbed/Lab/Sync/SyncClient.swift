import MeshCore
import PocketMeshServices

/// An app with the services of one connection, which stores everything that its radio has.
///
/// It is no `StackApp`, whose connection manager connects again and resumes what failed. A benchmark measures one
/// synchronisation and nothing beside it. A process that is to be killed must end by itself after a failure.
struct SyncClient {
    let session: MeshCoreSession
    let services: ServiceContainer
    let device: DeviceDTO

    /// Opens the link, and stores who the radio is.
    init(
        transport: any MeshTransport, store: PersistenceStore, profile: StackProfile = .architectureV2,
        dependencies: ServiceDependencies
    ) async throws {
        session = MeshCoreSession(
            transport: transport, clock: dependencies.clock, executor: dependencies.executor)
        try await session.start()
        let make = try await session.queryDevice()
        guard let info = await session.currentSelfInfo else { throw SessionError.notStarted }
        device = try await store.saveDevice(
            DeviceDTO(selfInfo: info, deviceInfo: make, lastConnected: dependencies.now()))
        let session = session
        services = await MainActor.run {
            ServiceContainer(
                session: session, store: store, profile: profile, dependencies: dependencies,
                credentials: MemoryCredentialStore(),
                notifications: NotificationService(
                    sink: MemoryNotificationSink(), settings: store, clock: dependencies.clock))
        }
    }

    /// Contacts, channels and messages, in this order. Throws when the store has not all that the radio had.
    func sync() async throws {
        try await services.performInitialSync(deviceID: device.id)
        if let outcome = await services.syncCoordinator.lastOutcome, !outcome.isComplete { throw Incomplete(outcome) }
    }

    /// The error of a synchronisation that left something on the radio.
    private struct Incomplete: Error, CustomStringConvertible {
        let outcome: SyncOutcome

        init(_ outcome: SyncOutcome) { self.outcome = outcome }

        var description: String { "the synchronisation is not complete: \(outcome)" }
    }

    func end() async {
        await services.tearDown()
        await session.stop()
    }
}
