/// Takes the frames of a radio out of a stream: marker `3E`, length, payload. What is not a frame is kept as noise.
struct StreamReader {
    /// Longer lengths than a radio ever announces mean that a marker was not one.
    static let longestFrame = 300
    /// Noise beyond this is only skipped.
    static let noiseLimit = 1024

    private(set) var buffer: [UInt8] = []
    /// The first of the bytes skipped in search of a marker.
    private(set) var noise: [UInt8] = []

    mutating func append(_ bytes: [UInt8]) { buffer += bytes }

    mutating func clear() {
        buffer = []
        noise = []
    }

    /// The next complete frame, without its header.
    mutating func next() -> [UInt8]? {
        while let first = buffer.first {
            guard first == 0x3E else {
                skip()
                continue
            }
            guard buffer.count >= 3 else { return nil }
            let length = Int(buffer[1]) | Int(buffer[2]) << 8
            guard 1...Self.longestFrame ~= length else {
                skip()
                continue
            }
            guard buffer.count >= 3 + length else { return nil }
            let frame = [UInt8](buffer[3..<(3 + length)])
            buffer.removeFirst(3 + length)
            return frame
        }
        return nil
    }

    private mutating func skip() {
        let byte = buffer.removeFirst()
        if noise.count < Self.noiseLimit { noise.append(byte) }
    }

    /// The first `count` bytes as they came, if there are so many.
    mutating func takeRaw(_ count: Int) -> [UInt8]? {
        guard buffer.count >= count else { return nil }
        defer { buffer.removeFirst(count) }
        return [UInt8](buffer.prefix(count))
    }

    /// The header that carries `payload` to a radio.
    static func framed(_ payload: [UInt8]) -> [UInt8] {
        [0x3C] + UInt16(truncatingIfNeeded: payload.count).wireBytes + payload
    }
}
