public import MeshWire

/// The type of a REQ: `REQ_TYPE_…`. Unknown values are kept.
@frozen
public struct RequestType: RawRepresentable, ExpressibleByRawValue, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    @inlinable public static var getStatus: Self { Self(rawValue: 1) }
    @inlinable public static var keepAlive: Self { Self(rawValue: 2) }
    @inlinable public static var getTelemetryData: Self { Self(rawValue: 3) }
    @inlinable public static var getAvgMinMax: Self { Self(rawValue: 4) }
    @inlinable public static var getAccessList: Self { Self(rawValue: 5) }
    @inlinable public static var getNeighbours: Self { Self(rawValue: 6) }
    @inlinable public static var getOwnerInfo: Self { Self(rawValue: 7) }
}

extension RequestType: CustomStringConvertible {
    public var description: String {
        switch rawValue {
        case 1: "get status"
        case 2: "keep alive"
        case 3: "get telemetry data"
        case 4: "get avg/min/max"
        case 5: "get access list"
        case 6: "get neighbours"
        case 7: "get owner info"
        default: "request type \(rawValue)"
        }
    }
}

/// The plaintext of a REQ.
///
/// Source: InfrastructureNodes, "Requests".
public struct RequestPlaintext: FieldGroup, Hashable {
    /// The sender's unique time; the answer begins with it.
    public var tag: UInt32 = 0
    /// The information that is requested.
    public var type = RequestType(rawValue: 0)
    /// The parameters that the request type needs besides.
    public var parameters: [UInt8] = []

    public init() {}

    public init(tag: UInt32, type: RequestType, parameters: [UInt8]) {
        self.tag = tag
        self.type = type
        self.parameters = parameters
    }

    /// A request as chat nodes build it: 13 bytes, four of them reserved and four random.
    public init(tag: UInt32, type: RequestType, reserved: FixedBytes<4> = FixedBytes(), random: FixedBytes<4>) {
        self.init(tag: tag, type: type, parameters: reserved.array + random.array)
    }

    /// A client's sign of life to a room server: nine bytes, which are also what its acknowledgement covers.
    public init(keepAlive tag: UInt32, syncSince: UInt32) {
        self.init(tag: tag, type: .keepAlive, parameters: withUnsafeBytes(of: syncSince.littleEndian) { [UInt8]($0) })
    }

    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u32("tag", &tag, unit: .hex)
        w.raw("req_type", &type)
        w.rest("params", &parameters, atMost: PacketLimits.datagramPlaintext - 5)
    }
}

/// The plaintext of a RESPONSE to a request: the request's tag, then the answer and the padding.
public struct ResponsePlaintext: FieldGroup, Hashable {
    /// The request's time stamp, by which the client matches the answer.
    public var tag: UInt32 = 0
    /// The answer, with the padding.
    public var data: [UInt8] = []

    public init() {}

    public init(tag: UInt32, data: [UInt8]) {
        self.tag = tag
        self.data = data
    }

    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u32("tag", &tag, unit: .hex)
        w.rest("data", &data, atMost: PacketLimits.datagramPlaintext - 4)
    }
}

/// The plaintext of the RESPONSE to a login; a refused login is not answered.
///
/// Source: InfrastructureNodes, "Login" (INF-039 to INF-042).
public struct LoginResponsePlaintext: FieldGroup, Hashable {
    /// The server's own unique time.
    public var serverTime: UInt32 = 0
    /// 0: the login is granted.
    public var result: UInt8 = 0
    /// The advised keep-alive interval in units of 16 seconds; current servers write 0.
    public var keepAlive: UInt8 = 0
    /// 1 for an administrator; a room server writes 2 for a guest.
    public var admin: UInt8 = 0
    /// The rights of the client in the server's access list.
    public var permissions: UInt8 = 0
    /// Makes the packet differ from others.
    public var random = FixedBytes<4>()
    /// The role's protocol level: repeater 2, room server 1, sensor 1.
    public var level: UInt8?

    public init() {}

    public init(serverTime: UInt32, admin: UInt8, permissions: UInt8, random: FixedBytes<4>, level: UInt8) {
        self.serverTime = serverTime
        self.admin = admin
        self.permissions = permissions
        self.random = random
        self.level = level
    }

    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u32("server_time", &serverTime, unit: .unixTime)
        w.u8("result", &result)
        w.u8("keep_alive", &keepAlive)
        w.u8("admin", &admin)
        w.u8("permissions", &permissions, unit: .hex)
        w.fixed("random", &random)
        w.tail("firmware_ver_level", &level)
    }
}

/// The parameters of a request for neighbours. Source: InfrastructureNodes, "Requests" (INF-088 to INF-091).
public struct NeighboursRequest: FieldGroup, Hashable {
    /// The order of the list before a part of it is sent; unknown values leave it as the table is.
    @frozen
    public struct Order: RawRepresentable, ExpressibleByRawValue, Hashable, Sendable {
        public var rawValue: UInt8

        @inlinable
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        @inlinable public static var newestFirst: Self { Self(rawValue: 0) }
        @inlinable public static var oldestFirst: Self { Self(rawValue: 1) }
        @inlinable public static var strongestFirst: Self { Self(rawValue: 2) }
        @inlinable public static var weakestFirst: Self { Self(rawValue: 3) }
    }

    /// Only 0 is answered.
    public var version: UInt8 = 0
    /// Entries wanted.
    public var count: UInt8 = 0
    /// Entries of the sorted list to skip.
    public var offset: UInt16 = 0
    /// The order in which the list is sorted.
    public var order = Order.newestFirst
    /// Bytes of each key, 0…32.
    public var prefixLength: UInt8 = 0
    /// Makes the packet differ from others.
    public var random = FixedBytes<4>()

    public init() {}

    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u8("version", &version)
        w.u8("count", &count)
        w.u16("offset", &offset)
        w.raw("order_by", &order)
        w.u8("pubkey_prefix_length", &prefixLength, unit: .bytes)
        w.fixed("random", &random)
    }
}

/// The answer of a repeater to a request for neighbours, behind the request's time stamp.
///
/// Source: INF-089 to INF-091.
public struct NeighboursAnswer: FieldGroup, Hashable {
    /// Neighbours that the repeater knows.
    public var total: UInt16 = 0
    /// Entries that follow.
    public var count: UInt16 = 0
    /// Per entry as many bytes of the key as were asked for, seconds since it was received (u32), SNR in dB/4 (i8).
    public var entries: [UInt8] = []

    public init() {}

    /// Appends an entry with the first `prefix` bytes of the key.
    public mutating func append(_ key: FixedBytes<32>, prefix: Int, secondsAgo: UInt32, snr: Int8) {
        count &+= 1
        entries += key.prefix(prefix)
        withUnsafeBytes(of: secondsAgo.littleEndian) { entries.append(contentsOf: $0) }
        entries.append(UInt8(bitPattern: snr))
    }

    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u16("neighbours_count", &total)
        w.u16("results_count", &count)
        w.rest("results", &entries, atMost: 130)
    }
}

/// The plaintext of the answer to a question without login.
///
/// Source: InfrastructureNodes, "Anonymous questions".
public struct AnonymousAnswerPlaintext: FieldGroup, Hashable {
    /// The tag of the question.
    public var tag: UInt32 = 0
    /// The server's clock.
    public var clock: UInt32 = 0
    /// Regions, name and owner, or features: as asked; with padding when received.
    public var body: [UInt8] = []

    public init() {}

    public init(tag: UInt32, clock: UInt32, body: [UInt8]) {
        self.tag = tag
        self.clock = clock
        self.body = body
    }

    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u32("tag", &tag, unit: .hex)
        w.u32("clock", &clock, unit: .unixTime)
        w.rest("body", &body, atMost: PacketLimits.datagramPlaintext - 8)
    }
}
