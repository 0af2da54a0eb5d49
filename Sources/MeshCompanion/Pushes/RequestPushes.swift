// Pushes: answers of other nodes.
public import MeshPacket
public import MeshWire

extension Push {
    /// A server has admitted the node.
    ///
    /// Servers older than 1.9 give fewer fields; their absence shows as zero when the answer was padded.
    ///
    /// Pushed by the radio, connected or not. Since 1.0. Source: `PUSH_CODE_LOGIN_SUCCESS` in companion_radio,
    /// 1.17.1.
    public struct LoginSuccess: PushFrame {
        public static let code = PushCode.loginSuccess

        /// 1 administrator; 0 in the legacy form.
        public var permissions: UInt8 = 0
        /// The first 6 bytes of the server's key.
        public var publicKeyPrefix: FixedBytes<6> = FixedBytes()
        /// The server's clock when it answered, in seconds since 1970; nil from radios below level 5.
        public var serverTime: UInt32?
        /// The rights of this client in the server's access list; nil from radios below level 7.
        public var aclPermissions: UInt8?
        /// The level of the server's firmware; nil from radios below level 7.
        public var firmwareLevel: UInt8?

        @inlinable public init() {}

        @inlinable
        public init(
            permissions: UInt8, publicKeyPrefix: FixedBytes<6>, serverTime: UInt32? = nil,
            aclPermissions: UInt8? = nil, firmwareLevel: UInt8? = nil
        ) {
            self.permissions = permissions
            self.publicKeyPrefix = publicKeyPrefix
            self.serverTime = serverTime
            self.aclPermissions = aclPermissions
            self.firmwareLevel = firmwareLevel
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("permissions", &permissions)
            w.fixed("pubkey_prefix", &publicKeyPrefix)
            w.tail("server_time", &serverTime, unit: .unixTime, since: 5)
            w.tail("acl_permissions", &aclPermissions, since: 7)
            w.tail("fw_ver_level", &firmwareLevel, since: 7)
        }
    }

    /// A server answered a login with something that is no success; on a wrong password most stay silent.
    ///
    /// Pushed by the radio, connected or not. Since 1.0. Source: `PUSH_CODE_LOGIN_FAIL` in companion_radio, 1.17.1.
    public struct LoginFail: PushFrame {
        public static let code = PushCode.loginFail

        /// 0 from all known releases; a reader ignores it.
        public var reserved: UInt8 = 0
        /// The first 6 bytes of the server's key.
        public var publicKeyPrefix: FixedBytes<6> = FixedBytes()

        @inlinable public init() {}

        @inlinable
        public init(reserved: UInt8 = 0, publicKeyPrefix: FixedBytes<6>) {
            self.reserved = reserved
            self.publicKeyPrefix = publicKeyPrefix
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("reserved", &reserved)
            w.fixed("pubkey_prefix", &publicKeyPrefix)
        }
    }

    /// The status record of a repeater or room server. Matched by contact only: there is no tag.
    ///
    /// Pushed by the radio, connected or not. Since 1.0. Source: `PUSH_CODE_STATUS_RESPONSE` in companion_radio,
    /// 1.17.1.
    public struct StatusResponse: PushFrame {
        public static let code = PushCode.statusResponse

        /// 0 from all known releases; a reader ignores it.
        public var reserved: UInt8 = 0
        /// The first 6 bytes of the server's key.
        public var publicKeyPrefix: FixedBytes<6> = FixedBytes()
        /// Zero padded to the cipher block.
        public var data: [UInt8] = []

        @inlinable public init() {}

        @inlinable
        public init(reserved: UInt8 = 0, publicKeyPrefix: FixedBytes<6>, data: [UInt8]) {
            self.reserved = reserved
            self.publicKeyPrefix = publicKeyPrefix
            self.data = data
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("reserved", &reserved)
            w.fixed("pubkey_prefix", &publicKeyPrefix)
            w.rest("data", &data)
        }
    }

    /// Telemetry of a contact, or of the radio itself as a direct answer.
    ///
    /// Pushed by the radio, connected or not. Since 1.6. Source: `PUSH_CODE_TELEMETRY_RESPONSE` in companion_radio,
    /// 1.17.1.
    public struct TelemetryResponse: PushFrame {
        public static let code = PushCode.telemetryResponse

        /// 0 from all known releases; a reader ignores it.
        public var reserved: UInt8 = 0
        /// The first 6 bytes of the server's key.
        public var publicKeyPrefix: FixedBytes<6> = FixedBytes()
        /// CayenneLPP, zero padded to the cipher block when it came over the air.
        public var lpp: [UInt8] = []

        @inlinable public init() {}

        @inlinable
        public init(reserved: UInt8 = 0, publicKeyPrefix: FixedBytes<6>, lpp: [UInt8]) {
            self.reserved = reserved
            self.publicKeyPrefix = publicKeyPrefix
            self.lpp = lpp
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("reserved", &reserved)
            w.fixed("pubkey_prefix", &publicKeyPrefix)
            w.rest("lpp", &lpp)
            w.note(LPPReader.text(of: lpp))
        }
    }

    /// The answer to a binary or anonymous request.
    ///
    /// Pushed by the radio, connected or not. Since 1.7.3. Source: `PUSH_CODE_BINARY_RESPONSE` in companion_radio,
    /// 1.17.1.
    public struct BinaryResponse: PushFrame {
        public static let code = PushCode.binaryResponse

        /// 0 from all known releases; a reader ignores it.
        public var reserved: UInt8 = 0
        /// The tag that the radio gave when it accepted the request.
        public var tag: UInt32 = 0
        /// Zero padded to the cipher block.
        public var data: [UInt8] = []

        @inlinable public init() {}

        @inlinable
        public init(reserved: UInt8 = 0, tag: UInt32, data: [UInt8]) {
            self.reserved = reserved
            self.tag = tag
            self.data = data
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("reserved", &reserved)
            w.u32("tag", &tag, unit: .hex)
            w.rest("data", &data)
        }
    }

    /// Both ways between here and a contact.
    ///
    /// Pushed by the radio, connected or not. Since 1.8. Source: `PUSH_CODE_PATH_DISCOVERY_RESPONSE` in
    /// companion_radio, 1.17.1.
    public struct PathDiscoveryResponse: PushFrame {
        public static let code = PushCode.pathDiscoveryResponse

        /// 0 from all known releases; a reader ignores it.
        public var reserved: UInt8 = 0
        /// The first 6 bytes of the contact's key.
        public var publicKeyPrefix: FixedBytes<6> = FixedBytes()
        /// Hops and hash size of the way to the contact.
        public var outPathLength: PathLength = .empty
        /// From here to the contact, as it reported it.
        public var outPath: [UInt8] = []
        /// Hops and hash size of the way from the contact.
        public var inPathLength: PathLength = .empty
        /// From the contact to here.
        public var inPath: [UInt8] = []

        @inlinable public init() {}

        @inlinable
        public init(
            reserved: UInt8 = 0, publicKeyPrefix: FixedBytes<6>, outPathLength: PathLength = .empty, outPath: [UInt8],
            inPathLength: PathLength = .empty, inPath: [UInt8]
        ) {
            self.reserved = reserved
            self.publicKeyPrefix = publicKeyPrefix
            self.outPathLength = outPathLength
            self.outPath = outPath
            self.inPathLength = inPathLength
            self.inPath = inPath
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("reserved", &reserved)
            w.fixed("pubkey_prefix", &publicKeyPrefix)
            w.raw("out_path_len", &outPathLength)
            w.bytes("out_path", &outPath, count: outPathLength.bytesThatFollow)
            w.raw("in_path_len", &inPathLength)
            w.bytes("in_path", &inPath, count: inPathLength.bytesThatFollow)
        }
    }
}
