/// The text console on a node's USB port: characters in, with echo; answers out.
///
/// Source: `loop` in `main.cpp` of the three roles.
struct Console: Hashable, Sendable {
    /// A line with its end; longer ones are cut there.
    private static let capacity = 159

    private var line: [UInt8] = []
    /// What is to be written in this pass.
    private(set) var output: [UInt8] = []

    /// Takes characters up to the end of a line; the line, and how many characters were taken.
    mutating func take(_ bytes: ArraySlice<UInt8>) -> (line: [UInt8]?, count: Int) {
        var count = 0
        for byte in bytes where line.count < Self.capacity {
            count += 1
            if byte != UInt8(ascii: "\n") {
                line.append(byte)
                output.append(byte)
            }
            if byte == UInt8(ascii: "\r") { break }
        }
        // A line that fills the buffer loses its last character to the end of line.
        if line.count == Self.capacity { line[Self.capacity - 1] = UInt8(ascii: "\r") }
        guard line.last == UInt8(ascii: "\r") else { return (nil, count) }
        defer { line = [] }
        output.append(UInt8(ascii: "\n"))
        return ([UInt8](line.dropLast()), count)
    }

    mutating func write(_ text: some Sequence<UInt8>) { output.append(contentsOf: text) }

    /// `Serial.println`.
    mutating func writeLine(_ text: some Sequence<UInt8>) {
        write(text)
        write("\r\n".utf8)
    }

    /// Hands out what is to be written.
    mutating func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }
}
