import PocketMeshServices

/// What a radio's firmware may lack, and from which code on it has it.
public enum Capability: String, Codable, Sendable, Hashable, CaseIterable {
    case clientRepeat, pathHashMode, channelData, defaultFloodScope
    case statistics, binaryRequests, pathDiscovery, floodScope, anonymousRequests, autoAddConfig

    /// The first firmware code that has it; `nil` where only use tells.
    public var minimumFirmware: UInt8? {
        switch self {
        case .clientRepeat: 9
        case .pathHashMode: 10
        case .channelData, .defaultFloodScope: 11
        case .statistics, .binaryRequests, .pathDiscovery, .floodScope, .anonymousRequests, .autoAddConfig: nil
        }
    }
}

/// What the connected radio can: by its firmware code, and by what it has refused as unknown.
public struct Capabilities: Codable, Sendable, Hashable {
    /// Older firmware is not worked with.
    public static let minimumFirmware: UInt8 = 3

    /// One line of the table, for pages.
    public struct Row: Codable, Sendable, Hashable {
        public var capability: Capability
        public var minimumFirmware: UInt8?
        public var isAvailable: Bool
    }

    /// The firmware code; `nil` without a radio.
    public var firmware: UInt8?
    /// What the radio has refused as unknown on this connection.
    public private(set) var missing: Set<Capability> = []

    public init(firmware: UInt8? = nil) {
        self.firmware = firmware
    }

    /// Whether the stack works with the radio at all.
    public var isSupported: Bool { (firmware ?? 0) >= Self.minimumFirmware }

    /// Whether pages offer it. What only use can tell is offered until it was refused.
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
    /// Does what needs a capability: refused before anything is written where the firmware lacks it, and remembered where
    /// the radio answers that it does not know the command.
    public func requiring<T>(_ capability: Capability, _ body: () async throws -> T) async throws -> T {
        guard capabilities.has(capability) else { throw StackError(.requests, .featureOff) }
        do { return try await body() } catch {
            if Self.isUnknownCommand(error) {
                capabilities.markMissing(capability)
                messageEventBroadcaster.broadcast(.connectionChanged)
            }
            throw error
        }
    }
}
