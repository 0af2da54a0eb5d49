import MeshTime

/// A running number over everything a run has emitted: equal digests mean equal runs.
///
/// A multiplication for each eight bytes of kind, time, node and content. It finds differences, it proves nothing to an
/// adversary.
public struct Digest: Hashable, Sendable, CustomStringConvertible {
    /// The kind of value that is folded in; the number is part of the digest.
    enum Kind: UInt8 {
        case transmitted = 1
        case appBytes = 2
        case appClosed = 3
        case rebooted = 4
        case received = 5
        case dropped = 6
        case booted = 7
        case poweredOff = 8
        case bridged = 9
        case interfaceBytes = 10
        case interfaceClosed = 11
    }

    /// The number so far.
    public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    public init() {}

    mutating func fold(_ kind: Kind, at time: Instant, node: Int32, _ bytes: UnsafeRawBufferPointer) {
        fold(kind, at: time, node: node, detail: UInt32(truncatingIfNeeded: bytes.count))
        var rest = bytes[...]
        while rest.count >= 8 {
            fold(UInt64(littleEndian: rest.loadUnaligned(as: UInt64.self)))
            rest = rest.dropFirst(8)
        }
        var last: UInt64 = 0
        for byte in rest { last = last << 8 | UInt64(byte) }
        fold(last)
    }

    mutating func fold(_ kind: Kind, at time: Instant, node: Int32, detail: UInt32 = 0) {
        fold(UInt64(bitPattern: time.microseconds) ^ UInt64(kind.rawValue) << 56)
        fold(UInt64(UInt32(bitPattern: node)) << 32 | UInt64(detail))
    }

    /// Folds a number in.
    mutating func fold(_ number: UInt64) {
        let product = (value ^ number) &* 0x9E37_79B9_7F4A_7C15
        value = product ^ product >> 29
    }

    /// Sixteen hex digits.
    public var description: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
