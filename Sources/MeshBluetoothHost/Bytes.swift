import MeshWire

extension FieldGroup {
    /// Reads a packet from the byte behind its code on; `left` becomes the number of bytes behind the last field.
    init(behindCode bytes: Span<UInt8>, left: inout Int) throws(FrameError) {
        self.init()
        if let failure = readFields(bytes, left: &left) { throw failure }
    }

    private mutating func readFields(_ bytes: Span<UInt8>, left: inout Int) -> FrameError? {
        bytes.withUnsafeBytes { memory in
            var reader = FieldReader(memory, from: 1)
            walk(&reader)
            left = reader.remaining
            return reader.failure
        }
    }
}

extension Span<UInt8> {
    /// The number in so many bytes, 8 at most, its lowest byte first. The caller has checked that they are there.
    @inlinable
    package func number(at offset: Int, count: Int) -> UInt64 {
        var result: UInt64 = 0
        for index in (0..<count).reversed() { result = result << 8 | UInt64(self[offset + index]) }
        return result
    }

    /// The same of two bytes.
    @inlinable
    package func word(at offset: Int) -> UInt16 { UInt16(self[offset]) | UInt16(self[offset + 1]) << 8 }

    /// The bytes as an array.
    @inlinable package var array: [UInt8] { withUnsafeBufferPointer { [UInt8]($0) } }
}

extension UInt16 {
    /// As it travels, the lowest byte first.
    var wireBytes: [UInt8] { [UInt8(truncatingIfNeeded: self), UInt8(self >> 8)] }
}
