public import MeshWire

/// The plaintext of a login to a repeater or sensor.
///
/// Source: OverTheAir, "Anonymous requests" (OTA-087).
public struct LoginPlaintext: FieldGroup, Hashable {
    /// The client's unique time; a server refuses one that is not newer than the last.
    public var timestamp: UInt32 = 0
    /// Up to the padding; 15 bytes at most.
    public var password = ByteText()

    public init() {}

    /// A login; the password ends at its first NUL and is cut at 15 bytes.
    public init(timestamp: UInt32, password: ByteText) {
        self.timestamp = timestamp
        self.password = password.untilNUL.prefix(PacketLimits.password)
    }

    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u32("timestamp", &timestamp, unit: .unixTime)
        w.rest("password", &password, atMost: PacketLimits.password)
    }
}

/// The plaintext of a login to a room server.
///
/// Source: OverTheAir, "Anonymous requests" (OTA-087).
public struct RoomLoginPlaintext: FieldGroup, Hashable {
    /// The client's unique time; a server refuses one that is not newer than the last.
    public var timestamp: UInt32 = 0
    /// Posts at or before this time are known to the client.
    public var syncSince: UInt32 = 0
    /// Up to the padding; 15 bytes at most.
    public var password = ByteText()

    public init() {}

    /// A login; the password ends at its first NUL and is cut at 15 bytes.
    public init(timestamp: UInt32, syncSince: UInt32, password: ByteText) {
        self.timestamp = timestamp
        self.syncSince = syncSince
        self.password = password.untilNUL.prefix(PacketLimits.password)
    }

    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u32("timestamp", &timestamp, unit: .unixTime)
        w.u32("sync_since", &syncSince, unit: .unixTime)
        w.rest("password", &password, atMost: PacketLimits.password)
    }
}

/// The plaintext of an anonymous question to a repeater: the question and the route for the answer.
///
/// A byte of 0 or of 0x20 and more in the question's place means that this is a login. Source: OverTheAir, "Anonymous
/// requests".
public struct AnonymousQueryPlaintext: FieldGroup, Hashable {
    /// Asks which regions the repeater floods.
    public static let regions: UInt8 = 1
    /// Asks for the owner's name and notes.
    public static let owner: UInt8 = 2
    /// Asks for the time.
    public static let clock: UInt8 = 3

    /// The client's unique time; the answer begins with it.
    public var tag: UInt32 = 0
    /// 1 regions, 2 owner, 3 clock.
    public var question: UInt8 = 0
    /// Number and size of the hashes in the way back.
    public var replyPathLength = PathLength.empty
    /// The relays of the way back, in order of travel.
    public var replyPath: [UInt8] = []

    public init() {}

    public init(tag: UInt32, question: UInt8, replyPathLength: PathLength = .empty, replyPath: [UInt8] = []) {
        self.tag = tag
        self.question = question
        self.replyPathLength = replyPathLength
        self.replyPath = replyPath
    }

    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u32("tag", &tag, unit: .hex)
        w.u8("req_type", &question)
        w.raw("reply_path_len", &replyPathLength, unit: .hex)
        w.bytes("reply_path", &replyPath, count: replyPathLength.byteCount)
    }
}
