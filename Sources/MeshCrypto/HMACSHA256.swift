import CSodium
public import MeshWire

/// HMAC-SHA-256 with a key of any length.
///
/// A value is the state after some bytes, so a copy made right after `init(key:)` saves two compressions per message.
public struct HMACSHA256: Sendable {
    private var state = crypto_auth_hmacsha256_state()

    /// Begins a code with a key of any length.
    public init(key: UnsafeRawBufferPointer) {
        Sodium.prepare()
        crypto_auth_hmacsha256_init(&state, key.start, key.count)
    }

    /// Begins a code with a key of fixed length.
    public init<let size: Int>(key: FixedBytes<size>) {
        self = key.withUnsafeBytes { HMACSHA256(key: $0) }
    }

    /// Adds bytes to the message.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        crypto_auth_hmacsha256_update(&state, bytes.start, UInt64(bytes.count))
    }

    /// Adds one byte to the message.
    public mutating func update(_ byte: UInt8) {
        withUnsafeBytes(of: byte) { update($0) }
    }

    /// Ends the message and returns its code of 32 bytes; the value is consumed.
    public consuming func finalize() -> FixedBytes<32> {
        var state = state
        return .filled { crypto_auth_hmacsha256_final(&state, $0) }
    }

    /// The code of one message under a key of fixed length.
    public static func authenticate<let size: Int>(
        key: FixedBytes<size>, _ bytes: UnsafeRawBufferPointer
    ) -> FixedBytes<32> {
        var code = HMACSHA256(key: key)
        code.update(bytes)
        return code.finalize()
    }

    /// The code of one message under a key of any length.
    public static func authenticate(key: [UInt8], _ bytes: [UInt8]) -> FixedBytes<32> {
        var code = key.withUnsafeBytes { HMACSHA256(key: $0) }
        bytes.withUnsafeBytes { code.update($0) }
        return code.finalize()
    }
}
