public import MeshCompanion
public import MeshCore
import MeshWire

/// An ability of companion radios since a certain firmware.
///
/// Those with a level are known by DEVICE_INFO; the others show when they are used. Source: ServiceStack, "Firmware
/// capability gates", and FirmwareVersions, section 3. The commands' releases are in the table of `MeshCompanion`.
public enum FirmwareCapability: String, Sendable, Hashable, CaseIterable {
    /// Model, version and limits in DEVICE_INFO.
    case extendedDeviceInfo
    /// Messages that carry the SNR of their reception.
    case messagesWithSNR
    /// A companion radio that repeats packets.
    case clientRepeat
    /// The frequencies on which it may repeat.
    case allowedRepeatFrequencies
    /// The length of the hashes in paths.
    case pathHashMode
    /// Data on channels.
    case channelData
    /// A scope of all floods.
    case defaultFloodScope
    /// Counts of packets and times.
    case statistics
    /// Requests to other nodes by a code of their own.
    case binaryRequests
    case pathDiscovery
    /// A scope of the floods that are sent next.
    case floodScope
    /// Requests to nodes that do not know us.
    case anonymousRequests
    /// The kinds of nodes that the radio adds by itself.
    case automaticAdding
    /// Pushes for a contact that the radio dropped, or has no room for.
    case contactTablePushes
    /// Packets as they are.
    case rawPackets
    /// Floods without a scope while a default one is set; without it the default scope is cleared and put back.
    case unscopedFloods
    /// Requests to nodes that are no contacts; without it a node is added first and removed afterwards.
    case requestsToUnknownNodes
    /// The radio's own command line; without it the settings' own commands do.
    case commandLine
    /// Texts of type 3 to other companions; servers accept type 1 from every firmware.
    case remoteCommands

    /// The least level in DEVICE_INFO, `FIRMWARE_VER_CODE`; `nil` where the level says nothing, and use shows it.
    public var minimumLevel: UInt8? {
        switch self {
        case .extendedDeviceInfo, .messagesWithSNR: 3
        case .clientRepeat, .allowedRepeatFrequencies: 9
        case .pathHashMode: 10
        case .channelData, .defaultFloodScope: 11
        case .rawPackets, .unscopedFloods, .requestsToUnknownNodes: 13
        case .commandLine, .remoteCommands: 14
        case .statistics, .binaryRequests, .pathDiscovery, .floodScope, .anonymousRequests, .automaticAdding,
            .contactTablePushes:
            nil
        }
    }

    /// The commands that need it. A radio that knows none of them (`unsupportedCmd`) does not have it.
    public var commands: [CommandCode] {
        switch self {
        // Fields of older frames, and pushes.
        case .extendedDeviceInfo, .messagesWithSNR, .clientRepeat, .contactTablePushes: []
        // Forms of commands that are older.
        case .unscopedFloods, .requestsToUnknownNodes, .remoteCommands: []
        case .commandLine: [.runCliCommand]
        case .rawPackets: [.sendRawPacket]
        case .allowedRepeatFrequencies: [.getAllowedRepeatFreq]
        case .pathHashMode: [.setPathHashMode]
        case .channelData: [.sendChannelData]
        case .defaultFloodScope: [.setDefaultFloodScope, .getDefaultFloodScope]
        case .statistics: [.getStats]
        case .binaryRequests: [.sendBinaryReq]
        case .pathDiscovery: [.sendPathDiscoveryReq]
        case .floodScope: [.setFloodScopeKey]
        case .anonymousRequests: [.sendAnonReq]
        case .automaticAdding: [.setAutoaddConfig, .getAutoaddConfig]
        }
    }

    /// The first release that has it.
    public var minimumRelease: Release {
        switch self {
        case .extendedDeviceInfo, .messagesWithSNR: ResponseCode.contactMsgRecvV3.row.since
        case .clientRepeat: CommandCode.getAllowedRepeatFreq.row.since
        case .contactTablePushes: PushCode.contactsFull.row.since
        case .unscopedFloods, .requestsToUnknownNodes: CommandCode.sendRawPacket.row.since
        case .commandLine, .remoteCommands: FirmwareVersion.v1_18.release
        default: commands[0].row.since
        }
    }

    /// The user's name for the ability, inside a sentence.
    public var title: String {
        switch self {
        case .extendedDeviceInfo: "details of the radio"
        case .messagesWithSNR: "the SNR of messages"
        case .clientRepeat: "repeating"
        case .allowedRepeatFrequencies: "the frequencies for repeating"
        case .pathHashMode: "the length of path hashes"
        case .channelData: "data on channels"
        case .defaultFloodScope: "a default scope of floods"
        case .statistics: "statistics"
        case .binaryRequests: "requests to other nodes"
        case .pathDiscovery: "path discovery"
        case .floodScope: "a scope of floods"
        case .anonymousRequests: "requests without a login"
        case .automaticAdding: "rules for adding contacts"
        case .contactTablePushes: "news of the contact table"
        case .rawPackets: "raw packets"
        case .unscopedFloods: "floods without a scope"
        case .requestsToUnknownNodes: "requests to nodes that are no contacts"
        case .commandLine: "the radio's command line"
        case .remoteCommands: "commands to other companions"
        }
    }

    /// The capability that a command needs; `nil` for those that every supported firmware has.
    public init?(_ command: CommandCode) {
        guard let capability = Self.allCases.first(where: { $0.commands.contains(command) }) else { return nil }
        self = capability
    }
}

/// The abilities of a connected radio's firmware, as far as they are known.
public struct FirmwareCapabilities: Sendable, Hashable {
    /// The least level that the stack supports; with less, messages come without SNR and radios without details.
    public static let minimumLevel: UInt8 = 3

    /// The level in DEVICE_INFO; `nil` before that answer.
    public let level: UInt8?
    /// Commands that the radio has refused as unknown.
    public let refused: Set<CommandCode>

    public init(level: UInt8?, refused: Set<CommandCode> = []) {
        self.level = level
        self.refused = refused
    }

    /// True when the stack supports the firmware; one that has not said its level yet counts as supported.
    public var isSupported: Bool { level.map { $0 >= Self.minimumLevel } ?? true }

    /// Returns whether the radio has the ability, as far as is known: a page hides those that it has not.
    public func has(_ capability: FirmwareCapability) -> Bool {
        if let minimum = capability.minimumLevel, let level, level < minimum { return false }
        return refused.isDisjoint(with: capability.commands)
    }

    /// The abilities that the radio has not, in the order of the declaration.
    public var missing: [FirmwareCapability] { FirmwareCapability.allCases.filter { !has($0) } }

    /// Throws `needsFirmware` for an ability that the radio has not.
    public func require(_ capability: FirmwareCapability, for operation: StackError.Operation) throws(StackError) {
        guard has(capability) else { throw StackError(operation, .needsFirmware(capability)) }
    }
}

extension StackError.Reason {
    /// The radio's firmware does not have a capability.
    public static func needsFirmware(_ capability: FirmwareCapability) -> Self {
        .needsFirmware(feature: capability.title, minimum: capability.minimumRelease.version)
    }
}

extension MeshCoreSession {
    /// The abilities of the radio's firmware, by its level and by the commands it has refused since the session began.
    public var capabilities: FirmwareCapabilities {
        FirmwareCapabilities(level: deviceInfo?.firmwareVersionCode, refused: unknownCommands)
    }
}

extension ServiceContainer {
    /// The abilities of the connected radio's firmware; for this connection only.
    public var capabilities: FirmwareCapabilities {
        get async { await session.capabilities }
    }
}
