public import MeshWire

/// The plaintext of a GRP_TXT: `"<sender name>: <message>"`, with nothing that proves the name.
///
/// Source: OverTheAir, "Group packets" (OTA-085, OTA-086).
public struct GroupTextPlaintext: FieldGroup, Hashable {
    /// The sender's clock, in Unix seconds.
    public var timestamp: UInt32 = 0
    /// Senders write 0; receivers drop the message when the text type in bits 7…2 is not 0.
    public var head: UInt8 = 0
    /// The text with whatever padding stands behind it.
    public var body: [UInt8] = []

    public init() {}

    /// A message to be sent; name, separator and message together are cut at 160 bytes, wherever that is.
    public init(timestamp: UInt32, sender: ByteText, text: ByteText) {
        self.timestamp = timestamp
        let whole = sender.untilNUL.bytes + [0x3A, 0x20] + text.untilNUL.bytes
        body = [UInt8](whole.prefix(PacketLimits.text))
    }

    /// The type of the text: the upper six bits of the byte before it.
    public var type: TextType { TextType(rawValue: head >> 2) }
    /// Name and message, without padding.
    public var text: ByteText { ByteText(bytes: body).untilNUL }

    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u32("timestamp", &timestamp, unit: .unixTime)
        w.u8("type", &head, unit: .hex)
        w.rest(Field("text", unit: .text), &body, atMost: PacketLimits.text)
    }
}

/// The plaintext of a GRP_DATA: bytes of an application and their kind.
///
/// Type 0 is reserved, 0xFF00…0xFFFF are for development. Source: OverTheAir, "Group packets" (OTA-086).
public struct GroupDataPlaintext: FieldGroup, Hashable {
    /// The kind of data that the application sends.
    public var dataType: UInt16 = 0
    /// The bytes of the application.
    public var data: [UInt8] = []

    public init() {}

    /// Data to be sent; `nil` above 165 bytes.
    public init?(dataType: UInt16, data: [UInt8]) {
        guard data.count <= PacketLimits.groupData else { return nil }
        self.dataType = dataType
        self.data = data
    }

    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u16("data_type", &dataType, unit: .hex)
        var count = UInt8(clamping: data.count)
        w.u8("data_len", &count, unit: .bytes, in: 0...165)
        w.bytes("data", &data, count: Int(count))
    }
}
