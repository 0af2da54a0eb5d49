import PocketMeshServices

/// An ability that a radio's firmware may lack, with the firmware code that introduced it.
public enum Capability: String, Codable, Sendable, Hashable, CaseIterable {
    case clientRepeat, pathHashMode, channelData, defaultFloodScope
    case statistics, binaryRequests, pathDiscovery, floodScope, anonymousRequests, autoAddConfig

    /// The first firmware code that has it; `nil` where only use shows it.
    public var minimumFirmware: UInt8? { firmware.minimumLevel }

    /// The row of the stack's table.
    var firmware: FirmwareCapability {
        switch self {
        case .clientRepeat: .clientRepeat
        case .pathHashMode: .pathHashMode
        case .channelData: .channelData
        case .defaultFloodScope: .defaultFloodScope
        case .statistics: .statistics
        case .binaryRequests: .binaryRequests
        case .pathDiscovery: .pathDiscovery
        case .floodScope: .floodScope
        case .anonymousRequests: .anonymousRequests
        case .autoAddConfig: .automaticAdding
        }
    }
}

/// The abilities of the connected radio: by its firmware code, and by the commands that it has refused as unknown.
public struct Capabilities: Codable, Sendable, Hashable {
    /// Older firmware is not worked with.
    public static let minimumFirmware = FirmwareCapabilities.minimumLevel

    /// One line of the table, for pages.
    public struct Row: Codable, Sendable, Hashable {
        /// The ability that the row is about.
        public var capability: Capability
        /// The first firmware code that has it; `nil` where only use shows it.
        public var minimumFirmware: UInt8?
        /// True when pages offer it.
        public var isAvailable: Bool
    }

    /// The firmware code; `nil` without a radio.
    public var firmware: UInt8?
    /// The abilities that the radio has refused as unknown on this connection.
    public private(set) var missing: Set<Capability> = []

    public init(firmware: UInt8? = nil) {
        self.firmware = firmware
    }

    /// True when the stack works with the radio at all.
    public var isSupported: Bool { (firmware ?? 0) >= Self.minimumFirmware }

    /// Returns whether pages offer an ability. One that only use can show is offered until it was refused.
    public func has(_ capability: Capability) -> Bool {
        guard let firmware, isSupported, !missing.contains(capability) else { return false }
        return firmware >= capability.minimumFirmware ?? 0
    }

    /// The radio does not know the command: not offered again on this connection.
    public mutating func markMissing(_ capability: Capability) { missing.insert(capability) }

    /// The table, in order.
    public var rows: [Row] {
        Capability.allCases.map {
            Row(capability: $0, minimumFirmware: $0.minimumFirmware, isAvailable: has($0))
        }
    }
}

extension AppState {
    /// Runs work that needs a capability.
    ///
    /// It is refused before anything is written where the firmware lacks the capability. It is remembered where the
    /// radio answers that it does not know the command.
    public func requiring<T>(_ capability: Capability, _ body: () async throws -> T) async throws -> T {
        guard capabilities.has(capability) else {
            throw StackError(.requests, .needsFirmware(capability.firmware))
        }
        do { return try await body() } catch {
            if Self.isUnknownCommand(error) {
                capabilities.markMissing(capability)
                messageEventBroadcaster.broadcast(.connectionChanged)
            }
            throw error
        }
    }
}
