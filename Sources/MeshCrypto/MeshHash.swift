public import MeshWire

/// The short hashes that the mesh puts on the air or keeps in its tables.
public enum MeshHash {
    /// The payload type whose packet hash also covers the path length (`PAYLOAD_TYPE_TRACE`).
    private static let trace: UInt8 = 9

    /// Returns the value in an ACK: the first four digest bytes, read little-endian.
    ///
    /// `plaintext` ends with the text, before its first NUL. `key` is the sender's for plain text and keep-alives and
    /// the receiver's for signed text. Source: OverTheAir, "Acknowledgement hash".
    public static func ackHash(plaintext: UnsafeRawBufferPointer, key: PublicKey) -> UInt32 {
        let digest = key.withUnsafeBytes { SHA256.hash(plaintext, $0) }
        return digest.withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)) }
    }

    /// The first byte of a group packet; covers 16 bytes of a slot whose upper half is zero, otherwise all 32.
    ///
    /// Source: OverTheAir, "Node and channel hashes".
    public static func channelHash(secret: FixedBytes<32>) -> UInt8 {
        secret.withUnsafeBytes { bytes in
            let short = bytes[16...].allSatisfy { $0 == 0 }
            return SHA256.hash(UnsafeRawBufferPointer(rebasing: bytes[..<(short ? 16 : 32)]))[0]
        }
    }

    /// Returns the hash that is equal for two frames of the same packet: of type and payload, for TRACE also the
    /// path length.
    ///
    /// The eight bytes of the table, loaded little-endian. `type` is the payload type 0…15; `pathLength` is the encoded
    /// byte and is looked at for TRACE only, where the firmware hashes it as 16 bits. Source: OverTheAir (OTA-008).
    public static func packetHash(type: UInt8, pathLength: UInt8 = 0, payload: UnsafeRawBufferPointer) -> UInt64 {
        var hash = SHA256()
        hash.update(type)
        if type == trace {
            hash.update(pathLength)
            hash.update(0)
        }
        hash.update(payload)
        let digest = hash.finalize()
        return digest.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
    }

    /// The key of a public region: a hash of its name, with a leading `#` added where it lacks one (OTA-088).
    public static func regionKey(name: [UInt8]) -> FixedBytes<16> {
        var hash = SHA256()
        if name.first != UInt8(ascii: "#") { hash.update(UInt8(ascii: "#")) }
        hash.update(name)
        return hash.finalize().withUnsafeBytes { FixedBytes<16>($0) }
    }

    /// Returns the key that apps use for a hashtag channel, by the rule of regions; the firmware has no such
    /// convention.
    public static func hashtagKey(_ name: some StringProtocol) -> ChannelKey {
        regionKey(name: [UInt8](name.utf8))
    }

    /// Marks a packet as belonging to a region; depends on type and payload only, and is never 0 or 0xFFFF.
    ///
    /// Source: OverTheAir, "Regions and transport codes" (OTA-088).
    public static func transportCode(key: FixedBytes<16>, type: UInt8, payload: UnsafeRawBufferPointer) -> UInt16 {
        var code = HMACSHA256(key: key)
        code.update(type)
        code.update(payload)
        let digest = code.finalize()
        switch UInt16(digest[0]) | UInt16(digest[1]) << 8 {
        case 0: return 1
        case 0xFFFF: return 0xFFFE
        case let value: return value
        }
    }
}

extension MeshHash {
    /// Returns the value in an ACK, for a plaintext in an array.
    public static func ackHash(plaintext: [UInt8], key: PublicKey) -> UInt32 {
        plaintext.withUnsafeBytes { ackHash(plaintext: $0, key: key) }
    }

    /// Returns the hash that is equal for two frames of the same packet, for a payload in an array.
    public static func packetHash(type: UInt8, pathLength: UInt8 = 0, payload: [UInt8]) -> UInt64 {
        payload.withUnsafeBytes { packetHash(type: type, pathLength: pathLength, payload: $0) }
    }

    /// Returns the code that marks a packet as belonging to a region, for a payload in an array.
    public static func transportCode(key: FixedBytes<16>, type: UInt8, payload: [UInt8]) -> UInt16 {
        payload.withUnsafeBytes { transportCode(key: key, type: type, payload: $0) }
    }
}
