import MeshCrypto
public import MeshWire

extension PacketView {
    /// The hash that is equal for two frames of the same packet: the first eight bytes of the digest, little-endian
    /// (OTA-008).
    @inlinable @inline(__always)
    public var packetHash: UInt64 { facts.hash ?? computedHash }

    @usableFromInline
    var computedHash: UInt64 {
        withPayload { MeshHash.packetHash(type: type.rawValue, pathLength: pathLength.rawValue, payload: $0) }
    }

    /// The hash under which a received MULTIPART is entered: type 10 over the payload without its first byte.
    ///
    /// It differs from the hash of the plain ACK inside, and copies with other `remaining` counts share it
    /// (OverTheAir, "Reception").
    public var innerPacketHash: UInt64 {
        withPayload {
            MeshHash.packetHash(
                type: type.rawValue, pathLength: pathLength.rawValue,
                payload: UnsafeRawBufferPointer(rebasing: $0.dropFirst()))
        }
    }

    /// The code that marks this packet as belonging to the region of `key`; it depends on type and payload only.
    public func transportCode(for key: FixedBytes<16>) -> UInt16 {
        withPayload { MeshHash.transportCode(key: key, type: type.rawValue, payload: $0) }
    }

    /// True for an advert whose signature is valid over key, timestamp and the first 32 bytes of its data.
    public var hasValidAdvertSignature: Bool {
        if let isSigned = facts.isSigned { return isSigned }
        return type == .advert && withPayload { Advert.isSigned(payload: $0) }
    }

    /// Computes what all listeners of a frame would find out each for itself, so that copies of the view know it.
    public mutating func learn() {
        facts = PacketFacts(hash: packetHash, isSigned: type == .advert ? hasValidAdvertSignature : nil)
    }

    /// Copies the facts that another view of the same type and payload has; `false` when they differ.
    ///
    /// Path and route may differ, except in a TRACE, whose hash covers the length of its path.
    public mutating func learn(from other: PacketView) -> Bool {
        guard type == other.type, payloadCount == other.payloadCount,
            type != .trace || pathLength == other.pathLength,
            withPayload({ mine in other.withPayload { mine.holdsSameBytes(as: $0) } })
        else { return false }
        facts = other.facts
        return true
    }
}

extension UnsafeRawBufferPointer {
    /// Returns whether memory of the same length holds the same bytes; eight at a time.
    fileprivate func holdsSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        while offset + 8 <= count {
            let mine = loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            guard mine == other.loadUnaligned(fromByteOffset: offset, as: UInt64.self) else { return false }
            offset += 8
        }
        while offset < count {
            guard self[offset] == other[offset] else { return false }
            offset += 1
        }
        return true
    }
}

/// The facts that depend on a packet's type and payload alone and cost something to work out.
@usableFromInline
struct PacketFacts: Sendable {
    @usableFromInline var hash: UInt64?
    /// True when an advert's signature is valid.
    var isSigned: Bool?
}
