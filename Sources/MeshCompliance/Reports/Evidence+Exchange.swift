import MeshCompanion
import MeshReports
import MeshWire

extension Evidence {
    /// Lines that an exchange may have; of longer ones the middle is left out.
    private static let longest = 32

    /// The shortest end of the statement that shows the departure: the last thing done to the radio, and all after it.
    ///
    /// A question is answered by what went before, so there it begins with the last thing that changed something.
    var exchange: [String] {
        let lines = lines.filter { !$0.isLook }
        guard let last = lines.lastIndex(where: \.isStimulus) else { return Self.bounded(lines.map(\.wholeText)) }
        let start = lines[last].isQuestion ? lines[..<last].lastIndex { $0.isStimulus && !$0.isQuestion } : nil
        return Self.bounded(lines[(start ?? last)...].map(\.wholeText))
    }

    private static func bounded(_ lines: [String]) -> [String] {
        guard lines.count > longest else { return lines }
        let (first, rest) = (lines.prefix(longest / 2), lines.suffix(longest / 2 - 1))
        return Array(first) + ["… \((lines.count - first.count - rest.count).counted("line")) left out …"] + rest
    }
}

extension TranscriptLine {
    /// Looking for something is no event.
    fileprivate var isLook: Bool { ["air?", "air quiet?", "value expected"].contains(kind) }

    /// Tells whether the tester did something to the node.
    fileprivate var isStimulus: Bool { !kind.hasPrefix("<") && !kind.hasPrefix("wait") && kind != "air>" }

    /// Tells whether it only asks.
    fileprivate var isQuestion: Bool {
        if kind == "app>" { return bytes.first.flatMap(CommandCode.init)?.isQuestion ?? false }
        guard kind.hasPrefix("console> ") else { return false }
        let words = kind.dropFirst("console> ".count).split(separator: " ")
        guard let first = words.first else { return false }
        return ["get", "ver", "board", "neighbors", "region", "clock"].contains(first)
            && (first == "get" || words.count == 1)
    }

    /// The line with all bytes, unless there are many more than a frame has.
    fileprivate var wholeText: String {
        guard !bytes.isEmpty, bytes.count <= 512 else { return text }
        return kind + " " + bytes.map { [$0].hex.uppercased() }.joined(separator: " ")
    }
}
