public import MeshPacket
public import MeshWire

/// A received text from a contact: the common part of the old and the V3 layout.
///
/// Source: CompanionStatements, CMP-136, CMP-138.
public struct ContactMessage: FieldGroup, Hashable {
    /// The first 6 bytes of the sender's key.
    public var publicKeyPrefix: FixedBytes<6> = FixedBytes()
    /// The packet's path length if it was flooded, `unknown` if it was routed directly.
    public var pathLength = PathLength.unknown
    /// Plain, CLI data, or signed: a post of a room, whose author is named before the text.
    public var textType = TextType.plain
    /// The sender's clock.
    public var timestamp: UInt32 = 0
    /// The first 4 bytes of the author's key; there for signed texts only.
    public var authorPrefix: FixedBytes<4> = FixedBytes()
    /// Ends without NUL; cut where the frame is full.
    public var text: ByteText = ByteText()

    @inlinable public init() {}

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.fixed("pubkey_prefix", &publicKeyPrefix)
        w.raw("path_len", &pathLength)
        w.choice("txt_type", &textType, known: 0...2)
        w.u32("timestamp", &timestamp, unit: .unixTime)
        if textType == .signedPlain { w.fixed("author_prefix", &authorPrefix) }
        w.rest("text", &text, atMost: 163)
    }
}

/// A received text of a channel: the common part of the old and the V3 layout.
///
/// Source: CompanionStatements, CMP-139.
public struct ChannelMessage: FieldGroup, Hashable {
    /// The lowest slot that holds the channel's secret.
    public var channelIndex: UInt8 = 0
    /// The packet's path length if it was flooded, `unknown` if it was routed directly.
    public var pathLength = PathLength.unknown
    /// Always plain.
    public var textType = TextType.plain
    /// The sender's clock.
    public var timestamp: UInt32 = 0
    /// Usually `sender: message`; nothing proves the sender.
    public var text: ByteText = ByteText()

    @inlinable public init() {}

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u8("channel_idx", &channelIndex)
        w.raw("path_len", &pathLength)
        w.raw("txt_type", &textType)
        w.u32("timestamp", &timestamp, unit: .unixTime)
        w.rest("text", &text, atMost: 168)
    }
}
