import Glibc

/// Bytes that come in pieces, cut into lines.
///
/// Each byte is looked at once, however long a line is and however many pieces it comes in.
package struct LineBuffer: Sendable {
    private var bytes: [UInt8] = []
    /// The place where the next line begins.
    private var start = 0
    /// The place up to which there is no end of a line.
    private(set) var searched = 0

    package init() {}

    /// Bytes of lines that were not removed yet, with those of the line without an end.
    package var count: Int { bytes.count - start }

    /// Adds what came.
    package mutating func append(_ piece: some Sequence<UInt8>) { bytes += piece }

    /// The next line without its end; `nil` where none has one.
    package mutating func next() -> [UInt8]? {
        let found = bytes.withUnsafeBytes { memory -> Int? in
            guard searched < memory.count, let begin = memory.baseAddress,
                let place = memchr(begin + searched, 0x0A, memory.count - searched)
            else { return nil }
            return UnsafeRawPointer(place) - begin
        }
        guard let found else {
            bytes.removeFirst(start)
            start = 0
            searched = bytes.count
            return nil
        }
        defer {
            start = found + 1
            searched = start
        }
        return Array(bytes[start..<found])
    }
}
