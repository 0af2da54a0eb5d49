import MeshTime

/// A running number over everything a run has emitted: equal digests mean equal runs.
///
/// FNV-1a, 64 bits, over kind, time, node and bytes of each frame. It finds differences, it proves nothing to an
/// adversary.
public struct Digest: Hashable, Sendable, CustomStringConvertible {
    /// What is being folded in; the number is part of the digest.
    enum Kind: UInt8 {
        case transmitted = 1
        case appBytes = 2
        case appClosed = 3
        case rebooted = 4
    }

    public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    public init() {}

    mutating func fold(_ kind: Kind, at time: Instant, node: Int32, _ bytes: UnsafeRawBufferPointer) {
        fold(kind.rawValue)
        fold(UInt64(bitPattern: time.microseconds))
        fold(UInt64(UInt32(bitPattern: node)) << 32 | UInt64(truncatingIfNeeded: bytes.count))
        for byte in bytes { fold(byte) }
    }

    mutating func fold(_ kind: Kind, at time: Instant, node: Int32) {
        fold(kind, at: time, node: node, UnsafeRawBufferPointer(start: nil, count: 0))
    }

    private mutating func fold(_ number: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { fold(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    private mutating func fold(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
    }

    /// Sixteen hex digits.
    public var description: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
