// Commands: AppStart, DeviceQuery, time, statistics.
public import MeshWire

/// Opens a session: aborts a running contact listing and asks for the node's own settings.
///
/// No command needs it first, and nothing else depends on it. The radio ignores every field; clients put a version into
/// the first byte and their name behind the reserved ones.
///
/// Sent by the app. Errors: none of its own. Since 1.0. Source: `CMD_APP_START` in companion_radio, 1.17.1.
public struct AppStart: CommandFrame {
    public static let code = CommandCode.appStart
    public typealias Reply = Resp.SelfInfo

    /// By convention the client's protocol version.
    public var version: UInt8 = 0
    /// Six bytes that are sent as 0.
    public var reserved: FixedBytes<6> = FixedBytes()
    /// The client's name, which the radio does not use; may be empty.
    public var appName: ByteText = ByteText()

    @inlinable public init() {}

    @inlinable
    public init(version: UInt8, reserved: FixedBytes<6> = FixedBytes(), appName: ByteText) {
        self.version = version
        self.reserved = reserved
        self.appName = appName
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u8("app_ver_byte", &version)
        w.fixed("reserved", &reserved)
        w.rest("app_name", &appName)
    }
}

/// Asks for the radio's properties, and announces the app's protocol version.
///
/// The version has one effect: messages that arrive while it is 3 or more are queued in the V3 layouts. It is 0 after a
/// boot and outlives disconnects.
///
/// Sent by the app. Errors: none of its own. Since 1.0. Source: `CMD_DEVICE_QUERY` in companion_radio, 1.17.1.
public struct DeviceQuery: CommandFrame {
    public static let code = CommandCode.deviceQuery
    public typealias Reply = Resp.DeviceInfo

    /// The newest level the app understands; known clients send 3.
    public var appTargetVersion: UInt8 = 3

    @inlinable public init() {}

    @inlinable
    public init(appTargetVersion: UInt8) {
        self.appTargetVersion = appTargetVersion
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u8("app_target_ver", &appTargetVersion)
    }
}

/// Asks for the radio's clock.
///
/// Sent by the app. Errors: none of its own. Since 1.0. Source: `CMD_GET_DEVICE_TIME` in companion_radio,
/// 1.17.1.
public struct GetDeviceTime: CommandFrame, BareFrame {
    public static let code = CommandCode.getDeviceTime
    public typealias Reply = Resp.CurrTime

    @inlinable public init() {}
}

/// Sets the radio's clock forward.
///
/// A time before the radio's own is refused with `illegalArg`; there is no upper bound, and no way back but a reboot.
///
/// Sent by the app. Errors: `illegalArg`. Since 1.0. Source: `CMD_SET_DEVICE_TIME` in companion_radio, 1.17.1.
public struct SetDeviceTime: CommandFrame {
    public static let code = CommandCode.setDeviceTime
    public typealias Reply = Resp.OK

    /// The time to set, in seconds since 1970.
    public var epoch: UInt32 = 0

    @inlinable public init() {}

    @inlinable
    public init(epoch: UInt32) {
        self.epoch = epoch
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u32("epoch", &epoch, unit: .unixTime)
    }
}

/// Asks for the battery voltage and the fill of the file system that holds the contacts.
///
/// Sent by the app. Errors: none of its own. Since 1.0. Source: `CMD_GET_BATT_AND_STORAGE` in companion_radio,
/// 1.17.1.
public struct GetBattAndStorage: CommandFrame, BareFrame {
    public static let code = CommandCode.getBattAndStorage
    public typealias Reply = Resp.BattAndStorage

    @inlinable public init() {}
}

/// Asks for one group of counters: 0 core, 1 radio, 2 packets; `illegalArg` for any other.
///
/// Sent by the app. Errors: `illegalArg`. Since 1.11. Source: `CMD_GET_STATS` in companion_radio, 1.17.1.
public struct GetStats: CommandFrame {
    public static let code = CommandCode.getStats
    public typealias Reply = Resp.Stats

    /// 0 core, 1 radio, 2 packets.
    public var statsType: UInt8 = 0

    @inlinable public init() {}

    @inlinable
    public init(statsType: UInt8) {
        self.statsType = statsType
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u8("stats_type", &statsType, in: 0...2)
    }
}

/// Restarts the radio after writing pending contact changes; there is no answer, the link drops.
///
/// The word is compared without a check of the frame's length. So bytes of an earlier frame in the buffer may
/// complete a short one.
///
/// Sent by the app. Errors: `unsupportedCmd`. Since 1.0. Source: `CMD_REBOOT` in companion_radio, 1.17.1.
public struct Reboot: CommandFrame {
    public static let code = CommandCode.reboot
    public typealias Reply = NoReply

    /// `reboot`, or the radio answers `unsupportedCmd`.
    public var word: FixedBytes<6> = FixedBytes<6>([0x72, 0x65, 0x62, 0x6F, 0x6F, 0x74])

    @inlinable public init() {}

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.text("word", &word)
    }
}

/// Formats the file systems, bonds and identity included, and reboots.
///
/// The app interface is shut first, so the OK that the radio writes reaches no app. Length unchecked, as in
/// `Reboot`.
///
/// Sent by the app. Errors: `unsupportedCmd`. Since 1.7.3. Source: `CMD_FACTORY_RESET` in companion_radio,
/// 1.17.1.
public struct FactoryReset: CommandFrame {
    public static let code = CommandCode.factoryReset
    public typealias Reply = NoReply

    /// `reset`, or the radio answers `unsupportedCmd`.
    public var word: FixedBytes<5> = FixedBytes<5>([0x72, 0x65, 0x73, 0x65, 0x74])

    @inlinable public init() {}

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.text("word", &word)
    }
}
