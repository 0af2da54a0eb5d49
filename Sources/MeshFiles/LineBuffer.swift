import Glibc

/// Bytes that come in pieces, cut into lines. Each byte is looked at once, however long a line is and in however many
/// pieces it comes.
package struct LineBuffer: Sendable {
    private var bytes: [UInt8] = []
    /// Where the next line begins.
    private var start = 0
    /// Up to where no end of a line is.
    private(set) var searched = 0

    package init() {}

    /// Bytes of lines that were not taken yet, with that of the line which has no end yet.
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
