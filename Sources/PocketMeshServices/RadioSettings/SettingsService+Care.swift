public import FoundationEssentials
public import MeshCompanion
public import MeshCore
import MeshWire

// What the radio measures and keeps, and how it begins anew.
extension SettingsService {
    // MARK: Reading

    /// The node's own settings, as the radio says them now.
    public func getSelfInfo() async throws -> SelfInfo { try await inTurn { try await $0.session.sendAppStart() } }

    /// Returns the radio's description of itself, queried now.
    public func getDeviceInfo() async throws -> Resp.DeviceInfo {
        try await inTurn { try await $0.session.queryDevice() }
    }

    /// Battery and storage, as the radio says them now.
    public func getBattery() async throws -> Resp.BattAndStorage {
        try await inTurn { try await $0.session.getBattery() }
    }

    /// Battery, uptime, errors and queue, as the radio says them now.
    public func getStatsCore() async throws -> CoreStats { try await inTurn { try await $0.session.getStatsCore() } }

    /// Noise, last reception and airtimes, as the radio says them now.
    public func getStatsRadio() async throws -> RadioStats {
        let stats = try await inTurn { try await $0.session.getStatsRadio() }
        // A radio that has heard nothing says 0.
        if stats.lastRSSI != 0 {
            events.emit(.radioHeard(rssi: Double(stats.lastRSSI), snr: Double(stats.lastSNR) / 4))
        }
        return stats
    }

    /// Counts of packets, as the radio says them now.
    public func getStatsPackets() async throws -> PacketStats {
        try await inTurn { try await $0.session.getStatsPackets() }
    }

    /// Reads the radio anew, stores its information, and emits the change.
    @discardableResult
    public func refresh() async throws -> DeviceDTO { try await verified([]) { _ in } }

    // MARK: Clock

    /// The radio's clock, in seconds since 1970.
    public func getTime() async throws -> UInt32 { try await inTurn { try await $0.session.getTime() } }

    /// Sets the radio's clock. Radios refuse (`illegalArg`) to go back.
    public func setTime(_ seconds: UInt32) async throws { try await plain { try await $0.setTime(seconds) } }

    // MARK: Variables of sensors

    /// The variables of the board's sensors.
    public func getCustomVariables() async throws -> [CustomVariable] {
        try await inTurn { try await $0.session.getCustomVars().map { CustomVariable(name: $0.name, value: $0.value) } }
    }

    /// Radios refuse (`illegalArg`) a name that they do not have.
    public func setCustomVariable(_ variable: CustomVariable) async throws {
        // The radio splits at the first colon, and lists variables with commas between.
        guard !variable.name.isEmpty, !variable.name.contains(where: { $0 == ":" || $0 == "," }) else {
            throw StackError(.settings, .outOfRange(field: "name"))
        }
        try await plain { try await $0.setCustomVar(variable.name, variable.value) }
    }

    // MARK: Keys

    /// The expanded private key, 64 bytes; `featureDisabled` from builds that keep it.
    public func exportPrivateKey() async throws -> Data {
        try await inTurn { Data(try await $0.session.exportPrivateKey().array) }
    }

    /// Gives the radio another identity. The row receives the new key, and the next contact sync is a full one.
    @discardableResult
    public func importPrivateKey(_ key: Data) async throws -> DeviceDTO {
        guard key.count == CompanionLimits.privateKey else {
            throw StackError(.settings, .outOfRange(field: "privateKey"))
        }
        return try await verified([]) { try await $0.importPrivateKey(FixedBytes(key)) }
    }

    /// The radio's signature, 64 bytes.
    public func sign(_ data: Data) async throws -> Data {
        try await inTurn { Data(try await $0.session.sign([UInt8](data)).array) }
    }

    // MARK: Beginning anew

    /// Restarts the radio; whether it has closed the link within the limit. On a cable the link may stay.
    @discardableResult
    public func reboot() async throws -> Bool { try await restart(.reboot) { try await $0.reboot() } }

    /// Makes the radio forget everything, its identity included; returns whether it closed the link in time.
    ///
    /// The known state of its contacts is void from now on: the next contact sync is a full one.
    @discardableResult
    public func factoryReset(deviceID: UUID) async throws -> Bool {
        // First, so that a crash in between costs a long sync and no contacts.
        try await inTerms(of: .settings) { try await store.resetContactWatermark(deviceID: deviceID) }
        return try await restart(.factoryReset) { try await $0.factoryReset() }
    }

    private func restart(
        _ command: CommandCode, _ write: @escaping @Sendable (MeshCoreSession) async throws -> Void
    ) async throws -> Bool {
        let limit = policy.restartLimit
        return try await shown {
            try await inTurn { service in
                let session = service.session
                let events = await session.events(filter: .endOfRestart)
                try await write(session)
                switch await service.dependencies.clock.first(in: events, within: limit, { $0 }) {
                case .error(let code): throw SessionError.refused(command, code)
                case .connectionStateChanged: return true
                default: return false
                }
            }
        }
    }
}

/// A variable of a board's sensors.
public struct CustomVariable: Hashable, Sendable {
    /// The name that the board gives it.
    public var name: String
    /// The value of the variable, as text.
    public var value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

extension EventFilter {
    /// The link has gone, or the radio says no.
    fileprivate static let endOfRestart = EventFilter { event in
        switch event {
        case .connectionStateChanged(.disconnected), .error: true
        default: false
        }
    }
}
