// Commands: channels and flood scopes.
public import MeshWire

/// Asks for one channel slot, used or not.
///
/// Sent by the app. Errors: `notFound`. Since 1.3. Source: `CMD_GET_CHANNEL` in companion_radio, 1.17.1.
public struct GetChannel: CommandFrame {
    public static let code = CommandCode.getChannel
    public typealias Reply = Resp.ChannelInfo

    /// Slot of the channel, counted from 0.
    public var channelIndex: UInt8 = 0

    @inlinable public init() {}

    @inlinable
    public init(channelIndex: UInt8) {
        self.channelIndex = channelIndex
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u8("channel_idx", &channelIndex)
    }
}

/// Writes one channel slot; an empty name and a zero secret free it.
///
/// 66 bytes and more, the form with a 32-byte secret, are refused as `unsupportedCmd`.
///
/// Sent by the app. Errors: `notFound`, `unsupportedCmd`. Since 1.3. Source: `CMD_SET_CHANNEL` in
/// companion_radio, 1.17.1.
public struct SetChannel: CommandFrame {
    public static let code = CommandCode.setChannel
    public typealias Reply = Resp.OK

    /// Slot of the channel, counted from 0.
    public var channelIndex: UInt8 = 0
    /// Up to 31 bytes.
    public var name: FixedBytes<32> = FixedBytes()
    /// The key of the channel, 16 bytes; all zero in a slot that is free.
    public var secret: FixedBytes<16> = FixedBytes()

    @inlinable public init() {}

    @inlinable
    public init(channelIndex: UInt8, name: FixedBytes<32>, secret: FixedBytes<16>) {
        self.channelIndex = channelIndex
        self.name = name
        self.secret = secret
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u8("channel_idx", &channelIndex)
        w.text("name", &name)
        w.fixed("secret", &secret)
    }
}

/// Stores the scope that floods carry, or clears it when the frame is shorter than 48 bytes.
///
/// The key is not checked against the name; an empty name at full length is refused with `illegalArg`.
///
/// Sent by the app. Errors: `illegalArg`. Since 1.15. Source: `CMD_SET_DEFAULT_FLOOD_SCOPE` in companion_radio,
/// 1.17.1.
public struct SetDefaultFloodScope: CommandFrame {
    public static let code = CommandCode.setDefaultFloodScope
    public typealias Reply = Resp.OK

    /// The scope to store, or nil to clear the stored one.
    public var scope: FloodScope?

    @inlinable public init() {}

    @inlinable
    public init(scope: FloodScope?) {
        self.scope = scope
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.tail("scope", &scope, size: 47)
    }
}

/// Asks for the stored flood scope.
///
/// Sent by the app. Errors: none of its own. Since 1.15. Source: `CMD_GET_DEFAULT_FLOOD_SCOPE` in
/// companion_radio, 1.17.1.
public struct GetDefaultFloodScope: CommandFrame, BareFrame {
    public static let code = CommandCode.getDefaultFloodScope
    public typealias Reply = Resp.DefaultFloodScope

    @inlinable public init() {}
}
