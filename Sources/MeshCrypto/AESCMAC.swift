public import MeshWire

/// AES-CMAC with a key of 16 bytes: what LE Secure Connections makes its values of.
///
/// Source: RFC 4493, NIST SP 800-38B. Key and code are written as there, the most significant byte first.
public enum AESCMAC {
    /// The code of a message of any length.
    public static func authenticate(_ message: [UInt8], key: FixedBytes<16>) -> FixedBytes<16> {
        let blockSize = AES128.blockSize
        let subkey = doubled(AES128Block.encrypt(FixedBytes(), key: key))
        let lastStart = max(0, (message.count - 1) / blockSize * blockSize)
        var state = FixedBytes<16>()
        for start in stride(from: 0, to: lastStart, by: blockSize) {
            for index in 0..<blockSize { state[index] ^= message[start + index] }
            state = AES128Block.encrypt(state, key: key)
        }
        let last = message[lastStart...]
        for (index, byte) in last.enumerated() { state[index] ^= byte }
        let isWhole = last.count == blockSize
        if !isWhole { state[last.count] ^= 0x80 }
        let mask = isWhole ? subkey : doubled(subkey)
        for index in 0..<blockSize { state[index] ^= mask[index] }
        return AES128Block.encrypt(state, key: key)
    }

    /// Twice the number in the field of 2^128 elements.
    private static func doubled(_ number: FixedBytes<16>) -> FixedBytes<16> {
        var result = FixedBytes<16>()
        var carry: UInt8 = 0
        for index in (0..<16).reversed() {
            result[index] = number[index] << 1 | carry
            carry = number[index] >> 7
        }
        result[15] ^= carry * 0x87
        return result
    }
}
