import Glibc

/// Reads lines of standard input one by one; none uses more memory than the longest that makes sense.
package struct InputLines {
    /// A frame in hex has a few hundred characters; comments and blanks have room.
    package static let longest = 65_536

    package enum Line: Equatable {
        case text(String)
        case tooLong
        /// An error of reading, after which there are no more lines.
        case failed(String)
    }

    private var chunk = [UInt8](repeating: 0, count: 65_536)
    private var rest: ArraySlice<UInt8> = []
    private var isOver = false
    private let descriptor: Int32

    package init(_ descriptor: Int32 = STDIN_FILENO) { self.descriptor = descriptor }

    /// The next line without its end; `nil` behind the last one.
    package mutating func next() -> Line? {
        var line: [UInt8] = []
        var isTooLong = false
        while !isOver {
            if rest.isEmpty {
                let count = read(descriptor, &chunk, chunk.count)
                if count < 0, errno == EINTR { continue }
                if count <= 0 {
                    isOver = true
                    if count < 0 { return .failed(String(cString: strerror(errno))) }
                    if line.isEmpty, !isTooLong { return nil }
                    break
                }
                rest = chunk[..<count]
            }
            let end = rest.firstIndex(of: UInt8(ascii: "\n"))
            line += rest[..<(end ?? rest.endIndex)]
            rest = end.map { rest[($0 + 1)...] } ?? []
            if line.count > Self.longest {
                isTooLong = true
                line = []
            }
            if end != nil { break }
        }
        if isOver, line.isEmpty, !isTooLong { return nil }
        return isTooLong ? .tooLong : .text(String(decoding: line, as: UTF8.self))
    }
}
