/// The sequence that a low-energy radio adds to what follows the access address, so that it has no long runs.
struct Whitening {
    /// Seven bits of x⁷ + x⁴ + 1; the highest is the output.
    private var register: UInt8

    /// 0 to 39.
    init(channelIndex: UInt8) {
        // Position 0 of the register is 1, positions 1 to 6 are the index, most significant bit first. Kept mirrored:
        // the lowest bit of `register` is position 6.
        register = 0x40 | channelIndex & 0x3F
    }

    /// The next eight bits, the first of them lowest, as on the air.
    mutating func next() -> UInt8 {
        var byte: UInt8 = 0
        for bit in 0..<8 {
            let out = register & 1
            byte |= out << bit
            register >>= 1
            if out == 1 { register ^= 0x44 }
        }
        return byte
    }
}
