import FoundationEssentials
import MeshCompanion
public import MeshCore

/// Changes the settings of a radio, and verifies that it stores them.
///
/// A plain setter writes and waits for the radio's OK. A verified one then reads the radio's information, compares,
/// stores it in the radio's row, and emits the change. Changes are made one after the other, so each reads back its own
/// value. Errors are `StackError` or `CancellationError`.
public actor SettingsService {
    let session: MeshCoreSession
    let store: PersistenceStore
    let policy: SettingsPolicy
    let dependencies: ServiceDependencies
    let lowBattery: NotificationService?
    private let changes = AsyncSemaphore()
    /// The events of this service: `settingsChanged` after each verified change, and `batteryRead`.
    public nonisolated let events: StackEvents
    var watch: [Task<Void, Never>] = []

    /// Makes the service of one connection: its session, and the store that keeps the results.
    public init(
        session: MeshCoreSession, store: PersistenceStore, profile: StackProfile,
        dependencies: ServiceDependencies, events: StackEvents = StackEvents(),
        lowBattery: NotificationService? = nil
    ) {
        self.session = session
        self.store = store
        policy = profile.settings
        self.dependencies = dependencies
        self.events = events
        self.lowBattery = lowBattery
    }

    /// Ends all that runs, and sends away callers that wait for a turn.
    public func stop() {
        stopEventMonitoring()
        changes.close(.notStarted)
    }

    // MARK: Changing

    /// Runs one change when those before it have ended; errors of the layers below become the service's own.
    func inTurn<R: Sendable>(
        _ body: @Sendable (isolated SettingsService) async throws -> R
    ) async throws -> R {
        try await inTerms(of: .settings) {
            let turn = try await changes.pass()
            defer { changes.leave(turn) }
            return try await body(self)
        }
    }

    /// Throws `needsFirmware` before anything is written where the radio's firmware cannot do it.
    func require(_ capability: FirmwareCapability) async throws(StackError) {
        try await session.capabilities.require(capability, for: .settings)
    }

    /// Writes, and waits for the radio's OK.
    func plain(_ write: @escaping @Sendable (MeshCoreSession) async throws -> Void) async throws {
        try await shown { try await inTurn { try await write($0.session) } }
    }

    /// Has pages show a change of the radio's settings until it has ended, well or not.
    func shown<R: Sendable>(_ change: () async throws -> R) async throws -> R {
        events.emit(.syncActivityChanged(isShown: true))
        defer { events.emit(.syncActivityChanged(isShown: false)) }
        return try await change()
    }

    /// Writes, reads back and compares; returns the row afterwards.
    ///
    /// `amend` puts the values into the row that SELF_INFO does not have.
    func verified(
        _ expectations: [SettingExpectation], amend: @escaping @Sendable (inout DeviceDTO) -> Void = { _ in },
        write: @escaping @Sendable (MeshCoreSession) async throws -> Void
    ) async throws -> DeviceDTO {
        let device = try await shown {
            try await inTurn { service in
                var device = try await service.row()
                try await write(service.session)
                let info = try await service.session.sendAppStart()
                try SettingExpectation.check(expectations, in: info)
                device.take(info)
                amend(&device)
                return try await service.store.saveDevice(device)
            }
        }
        events.emit(.settingsChanged(device))
        return device
    }

    /// The row of the radio at the other end; a new one for a radio that was never stored.
    func row() async throws -> DeviceDTO {
        let info = try await currentInfo()
        if let known = try await store.fetchDevice(publicKey: Data(info.publicKey.array)) { return known }
        return DeviceDTO(
            selfInfo: info, deviceInfo: await session.deviceInfo, lastConnected: dependencies.now())
    }

    /// Returns the last information of the radio about itself, requested where there is none.
    func currentInfo() async throws -> SelfInfo {
        if let info = await session.currentSelfInfo { return info }
        return try await session.sendAppStart()
    }
}
