import MeshCompanion

/// Reads the frames of a radio from a stream: marker `3E`, length, payload. Other bytes are skipped.
///
/// It stands beside `ClientReceiver`, the receiver of apps, since statements also look at bytes as they came, header
/// and all. A radio that sends more than it should must not meet a full buffer.
struct StreamReader {
    /// Longer lengths than a radio ever announces mean that a marker was not one.
    private static let longestFrame = 300

    private(set) var buffer: [UInt8] = []

    mutating func append(_ bytes: [UInt8]) { buffer += bytes }

    mutating func clear() { buffer = [] }

    /// The next complete frame, without its header.
    mutating func next() -> [UInt8]? {
        // What is skipped is taken out at once: byte by byte, the rest would be moved for each.
        var start = 0
        defer { buffer.removeFirst(start) }
        while start < buffer.count {
            guard buffer[start] == StreamFraming.toAppMarker else {
                start += 1
                continue
            }
            guard buffer.count >= start + StreamFraming.headerSize else { return nil }
            let length = Int(buffer[start + 1]) | Int(buffer[start + 2]) << 8
            guard 1...Self.longestFrame ~= length else {
                start += 1
                continue
            }
            let begin = start + StreamFraming.headerSize
            guard buffer.count >= begin + length else { return nil }
            start = begin + length
            return [UInt8](buffer[begin..<start])
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
