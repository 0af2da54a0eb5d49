public import MeshWire

/// The `path_len` byte: how many hashes a path holds and how long each is.
///
/// Bits 7…6 hold the hash size less one, bits 5…0 the number of hashes. Each hash is a prefix of a node's public key.
/// A stored route may also be `unknown`, which means "flood". In a TRACE the byte is a plain count of SNR bytes.
/// Source: OverTheAir, "Path length" (OTA-002).
@frozen
public struct PathLength: RawRepresentable, ExpressibleByRawValue, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// `hops` hashes of `hashSize` bytes each; only the bits that fit the field are kept.
    @inlinable
    public init(hashSize: Int, hops: Int = 0) {
        rawValue = UInt8(truncatingIfNeeded: ((hashSize &- 1) & 3) << 6 | (hops & 63))
    }

    /// `OUT_PATH_UNKNOWN`: no route is known, so packets are flooded.
    @inlinable public static var unknown: PathLength { PathLength(rawValue: 0xFF) }
    /// An empty path of one-byte hashes.
    @inlinable public static var empty: PathLength { PathLength(rawValue: 0) }

    /// Bytes of each hash: 1, 2 or 3, and 4 for the reserved coding.
    @inlinable public var hashSize: Int { Int(rawValue >> 6) + 1 }
    /// Hashes in the path, 0…63.
    @inlinable public var hopCount: Int { Int(rawValue & 63) }
    /// Bytes of the whole path field.
    @inlinable public var byteCount: Int { hashSize * hopCount }
    /// True when the hash size is not the reserved one and the path fits in `PacketLimits.path`.
    @inlinable public var isValid: Bool { rawValue < 0xC0 && byteCount <= PacketLimits.path }
    /// True for the value that stands for an unknown route.
    @inlinable public var isUnknown: Bool { rawValue == 0xFF }
}

extension PathLength: CustomStringConvertible {
    public var description: String {
        if isUnknown { return "unknown" }
        return hopCount == 1 ? "1 hop of \(hashSize) B" : "\(hopCount) hops of \(hashSize) B"
    }
}
