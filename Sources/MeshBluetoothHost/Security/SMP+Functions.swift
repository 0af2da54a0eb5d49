import MeshCrypto
package import MeshWire

// The functions of Secure Connections and of addresses. Source: Bluetooth Core, Vol 3 Part H, 2.2.2 and 2.2.5 to 2.2.9.
// Everything is kept most significant byte first, as the specification writes it; on the air it is the other way round.
extension SMP {
    /// Returns the value by which a side commits itself to its random number: the function f4.
    ///
    /// `u`, `v`: the x coordinates of its own and the other public key; `z`: 0, or 0x80 and a bit of the passkey.
    package static func confirm(
        u: FixedBytes<32>, v: FixedBytes<32>, random: FixedBytes<16>, z: UInt8
    ) -> FixedBytes<16> {
        AESCMAC.authenticate(u.array + v.array + [z], key: random)
    }

    /// The key of the final checks and the long term key: the function f5.
    package static func keys(
        secret: FixedBytes<32>, initiatorRandom: FixedBytes<16>, responderRandom: FixedBytes<16>,
        initiator: BluetoothAddress, responder: BluetoothAddress
    ) -> (check: FixedBytes<16>, longTerm: FixedBytes<16>) {
        let key = AESCMAC.authenticate(secret.array, key: salt)
        let randoms = initiatorRandom.array + responderRandom.array
        let message = identifier + randoms + initiator.typed + responder.typed + [0x01, 0x00]
        return (AESCMAC.authenticate([0] + message, key: key), AESCMAC.authenticate([1] + message, key: key))
    }

    private static let salt = FixedBytes<16>([
        0x6C, 0x88, 0x83, 0x91, 0xAA, 0xF5, 0xA5, 0x38, 0x60, 0x37, 0x0B, 0xDB, 0x5A, 0x60, 0x83, 0xBE,
    ])
    private static let identifier = [UInt8]("btle".utf8)

    /// The final check of a side: the function f6.
    ///
    /// `passkey`: as 16 bytes, 0 without one; `features`: AuthReq, OOB and IO of the side, in this order.
    package static func check(
        key: FixedBytes<16>, own: FixedBytes<16>, other: FixedBytes<16>, passkey: FixedBytes<16>,
        features: FixedBytes<3>, from sender: BluetoothAddress, to receiver: BluetoothAddress
    ) -> FixedBytes<16> {
        AESCMAC.authenticate(
            own.array + other.array + passkey.array + features.array + sender.typed + receiver.typed, key: key)
    }

    /// The hash in an address that changes: the function ah, 24 bits.
    package static func addressHash(key: FixedBytes<16>, random: UInt32) -> UInt32 {
        var block = FixedBytes<16>()
        for index in 0..<3 { block[15 - index] = UInt8(truncatingIfNeeded: random >> UInt32(index * 8)) }
        return AES128Block.encrypt(block, key: key).array.suffix(3).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Tells whether the owner of this identity key made up the address.
    package static func resolves(_ address: BluetoothAddress, by key: FixedBytes<16>) -> Bool {
        guard address.isRandom, address.number >> 46 == 1 else { return false }
        let random = UInt32(truncatingIfNeeded: address.number >> 24)
        return addressHash(key: key, random: random) == UInt32(truncatingIfNeeded: address.number & 0xFF_FFFF)
    }
}

extension BluetoothAddress {
    /// As the functions need it: a byte for the type, then the address, most significant first.
    fileprivate var typed: [UInt8] { [isRandom ? 1 : 0] + bytes }
}

extension FixedBytes {
    /// The other order of bytes: between the air and the functions.
    var reversed: FixedBytes {
        var result = FixedBytes()
        for index in 0..<size { result[size - 1 - index] = self[index] }
        return result
    }
}
