import MeshCompanion

/// Takes the frames of a radio out of a stream: marker `3E`, length, payload. What is not a frame is skipped.
///
/// Beside `ClientReceiver`, the receiver of apps, since statements also look at bytes as they came, header and all, and a
/// radio that says more than it should must not meet a full buffer.
struct StreamReader {
    /// Longer lengths than a radio ever announces mean that a marker was not one.
    private static let longestFrame = 300

    private(set) var buffer: [UInt8] = []

    mutating func append(_ bytes: [UInt8]) { buffer += bytes }

    mutating func clear() { buffer = [] }

    /// The next complete frame, without its header.
    mutating func next() -> [UInt8]? {
        while let first = buffer.first {
            guard first == StreamFraming.toAppMarker else {
                buffer.removeFirst()
                continue
            }
            guard buffer.count >= StreamFraming.headerSize else { return nil }
            let length = Int(buffer[1]) | Int(buffer[2]) << 8
            guard 1...Self.longestFrame ~= length else {
                buffer.removeFirst()
                continue
            }
            let end = StreamFraming.headerSize + length
            guard buffer.count >= end else { return nil }
            let frame = [UInt8](buffer[StreamFraming.headerSize..<end])
            buffer.removeFirst(end)
            return frame
        }
        return nil
    }

    /// The first `count` bytes as they came, if there are so many.
    mutating func takeRaw(_ count: Int) -> [UInt8]? {
        guard buffer.count >= count else { return nil }
        defer { buffer.removeFirst(count) }
        return [UInt8](buffer.prefix(count))
    }
}
