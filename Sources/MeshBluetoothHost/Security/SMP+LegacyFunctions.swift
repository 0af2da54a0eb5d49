import MeshCrypto
package import MeshWire

// The functions of legacy pairing. Everything is kept most significant byte first; on the air it is the other way
// round.
extension SMP {
    /// The temporary key: the PIN as a number.
    package static func temporaryKey(pin: UInt32) -> FixedBytes<16> {
        var key = FixedBytes<16>()
        for index in 0..<4 { key[15 - index] = UInt8(truncatingIfNeeded: pin >> UInt32(index * 8)) }
        return key
    }

    /// Returns the value by which a side commits itself to its random number: the function c1.
    ///
    /// `request` and `response`: the packets that asked for the pairing and agreed to it.
    package static func confirm(
        key: FixedBytes<16>, random: FixedBytes<16>, request: FixedBytes<7>, response: FixedBytes<7>,
        initiator: BluetoothAddress, responder: BluetoothAddress
    ) -> FixedBytes<16> {
        var block = random
        for index in 0..<7 {
            block[index] ^= response[index]
            block[7 + index] ^= request[index]
        }
        block[14] ^= responder.isRandom ? 1 : 0
        block[15] ^= initiator.isRandom ? 1 : 0
        block = AES128Block.encrypt(block, key: key)
        for index in 0..<6 {
            let shift = UInt64(40 - index * 8)
            block[4 + index] ^= UInt8(truncatingIfNeeded: initiator.number >> shift)
            block[10 + index] ^= UInt8(truncatingIfNeeded: responder.number >> shift)
        }
        return AES128Block.encrypt(block, key: key)
    }

    /// The key of the first session, made of both sides' random numbers: the function s1.
    package static func shortTermKey(
        key: FixedBytes<16>, responder: FixedBytes<16>, initiator: FixedBytes<16>
    ) -> FixedBytes<16> {
        var block = FixedBytes<16>()
        for index in 0..<8 {
            block[index] = responder[8 + index]
            block[8 + index] = initiator[8 + index]
        }
        return AES128Block.encrypt(block, key: key)
    }
}
