/// Numbers out of packets of the air, lowest byte first. Callers have checked that the bytes are there.
enum AirBytes {
    static func number(_ bytes: Span<UInt8>, at offset: Int, count: Int) -> UInt64 {
        var result: UInt64 = 0
        for index in (0..<count).reversed() { result = result << 8 | UInt64(bytes[offset + index]) }
        return result
    }

    static func array(_ bytes: Span<UInt8>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
            for index in bytes.indices { buffer.initializeElement(at: index, to: bytes[index]) }
            count = bytes.count
        }
    }
}
