// Commands: texts, datagrams and the queue of received ones.
public import MeshPacket
public import MeshWire

/// Sends a text to one contact, by flood or along the contact's path.
///
/// The radio makes no retries: the app repeats with a higher `attempt` and the same timestamp, and resets the path when
/// it wants the next try flooded. Refused in this order: unknown contact, text type, text too long, no packet buffer.
///
/// Sent by the app. Errors: `notFound`, `unsupportedCmd`, `tableFull`. Since 1.0. Source: `CMD_SEND_TXT_MSG` in
/// companion_radio, 1.17.1.
public struct SendTxtMsg: CommandFrame {
    public static let code = CommandCode.sendTxtMsg
    public typealias Reply = Resp.Sent

    /// 0 plain, 1 CLI data (not acknowledged; the radio's own clock replaces the timestamp).
    public var textType: TextType = .plain
    /// 0 for the first try. Only the two low bits enter the acknowledgement.
    public var attempt: UInt8 = 0
    /// The sender's time, the same for all tries of one message.
    public var timestamp: UInt32 = 0
    /// The first contact in table order whose key begins with this.
    public var publicKeyPrefix: FixedBytes<6> = FixedBytes()
    /// Ends at its first NUL or at the end of the frame.
    public var text: ByteText = ByteText()

    @inlinable public init() {}

    @inlinable
    public init(
        textType: TextType = .plain, attempt: UInt8, timestamp: UInt32, publicKeyPrefix: FixedBytes<6>,
        text: ByteText
    ) {
        self.textType = textType
        self.attempt = attempt
        self.timestamp = timestamp
        self.publicKeyPrefix = publicKeyPrefix
        self.text = text
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.raw("txt_type", &textType, in: 0...1)
        w.u8("attempt", &attempt)
        w.u32("timestamp", &timestamp, unit: .unixTime)
        w.fixed("pubkey_prefix", &publicKeyPrefix)
        w.rest("text", &text, atMost: 160)
    }
}

/// Floods a text to a channel, with the node's name in front.
///
/// Answered with OK, never with SENT; channel texts are not acknowledged. Name, `": "` and text are cut together at 160
/// bytes. The missing packet buffer is reported as `notFound` too.
///
/// Sent by the app. Errors: `unsupportedCmd`, `notFound`. Since 1.0. Source: `CMD_SEND_CHANNEL_TXT_MSG` in
/// companion_radio, 1.17.1.
public struct SendChannelTxtMsg: CommandFrame {
    public static let code = CommandCode.sendChannelTxtMsg
    public typealias Reply = Resp.OK

    /// The type of the text; radios accept plain text only.
    public var textType: TextType = .plain
    /// Slot of the channel on which to send.
    public var channelIndex: UInt8 = 0
    /// The app's time of the message, in seconds since 1970.
    public var timestamp: UInt32 = 0
    /// The text of the message, at most 160 bytes of UTF-8.
    public var text: ByteText = ByteText()

    @inlinable public init() {}

    @inlinable
    public init(textType: TextType = .plain, channelIndex: UInt8, timestamp: UInt32, text: ByteText) {
        self.textType = textType
        self.channelIndex = channelIndex
        self.timestamp = timestamp
        self.text = text
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.raw("txt_type", &textType, in: 0...0)
        w.u8("channel_idx", &channelIndex)
        w.u32("timestamp", &timestamp, unit: .unixTime)
        w.rest("text", &text, atMost: 158)
    }
}

/// Sends a datagram to a channel, by flood or along a given path.
///
/// The only command that answers a short frame with `illegalArg`. For a frame that ends before the data type, the
/// type is read from the receive buffer.
///
/// Sent by the app. Errors: `illegalArg`, `notFound`, `tableFull`. Since 1.15. Source: `CMD_SEND_CHANNEL_DATA`
/// in companion_radio, 1.17.1.
public struct SendChannelData: CommandFrame {
    public static let code = CommandCode.sendChannelData
    public typealias Reply = Resp.OK

    /// Slot of the channel on which to send.
    public var channelIndex: UInt8 = 0
    /// FF floods; else hash size and hops as on the air.
    public var pathLength: PathLength = .unknown
    /// The hashes of the relays, in order of travel; as many bytes as the length announces.
    public var path: [UInt8] = []
    /// Assigned by the MeshCore project; FFFF is for experiments.
    public var dataType: UInt16 = 0
    /// The bytes of the application, at most 165.
    public var payload: [UInt8] = []

    @inlinable public init() {}

    @inlinable
    public init(
        channelIndex: UInt8, pathLength: PathLength = .unknown, path: [UInt8], dataType: UInt16, payload: [UInt8]
    ) {
        self.channelIndex = channelIndex
        self.pathLength = pathLength
        self.path = path
        self.dataType = dataType
        self.payload = payload
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u8("channel_idx", &channelIndex)
        w.raw("path_len", &pathLength)
        w.bytes("path", &path, count: pathLength.bytesThatFollow)
        w.u16("data_type", &dataType, unit: .hex, in: 1...0xFFFF)
        w.rest("payload", &payload, atMost: 165)
    }
}

/// Sends bytes of the app's own along a given path, or to the neighbours when the path is empty.
///
/// Flood is not supported. The length is used literally to find the payload, and as an encoded `path_len` on the
/// air. Both are the same for 1-byte hashes only.
///
/// Sent by the app. Errors: `unsupportedCmd`, `tableFull`. Since 1.0. Source: `CMD_SEND_RAW_DATA` in
/// companion_radio, 1.17.1.
public struct SendRawData: CommandFrame {
    public static let code = CommandCode.sendRawData
    public typealias Reply = Resp.OK

    /// Bytes of the path that follow.
    public var pathLength: UInt8 = 0
    /// The hashes of the relays, in order of travel; empty for the neighbours.
    public var path: [UInt8] = []
    /// At least 4 bytes, or the radio answers `unsupportedCmd`.
    public var payload: [UInt8] = []

    @inlinable public init() {}

    @inlinable
    public init(pathLength: UInt8, path: [UInt8], payload: [UInt8]) {
        self.pathLength = pathLength
        self.path = path
        self.payload = payload
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u8("path_len", &pathLength, unit: .bytes, in: 0...127)
        w.bytes("path", &path, count: pathLength < 0x80 ? Int(pathLength) : 0)
        w.rest("payload", &payload)
    }
}

/// Queues a complete packet as it is to be transmitted.
///
/// Sent by the app. Errors: `illegalArg`, `tableFull`. Since 1.16. Source: `CMD_SEND_RAW_PACKET` in
/// companion_radio, 1.17.1.
public struct SendRawPacket: CommandFrame {
    public static let code = CommandCode.sendRawPacket
    public typealias Reply = Resp.OK

    /// 0 is served first; 255 never leaves the queue and blocks a packet buffer.
    public var priority: UInt8 = 0
    /// Header, transport codes, path and payload; `illegalArg` when it does not parse.
    public var packet: [UInt8] = []

    @inlinable public init() {}

    @inlinable
    public init(priority: UInt8, packet: [UInt8]) {
        self.priority = priority
        self.packet = packet
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u8("priority", &priority, in: 0...254)
        w.rest("packet", &packet)
    }
}

/// Sends a CONTROL packet to the neighbours.
///
/// Sent by the app. Errors: `tableFull`. Since 1.10. Source: `CMD_SEND_CONTROL_DATA` in companion_radio,
/// 1.17.1.
public struct SendControlData: CommandFrame {
    public static let code = CommandCode.sendControlData
    public typealias Reply = Resp.OK

    /// The first byte is 80 or more, else the radio answers `unsupportedCmd`.
    public var payload: [UInt8] = []

    @inlinable public init() {}

    @inlinable
    public init(payload: [UInt8]) {
        self.payload = payload
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.rest("payload", &payload)
    }
}

/// Fetches the oldest message from the radio's queue.
///
/// The message leaves the queue whether or not its frame can be delivered.
///
/// Sent by the app. Errors: none of its own. Since 1.0. Source: `CMD_SYNC_NEXT_MESSAGE` in companion_radio,
/// 1.17.1.
public struct SyncNextMessage: CommandFrame, BareFrame {
    public static let code = CommandCode.syncNextMessage
    public typealias Reply = NextMessage

    @inlinable public init() {}
}
