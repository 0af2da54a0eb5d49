// Responses: keys and signatures.
public import MeshWire

extension Resp {
    /// The private key, expanded: clamped scalar and nonce prefix.
    ///
    /// Sent by the radio in answer to a command. Since 1.0. Source: `RESP_CODE_PRIVATE_KEY` in companion_radio,
    /// 1.17.1.
    public struct PrivateKey: ResponseFrame {
        public static let code = ResponseCode.privateKey

        /// The key that the radio signs with, 64 bytes.
        public var privateKey: FixedBytes<64> = FixedBytes()

        @inlinable public init() {}

        @inlinable
        public init(privateKey: FixedBytes<64>) {
            self.privateKey = privateKey
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.fixed("private_key", &privateKey)
        }
    }

    /// A signature may be fed with data.
    ///
    /// Sent by the radio in answer to a command. Since 1.4. Source: `RESP_CODE_SIGN_START` in companion_radio,
    /// 1.17.1.
    public struct SignStart: ResponseFrame {
        public static let code = ResponseCode.signStart

        /// 0 from all known releases; a reader ignores it.
        public var reserved: UInt8 = 0
        /// The largest amount of data that one signature may cover, in bytes.
        public var maxLength: UInt32 = 8192

        @inlinable public init() {}

        @inlinable
        public init(maxLength: UInt32) {
            self.maxLength = maxLength
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("reserved", &reserved)
            w.u32("max_len", &maxLength, unit: .bytes)
        }
    }

    /// The Ed25519 signature over all data since SIGN_START.
    ///
    /// Sent by the radio in answer to a command. Since 1.4. Source: `RESP_CODE_SIGNATURE` in companion_radio,
    /// 1.17.1.
    public struct Signature: ResponseFrame {
        public static let code = ResponseCode.signature

        /// The signature, 64 bytes.
        public var signature: FixedBytes<64> = FixedBytes()

        @inlinable public init() {}

        @inlinable
        public init(signature: FixedBytes<64>) {
            self.signature = signature
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.fixed("signature", &signature)
        }
    }
}
