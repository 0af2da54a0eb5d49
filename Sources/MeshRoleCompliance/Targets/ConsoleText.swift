import MeshWire

/// The text that a console prints upon a line.
enum ConsoleText {
    /// The characters in front of an answer.
    static let mark = "  -> "
    private static let markBytes = [UInt8](mark.utf8)
    private static let lineEnds: [UInt8] = [UInt8(ascii: "\r"), UInt8(ascii: "\n")]

    /// The answer in what a console has printed, without its end of line; empty where there is none.
    ///
    /// Lines of packet logging may stand before it and after it. An answer of several lines has no carriage returns
    /// inside.
    static func answer(in printed: [UInt8]) -> String {
        guard let start = start(in: printed) else { return "" }
        let rest = printed[start...]
        return rest[..<(end(of: rest) ?? rest.endIndex)].text
    }

    /// Tells whether an answer is there with its end of line.
    static func isWhole(_ printed: [UInt8]) -> Bool {
        start(in: printed).map { end(of: printed[$0...]) != nil } ?? false
    }

    /// The place behind the first mark that begins a line.
    private static func start(in printed: [UInt8]) -> Int? {
        for place in printed.indices where printed[place] == markBytes[0] {
            let isAtLineStart = place == 0 || lineEnds.contains(printed[place - 1])
            if isAtLineStart, printed[place...].starts(with: markBytes) { return place + markBytes.count }
        }
        return nil
    }

    /// The place of the first carriage return that a line feed follows.
    private static func end(of answer: ArraySlice<UInt8>) -> Int? {
        answer.indices.first { place in
            answer[place] == lineEnds[0] && place + 1 < answer.endIndex && answer[place + 1] == lineEnds[1]
        }
    }
}
