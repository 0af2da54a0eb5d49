// Commands: questions to other nodes, and to the mesh.
public import MeshWire

/// Sends the node's advert, to the neighbours or by flood.
///
/// Sent by the app. Errors: `tableFull`. Since 1.0. Source: `CMD_SEND_SELF_ADVERT` in companion_radio, 1.17.1.
public struct SendSelfAdvert: CommandFrame {
    public static let code = CommandCode.sendSelfAdvert
    public typealias Reply = Resp.OK

    /// 1 floods, in the stored default scope; anything else, or nothing, is zero hop.
    public var type: UInt8?

    @inlinable public init() {}

    @inlinable
    public init(type: UInt8?) {
        self.type = type
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.tail("type", &type)
    }
}

/// Logs in to a repeater, room server or sensor.
///
/// The tag of the answer is the first 4 bytes of the server's key. Servers stay silent on a wrong password. Cancels
/// other pending requests, as every request does.
///
/// Sent by the app. Errors: `notFound`, `tableFull`. Since 1.0. Source: `CMD_SEND_LOGIN` in companion_radio,
/// 1.17.1.
public struct SendLogin: CommandFrame {
    public static let code = CommandCode.sendLogin
    public typealias Reply = Resp.Sent

    /// Key of the server.
    public var publicKey: FixedBytes<32> = FixedBytes()
    /// May be empty.
    public var password: ByteText = ByteText()

    @inlinable public init() {}

    @inlinable
    public init(publicKey: FixedBytes<32>, password: ByteText) {
        self.publicKey = publicKey
        self.password = password
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.fixed("public_key", &publicKey)
        w.rest("password", &password, atMost: 15)
    }
}

/// Asks a repeater or room server for its status.
///
/// Sent by the app. Errors: `notFound`, `tableFull`. Since 1.0. Source: `CMD_SEND_STATUS_REQ` in
/// companion_radio, 1.17.1.
public struct SendStatusReq: CommandFrame, KeyFrame {
    public static let code = CommandCode.sendStatusReq
    public typealias Reply = Resp.Sent

    /// Key of the server.
    public var publicKey: FixedBytes<32> = FixedBytes()

    @inlinable public init() {}
}

/// Asks whether a keep-alive connection to a server is held; `notFound` if not.
///
/// Sent by the app. Errors: `notFound`. Since 1.0. Source: `CMD_HAS_CONNECTION` in companion_radio, 1.17.1.
public struct HasConnection: CommandFrame, KeyFrame {
    public static let code = CommandCode.hasConnection
    public typealias Reply = Resp.OK

    /// Key of the server.
    public var publicKey: FixedBytes<32> = FixedBytes()

    @inlinable public init() {}
}

/// Forgets the keep-alive connection to a server, held or not; nothing is transmitted.
///
/// Sent by the app. Errors: none of its own. Since 1.0. Source: `CMD_LOGOUT` in companion_radio, 1.17.1.
public struct Logout: CommandFrame, KeyFrame {
    public static let code = CommandCode.logout
    public typealias Reply = Resp.OK

    /// Key of the server.
    public var publicKey: FixedBytes<32> = FixedBytes()

    @inlinable public init() {}
}

/// Asks a contact for telemetry, or the radio itself when there is no key.
///
/// The radio's own telemetry is the direct answer, in the frame that is a push otherwise. 5 to 35 bytes are
/// `unsupportedCmd`.
///
/// Sent by the app. Errors: `notFound`, `tableFull`. Since 1.6. Source: `CMD_SEND_TELEMETRY_REQ` in
/// companion_radio, 1.17.1.
public struct SendTelemetryReq: CommandFrame {
    public static let code = CommandCode.sendTelemetryReq
    public typealias Reply = EitherReply<Resp.Sent, Push.TelemetryResponse>

    /// Three bytes that are sent as 0.
    public var reserved: FixedBytes<3> = FixedBytes()
    /// Key of the contact that is asked, or nil to ask the radio itself.
    public var publicKey: FixedBytes<32>?

    @inlinable public init() {}

    @inlinable
    public init(publicKey: FixedBytes<32>?) {
        self.publicKey = publicKey
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.fixed("reserved", &reserved)
        w.tail("public_key", &publicKey)
    }
}

/// Sends a request of the app's making to a contact; the answer carries the tag.
///
/// Sent by the app. Errors: `notFound`, `tableFull`. Since 1.7.3. Source: `CMD_SEND_BINARY_REQ` in
/// companion_radio, 1.17.1.
public struct SendBinaryReq: CommandFrame {
    public static let code = CommandCode.sendBinaryReq
    public typealias Reply = Resp.Sent

    /// Key of the contact that is asked.
    public var publicKey: FixedBytes<32> = FixedBytes()
    /// At least one byte; the request types are those of the air.
    public var request: [UInt8] = []

    @inlinable public init() {}

    @inlinable
    public init(publicKey: FixedBytes<32>, request: [UInt8]) {
        self.publicKey = publicKey
        self.request = request
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.fixed("public_key", &publicKey)
        w.rest("request", &request, atMost: 143)
    }
}

/// Sends an anonymous request to a key, contact or not.
///
/// A key that is no contact is asked as a neighbour, through a hidden transient slot. Never `notFound`.
///
/// Sent by the app. Errors: `tableFull`. Since 1.12. Source: `CMD_SEND_ANON_REQ` in companion_radio, 1.17.1.
public struct SendAnonReq: CommandFrame {
    public static let code = CommandCode.sendAnonReq
    public typealias Reply = Resp.Sent

    /// Key of the node that is asked.
    public var publicKey: FixedBytes<32> = FixedBytes()
    /// The request itself, at most 132 bytes.
    public var data: [UInt8] = []

    @inlinable public init() {}

    @inlinable
    public init(publicKey: FixedBytes<32>, data: [UInt8]) {
        self.publicKey = publicKey
        self.data = data
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.fixed("public_key", &publicKey)
        w.rest("data", &data, atMost: 132)
    }
}

/// Asks a contact by flood, so that both ways become known; neither is stored.
///
/// Sent by the app. Errors: `notFound`, `tableFull`. Since 1.8. Source: `CMD_SEND_PATH_DISCOVERY_REQ` in
/// companion_radio, 1.17.1.
public struct SendPathDiscoveryReq: CommandFrame {
    public static let code = CommandCode.sendPathDiscoveryReq
    public typealias Reply = Resp.Sent

    /// Other than 0 is no known command.
    public var reserved: UInt8 = 0
    /// Key of the contact that is asked.
    public var publicKey: FixedBytes<32> = FixedBytes()

    @inlinable public init() {}

    @inlinable
    public init(reserved: UInt8 = 0, publicKey: FixedBytes<32>) {
        self.reserved = reserved
        self.publicKey = publicKey
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u8("reserved", &reserved, in: 0...0)
        w.fixed("public_key", &publicKey)
    }
}

/// Sends a packet round a list of nodes, each of which adds the SNR of its reception.
///
/// Sent by the app. Errors: `illegalArg`, `tableFull`. Since 1.4. Source: `CMD_SEND_TRACE_PATH` in
/// companion_radio, 1.17.1.
public struct SendTracePath: CommandFrame {
    public static let code = CommandCode.sendTracePath
    public typealias Reply = Resp.Sent

    /// The app's choice; comes back in the answer and in TRACE_DATA.
    public var tag: UInt32 = 0
    /// A number of the app's that travels along unchanged, meant for authentication.
    public var auth: UInt32 = 0
    /// Bits 0 and 1: the hash of a node has 1, 2, 4 or 8 bytes.
    public var flags: UInt8 = 0
    /// In order of travel, the way back included; at most 64 hashes, none incomplete.
    public var path: [UInt8] = []

    @inlinable public init() {}

    @inlinable
    public init(tag: UInt32, auth: UInt32, flags: UInt8, path: [UInt8]) {
        self.tag = tag
        self.auth = auth
        self.flags = flags
        self.path = path
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u32("tag", &tag, unit: .hex)
        w.u32("auth", &auth, unit: .hex)
        w.u8("flags", &flags, in: 0...3)
        w.rest("path", &path, atMost: 166)
    }
}
