/// The order of a number's bytes.
enum ByteOrder: Sendable {
    case little
    case big
}

extension Span<UInt8> {
    /// The number of 16 bits at an offset.
    func word16(_ offset: Int, _ order: ByteOrder) -> UInt16 {
        let word = bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self)
        return order == .little ? UInt16(littleEndian: word) : UInt16(bigEndian: word)
    }

    /// The number of 32 bits at an offset.
    func word32(_ offset: Int, _ order: ByteOrder) -> UInt32 {
        let word = bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self)
        return order == .little ? UInt32(littleEndian: word) : UInt32(bigEndian: word)
    }

    /// The number of 64 bits at an offset.
    func word64(_ offset: Int, _ order: ByteOrder) -> UInt64 {
        let word = bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
        return order == .little ? UInt64(littleEndian: word) : UInt64(bigEndian: word)
    }
}
