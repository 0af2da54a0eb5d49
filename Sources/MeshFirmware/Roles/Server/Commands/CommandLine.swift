import MeshWire

/// A line given to a node's command line, up to its first NUL. Words match by their beginning, as in the firmware.
struct CommandLine: Hashable {
    private(set) var bytes: [UInt8]

    init(_ bytes: some Sequence<UInt8>) {
        self.bytes = ByteText(bytes: [UInt8](bytes)).untilNUL.bytes
    }

    /// Returns whether the line begins with this word.
    func begins(_ word: StaticString) -> Bool {
        word.withUTF8Buffer { bytes.starts(with: $0) }
    }

    /// Returns whether the line is exactly this word.
    func `is`(_ word: StaticString) -> Bool { begins(word) && bytes.count == word.utf8CodeUnitCount }

    /// Returns the line behind this word; empty when it is shorter.
    func after(_ word: StaticString) -> [UInt8] { [UInt8](bytes.dropFirst(word.utf8CodeUnitCount)) }

    /// Cuts leading spaces.
    mutating func skipSpaces() {
        bytes.removeFirst(bytes.prefix { $0 == UInt8(ascii: " ") }.count)
    }

    /// Removes the three bytes by which an app matches answers (`7f|`), from lines longer than four bytes only.
    mutating func takePrefix() -> [UInt8] {
        guard bytes.count > 4, bytes[2] == UInt8(ascii: "|") else { return [] }
        defer { bytes.removeFirst(3) }
        return [UInt8](bytes[..<3])
    }
}

/// The outcome of a command.
enum CommandOutcome: Hashable {
    /// The answer, at most 160 bytes; none when empty.
    case reply([UInt8])
    /// The node restarts at once and answers nothing.
    case restart
    /// The node switches itself off.
    case powerOff

    static func text(_ reply: some StringProtocol) -> Self { .reply([UInt8](reply.utf8)) }
}
