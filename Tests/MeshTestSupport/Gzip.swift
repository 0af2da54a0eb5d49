/// Bytes in the wrapping of gzip, not packed: as many blocks of at most 65,535 bytes as needed.
public func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var packed: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
    var rest = bytes[...]
    repeat {
        let block = rest.prefix(0xFFFF)
        rest = rest.dropFirst(0xFFFF)
        let count = UInt16(block.count)
        packed.append(rest.isEmpty ? 1 : 0)
        for word in [count, ~count] { packed += [UInt8(truncatingIfNeeded: word), UInt8(word >> 8)] }
        packed += block
    } while !rest.isEmpty
    var sum: UInt32 = .max
    for byte in bytes {
        sum ^= UInt32(byte)
        for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    for word in [~sum, UInt32(bytes.count)] { withUnsafeBytes(of: word.littleEndian) { packed += $0 } }
    return packed
}
