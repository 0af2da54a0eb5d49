extension Span<UInt8> {
    /// The number in so many bytes, 8 at most, its lowest byte first. The caller has checked that they are there.
    @inlinable
    package func number(at offset: Int, count: Int) -> UInt64 {
        var result: UInt64 = 0
        for index in (0..<count).reversed() { result = result << 8 | UInt64(self[offset + index]) }
        return result
    }

    /// The bytes as an array.
    @inlinable package var array: [UInt8] { withUnsafeBufferPointer { [UInt8]($0) } }
}
