/// The check sum of 24 bits behind every packet of the low-energy link layer.
///
/// The polynomial is x²⁴+x¹⁰+x⁹+x⁶+x⁴+x³+x+1; bits are processed in the order of their transmission, lowest first.
/// So the register is kept mirrored: its lowest bit is the highest power. Source: Bluetooth Core, Vol 6 Part B,
/// 3.1.1.
enum AirCheckSum {
    /// The start value of every packet on an advertising channel.
    static let advertising: UInt32 = 0x55_5555

    private static let mirrored: UInt32 = 0xDA_6000

    /// One step for each byte, as a table.
    private static let steps: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { register, _ in register & 1 == 1 ? register >> 1 ^ mirrored : register >> 1 }
    }

    /// The check sum as a number, its first byte on the air lowest. `start` is the number of a CONNECT_IND.
    static func of(_ bytes: Span<UInt8>, start: UInt32) -> UInt32 {
        steps.withUnsafeBufferPointer { steps in
            var register = turned(start)
            for index in bytes.indices {
                register = register >> 8 ^ steps[Int(UInt8(truncatingIfNeeded: register) ^ bytes[index])]
            }
            return register
        }
    }

    /// The start that gives these bytes this check sum: there is exactly one.
    ///
    /// A capture that begins in the middle of a connection holds no CONNECT_IND; packets that agree on a start prove
    /// it.
    static func start(of bytes: Span<UInt8>, sum: UInt32) -> UInt32 {
        var register = sum & 0xFF_FFFF
        for index in bytes.indices.reversed() {
            for bit in (0..<8).reversed() {
                // The highest bit was zero before the shift: it tells whether the polynomial was added.
                let out = register >> 23 & 1
                register = (register ^ (out == 1 ? mirrored : 0)) << 1 & 0xFF_FFFF | out
                register ^= UInt32(bytes[index] >> UInt8(bit) & 1)
            }
        }
        return turned(register)
    }

    /// The 24 bits in the other order.
    private static func turned(_ number: UInt32) -> UInt32 {
        var rest = number & 0xFF_FFFF
        var result: UInt32 = 0
        for _ in 0..<24 {
            result = result << 1 | rest & 1
            rest >>= 1
        }
        return result
    }
}
