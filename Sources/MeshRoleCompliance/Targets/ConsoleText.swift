import MeshWire

/// The text that a console prints upon a line.
enum ConsoleText {
    /// The characters in front of an answer.
    static let mark = "  -> "

    /// The answer in what a console has printed, without its end of line; empty where there is none.
    ///
    /// Lines of packet logging may stand before it.
    static func answer(in printed: [UInt8]) -> String {
        let text = printed.text
        guard let start = text.firstRange(of: mark) else { return "" }
        var answer = text[start.upperBound...]
        if answer.hasSuffix("\r\n") { answer = answer.dropLast() }
        return String(answer)
    }
}
