public import MeshWire

/// An acknowledgement: four bytes of a digest, and perhaps bytes that make retransmissions differ.
///
/// Receivers use the first four bytes only. Chat nodes write six bytes for plain text since 1.16.0, a room server five
/// for a keep-alive. Source: OverTheAir, "Acknowledgements".
public struct Ack: FieldGroup, Hashable {
    /// The first four digest bytes, read little-endian.
    public var ack: UInt32 = 0
    /// Further bytes, without meaning for the receiver.
    public var extra: [UInt8] = []

    public init() {}

    public init(_ ack: UInt32, extra: [UInt8] = []) {
        self.ack = ack
        self.extra = extra
    }

    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u32("ack", &ack, unit: .hex)
        w.rest("extra", &extra, atMost: 180)
    }
}

/// One of several copies of a small packet; only acknowledgements are defined. Direct route only.
///
/// Source: OverTheAir, "Multipart acknowledgements".
public struct Multipart: FieldGroup, Hashable {
    /// Number of further copies that the sender still plans to send, and the type of the content.
    public var head: UInt8 = PayloadType.ack.rawValue
    /// The acknowledgement, when the inner type is ACK; otherwise only its `extra` is used, for all that follows.
    public var content = Ack()

    public init() {}

    public init(remaining: UInt8, _ ack: Ack) {
        head = remaining << 4 | PayloadType.ack.rawValue
        content = ack
    }

    /// Further copies that the sender still means to send, 0…15.
    public var remaining: UInt8 { head >> 4 }
    /// The type of the packet inside: the low four bits.
    public var innerType: PayloadType { PayloadType(rawValue: head & 15) }

    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u8("remaining_and_type", &head, unit: .hex)
        w.note("\(innerType), \(remaining) to come")
        if innerType == .ack {
            content.walk(&w)
        } else {
            w.rest("data", &content.extra, atMost: 183)
        }
    }
}
