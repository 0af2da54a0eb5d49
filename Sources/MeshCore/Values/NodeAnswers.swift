public import MeshPacket
public import MeshWire

/// A repeater's, room server's or sensor's account of itself.
public struct NodeStatus: Equatable, Sendable {
    /// The status that every server reports.
    public var server: ServerStatus
    /// Seconds of receiving; `nil` from nodes that do not say it.
    public var receiveAirtime: UInt32?
    /// Packets received with an error since boot; repeaters only.
    public var receiveErrors: UInt32?
    /// Posts of a room since its start; `nil` from other nodes.
    public var posts: UInt16?
    /// Posts brought to members since boot; room servers only.
    public var pushes: UInt16?

    /// Reads the status of a node of that type. Fields after the first 48 bytes may be missing.
    public init(_ bytes: [UInt8], from type: NodeType) throws(FrameError) {
        let whole = bytes + [UInt8](repeating: 0, count: 8)
        let base = ServerStatus().written().count
        guard bytes.count >= base else {
            throw FrameError(field: "status", offset: 0, reason: .truncated(needed: base, left: bytes.count))
        }
        if type == .room {
            let room = try RoomStatus(whole)
            server = room.server
            posts = bytes.count >= base + 2 ? room.posts : nil
            pushes = bytes.count >= base + 4 ? room.pushes : nil
        } else {
            let repeater = try RepeaterStatus(whole)
            server = repeater.server
            receiveAirtime = bytes.count >= base + 4 ? repeater.receiveAirtime : nil
            receiveErrors = bytes.count >= base + 8 ? repeater.receiveErrors : nil
        }
    }
}

/// A node that a repeater has heard itself.
public struct Neighbour: Hashable, Sendable {
    /// The requested number of bytes of the key.
    public var keyPrefix: [UInt8]
    /// The age of its last reception, in seconds.
    public var secondsAgo: UInt32
    /// The SNR in quarter decibels.
    public var snr: Int8
}

/// A part of a repeater's table of neighbours.
public struct NeighboursPage: Hashable, Sendable {
    /// Neighbours that the repeater knows.
    public var total: Int
    /// The neighbours of this part, in the order that was asked for.
    public var neighbours: [Neighbour]

    /// Reads an answer to a request for keys of that length. An entry that is cut is left out.
    public init(_ bytes: [UInt8], prefixLength: Int) throws(FrameError) {
        let answer = try NeighboursAnswer(bytes)
        total = Int(answer.total)
        let size = prefixLength + 5
        neighbours = (0..<min(Int(answer.count), answer.entries.count / size)).map { index in
            let entry = [UInt8](answer.entries[(index * size)..<(index * size + size)])
            let age = entry[prefixLength..<(prefixLength + 4)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
            return Neighbour(
                keyPrefix: [UInt8](entry[..<prefixLength]), secondsAgo: age, snr: Int8(bitPattern: entry[size - 1]))
        }
    }
}

/// The rights that a node grants one of its clients.
public struct AccessEntry: Hashable, Sendable {
    /// The first 6 bytes of the client's key.
    public var keyPrefix: FixedBytes<6>
    /// The rights of the client: bits 0 and 1 are its role.
    public var permissions: UInt8

    /// Reads an access list up to the zeros that pad it.
    public static func list(_ bytes: [UInt8]) -> [AccessEntry] {
        stride(from: 0, through: bytes.count - 7, by: 7).lazy
            .map { AccessEntry(keyPrefix: FixedBytes(bytes[$0..<($0 + 6)]), permissions: bytes[$0 + 6]) }
            .filter { !$0.keyPrefix.isZero }
    }
}

/// The least, the greatest and the mean of a measurement over a time.
public struct MinMaxAverage: Hashable, Sendable {
    /// The least value.
    public var minimum: LPPRecord
    /// The greatest value.
    public var maximum: LPPRecord
    /// The mean.
    public var average: LPPRecord

    /// Reads an answer, up to the first series that is cut or of a type without a layout. The node's clock goes before.
    public static func list(_ bytes: [UInt8]) -> [MinMaxAverage] {
        var rest = bytes.dropFirst(4)
        var list: [MinMaxAverage] = []
        while let channel = rest.popFirst(), channel != 0, let number = rest.popFirst() {
            let type = LPPType(rawValue: number)
            let size = type.layout.byteCount
            guard type.isKnown, rest.count >= 3 * size else { break }
            let records = (0..<3).map { index in
                LPPRecord(
                    channel: channel, type: type, data: [UInt8](rest.dropFirst(index * size).prefix(size)))
            }
            rest = rest.dropFirst(3 * size)
            list.append(MinMaxAverage(minimum: records[0], maximum: records[1], average: records[2]))
        }
        return list
    }
}

extension FieldGroup {
    /// Reads the fields from the beginning of the bytes.
    init(_ bytes: [UInt8]) throws(FrameError) {
        let outcome = bytes.withUnsafeBytes { memory in
            Result<Self, FrameError> { () throws(FrameError) -> Self in try Self(reading: memory) }
        }
        self = try outcome.get()
    }
}
