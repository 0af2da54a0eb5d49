import CSodium
public import MeshWire

/// SHA-256 over bytes that arrive in pieces.
public struct SHA256: Sendable {
    private var state = crypto_hash_sha256_state()

    public init() {
        Sodium.prepare()
        crypto_hash_sha256_init(&state)
    }

    /// Adds bytes to the hashed message.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        crypto_hash_sha256_update(&state, bytes.start, UInt64(bytes.count))
    }

    /// Adds bytes to the hashed message.
    public mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// Adds bytes to the hashed message.
    public mutating func update<let size: Int>(_ bytes: FixedBytes<size>) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// Adds one byte to the hashed message.
    public mutating func update(_ byte: UInt8) {
        withUnsafeBytes(of: byte) { update($0) }
    }

    /// The digest of everything given so far.
    public consuming func finalize() -> FixedBytes<32> {
        var state = state
        return .filled { crypto_hash_sha256_final(&state, $0) }
    }

    public static func hash(_ bytes: UnsafeRawBufferPointer) -> FixedBytes<32> {
        Sodium.prepare()
        return .filled { crypto_hash_sha256($0, bytes.start, UInt64(bytes.count)) }
    }

    /// The digest of two runs of bytes, one after the other.
    public static func hash(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> FixedBytes<32> {
        var hash = SHA256()
        hash.update(first)
        hash.update(second)
        return hash.finalize()
    }

    public static func hash(_ bytes: [UInt8]) -> FixedBytes<32> {
        bytes.withUnsafeBytes { hash($0) }
    }
}

/// SHA-512, which Ed25519 is made of.
struct SHA512 {
    private var state = crypto_hash_sha512_state()

    init() {
        Sodium.prepare()
        crypto_hash_sha512_init(&state)
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        crypto_hash_sha512_update(&state, bytes.start, UInt64(bytes.count))
    }

    mutating func update<let size: Int>(_ bytes: FixedBytes<size>) {
        bytes.withUnsafeBytes { update($0) }
    }

    consuming func finalize() -> FixedBytes<64> {
        var state = state
        return .filled { crypto_hash_sha512_final(&state, $0) }
    }
}
