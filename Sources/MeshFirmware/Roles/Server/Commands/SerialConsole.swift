/// The text console on a node's USB port: characters in, with echo; answers out.
///
/// A repeater ends a line at each carriage return and drops line feeds. Rooms and sensors echo line feeds too. All
/// that has arrived together is one line there, if a carriage return ends it. Of two commands in one piece the
/// second is lost behind the first. A full buffer ends a line as well; the rest begins the next one.
///
/// Source: `loop` in `main.cpp` of the three roles.
struct SerialConsole: Hashable, Sendable {
    /// The longest line, with the carriage return that ends it.
    private let capacity: Int
    private let takesLineByLine: Bool
    private var line: [UInt8] = []
    /// The bytes to write in this pass.
    private(set) var output: [UInt8] = []
    var hasOutput: Bool { !output.isEmpty }

    init(role: ServerRole) {
        capacity = role == .roomServer ? 151 : 159
        takesLineByLine = role == .repeater
    }

    /// Reads characters up to the end of a line; returns the line and the number of characters read.
    mutating func take(_ bytes: ArraySlice<UInt8>) -> (line: [UInt8]?, count: Int) {
        var count = 0
        for byte in bytes {
            count += 1
            if byte != UInt8(ascii: "\n") { line.append(byte) }
            if byte != UInt8(ascii: "\n") || !takesLineByLine { output.append(byte) }
            if line.count == capacity || (takesLineByLine && byte == UInt8(ascii: "\r")) { break }
        }
        let isEnded = line.last == UInt8(ascii: "\r")
        guard isEnded || line.count == capacity else {
            // What stands behind a NUL is overwritten by what comes next.
            line.removeLast(line.count - (line.firstIndex(of: 0) ?? line.count))
            return (nil, count)
        }
        defer { line = [] }
        if takesLineByLine { output.append(UInt8(ascii: "\n")) }
        // The end of a full line is written behind its last character, where the firmware finds it in its next pass.
        return ([UInt8](isEnded ? line.dropLast() : line[...]), count)
    }

    mutating func write(_ text: some Sequence<UInt8>) { output.append(contentsOf: text) }

    /// `Serial.println`.
    mutating func writeLine(_ text: some Sequence<UInt8>) {
        write(text)
        write("\r\n".utf8)
    }

    /// Returns the bytes to be written, and forgets them.
    mutating func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }
}
