public import MeshWire

/// A control payload: discovery, or a sub-type that is not known yet.
///
/// Sub-types with the top bit set are for direct neighbours only. Source: OverTheAir, "Control and raw packets".
public enum Control: Hashable, Sendable {
    /// A question to all neighbours for their presence.
    case discoverRequest(DiscoverRequest)
    /// A neighbour's answer.
    case discoverResponse(DiscoverResponse)
    /// A sub-type without a known meaning.
    case other(ControlData)

    /// An empty value of the kind that the first payload byte announces.
    init(emptyOf first: UInt8) {
        switch first >> 4 {
        case 8: self = .discoverRequest(DiscoverRequest())
        case 9: self = .discoverResponse(DiscoverResponse())
        default: self = .other(ControlData())
        }
    }

    mutating func walk<W: FieldWalker>(_ w: inout W) {
        switch self {
        case .discoverRequest(var fields):
            fields.walk(&w)
            self = .discoverRequest(fields)
        case .discoverResponse(var fields):
            fields.walk(&w)
            self = .discoverResponse(fields)
        case .other(var fields):
            fields.walk(&w)
            self = .other(fields)
        }
    }
}

/// Asks all neighbours of certain node types to name themselves.
public struct DiscoverRequest: FieldGroup, Hashable {
    /// The low nibble of the first byte; bit 0 asks for key prefixes only.
    public var flags: UInt8 = 0
    /// Bit *t* set: nodes of type *t* are to answer.
    public var filter: UInt8 = 0
    /// Comes back in each answer.
    public var tag: UInt32 = 0
    /// Only nodes changed at or after this time are to answer; absent means 0.
    public var since: UInt32?
    /// Bytes that belong to no field.
    public var unread: [UInt8] = []

    public init() {}

    public init(filter: UInt8, tag: UInt32, since: UInt32? = nil, prefixOnly: Bool = false) {
        flags = prefixOnly ? 1 : 0
        self.filter = filter
        self.tag = tag
        self.since = since
    }

    /// True when eight bytes of the key are enough.
    public var prefixOnly: Bool { flags & 1 != 0 }

    /// Returns whether nodes of this type are asked.
    public func wants(_ type: NodeType) -> Bool { type.rawValue < 8 && filter >> type.rawValue & 1 == 1 }

    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        var head = 0x80 | flags & 15
        w.u8("sub_type", &head, unit: .hex)
        flags = head & 15
        w.u8("filter", &filter, unit: .hex)
        w.u32("tag", &tag, unit: .hex)
        w.tail("since", &since, unit: .unixTime)
        w.rest("unread", &unread, atMost: since == nil ? 3 : 174)
    }
}

/// A neighbour's answer to a discover request.
public struct DiscoverResponse: FieldGroup, Hashable {
    /// The type of the node that answers; four bits.
    public var nodeType = NodeType.none
    /// The SNR at which the request was received, in quarter decibels.
    public var snr: Int8 = 0
    /// The tag of the request.
    public var tag: UInt32 = 0
    /// Eight bytes of the public key when the request asked for prefixes, otherwise all 32.
    public var publicKey: [UInt8] = []

    public init() {}

    public init(nodeType: NodeType, snr: Int8, tag: UInt32, publicKey: FixedBytes<32>, prefixOnly: Bool) {
        self.nodeType = nodeType
        self.snr = snr
        self.tag = tag
        self.publicKey = [UInt8](publicKey.prefix(prefixOnly ? 8 : 32))
    }

    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        var head = 0x90 | nodeType.rawValue & 15
        w.u8("sub_type", &head, unit: .hex)
        nodeType = NodeType(rawValue: head & 15)
        w.i8("snr", &snr, unit: .quarterDecibels)
        w.u32("tag", &tag, unit: .hex)
        w.rest("pub_key", &publicKey, atMost: 32)
    }
}

/// A control payload of a sub-type without a meaning.
public struct ControlData: FieldGroup, Hashable {
    /// The sub-type in the high nibble.
    public var head: UInt8 = 0
    /// The bytes after the sub-type, at most 183.
    public var data: [UInt8] = []

    public init() {}

    public init(head: UInt8, data: [UInt8]) {
        self.head = head
        self.data = data
    }

    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u8("sub_type", &head, unit: .hex)
        w.rest("data", &data, atMost: 183)
    }
}
