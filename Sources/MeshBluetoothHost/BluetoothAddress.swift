package import MeshWire

/// A Bluetooth device address, as packets carry it.
package struct BluetoothAddress: Hashable, Sendable {
    /// Most significant byte first in the number's order: `aa:bb:cc:dd:ee:ff` is 0xaabbccddeeff.
    package var number: UInt64
    /// A random device address (static or private), not a public one that was assigned to a vendor.
    package var isRandom: Bool

    package init(number: UInt64, isRandom: Bool) {
        self.number = number & 0xFFFF_FFFF_FFFF
        self.isRandom = isRandom
    }

    /// As hosts and controllers write it, lowest byte first; of their types the odd ones are random.
    package init(_ bytes: FixedBytes<6>, type: UInt8) {
        self.init(
            number: bytes.array.reversed().reduce(0) { $0 << 8 | UInt64($1) }, isRandom: type & 1 != 0)
    }

    /// Reads six bytes, lowest first; the caller has checked that they are there.
    package init(_ bytes: Span<UInt8>, at offset: Int, isRandom: Bool) {
        self.init(number: bytes.number(at: offset, count: 6), isRandom: isRandom)
    }

    /// The device keeps it: it is public, or random and static, which its two highest bits say.
    package var isLasting: Bool { !isRandom || number >> 46 == 3 }

    /// As people write it, most significant first.
    package var bytes: [UInt8] { (0..<6).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64($0 * 8)) } }
}

extension BluetoothAddress: CustomStringConvertible {
    /// `c0:ff:ee:00:11:22 (random)`.
    package var description: String {
        bytes.map { [$0].hex }.joined(separator: ":") + (isRandom ? " (random)" : "")
    }
}
