import Glibc
package import MeshFiles
import MeshWire
import Synchronization

/// The standard output of a program, with the errors of writing to it.
///
/// A full disk must not look like a run that went well. A reader that has gone away had what it wanted.
///
/// No text from outside controls the terminal: all text is made visible by `VisibleText`, which leaves the value of
/// JSON as it is. A program writes in no other place than in this file.
public enum StandardOutput {
    private static let sink = OutputSink(STDOUT_FILENO, called: "standard output")

    /// Writes one line, whatever the text holds; it is out when the call returns, also into a pipe.
    public static func line(_ text: String) { sink.line(text) }

    /// Writes several lines, the last of them with its end. Values from outside are one line each in them already.
    public static func text(_ text: String) { sink.text(text) }

    /// Writes a text into a file; without a path, or with `-`, here.
    package static func text(
        _ text: String, to path: String?, over existing: OutputFile.Existing = .emptied
    ) throws(FileSystem.Failure) {
        guard let path, path != "-" else { return self.text(text) }
        try FileSystem.writeOutput(path, over: existing, [UInt8](text.utf8))
    }

    /// Writes lines for people, in which verdicts have their colour on a terminal.
    public static func verdicts(_ text: String) {
        let painted = TerminalStyle.output.painted(text.visibleText)
        sink.write([UInt8]((painted.hasSuffix("\n") ? painted : painted + "\n").utf8))
    }

    /// Writes the lines of a drawing, colours and all; they hold nothing from outside.
    package static func drawing(_ lines: [String]) {
        sink.write([UInt8](lines.map { $0 + "\n" }.joined().utf8))
    }

    /// Writes the bytes of a file as they are.
    public static func file(_ bytes: [UInt8]) { sink.write(bytes) }

    /// Tells whether a person reads it.
    public static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Tells whether the reader has gone: nobody sees what else is written.
    public static var isClosed: Bool { sink.isClosed }

    /// The reason why written text is lost, in one line; `nil` when all was written, or the reader has gone away.
    public static var problem: String? { sink.problem }
}

/// The standard error of a program: complaints, notes, and progress. Made visible as on standard output.
public enum StandardError {
    private static let sink = OutputSink(STDERR_FILENO, called: "standard error")
    /// To the beginning of the line, which is emptied.
    private static let clear = "\r\u{1B}[K"

    /// Writes one line, whatever the text holds.
    public static func line(_ text: String) { sink.line(text) }

    /// Writes several lines, the last of them with its end.
    public static func text(_ text: String) { sink.text(text) }

    /// Tells whether a person reads it.
    public static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// The width of the terminal: a line that wraps could not be written over.
    static var columns: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 20 else { return 80 }
        return Int(size.ws_col)
    }

    /// Shows progress in place of the previous line; on a terminal and nowhere else.
    public static func progress(_ text: String) {
        if isTerminal { sink.write([UInt8]((clear + text.visibleLine).utf8)) }
    }

    /// Writes the text before the cursor of a user who is asked.
    public static func prompt(_ text: String) { sink.write([UInt8](text.visibleLine.utf8)) }

    /// Removes the line of progress, so that the next line stands alone.
    public static func endProgress() {
        if isTerminal { sink.write([UInt8](clear.utf8)) }
    }
}

/// A descriptor that writes bytes until it fails, and keeps the reason.
final class OutputSink: Sendable {
    private let descriptor: Int32
    private let name: String
    private let failure = Mutex<FileSystem.Failure?>(nil)

    init(_ descriptor: Int32, called name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    func line(_ text: String) { write([UInt8]((text.visibleLine + "\n").utf8)) }

    func text(_ text: String) {
        let visible = text.visibleText
        write([UInt8]((visible.hasSuffix("\n") ? visible : visible + "\n").utf8))
    }

    /// Writes all of it; nothing any more after a failure.
    func write(_ bytes: [UInt8]) {
        failure.withLock { failure in
            guard failure == nil else { return }
            failure = FileSystem.write(bytes, to: descriptor, path: name)
        }
    }

    var isClosed: Bool { failure.withLock { $0?.code == EPIPE } }

    var problem: String? {
        failure.withLock { failure in failure.flatMap { $0.code == EPIPE ? nil : "\($0)" } }
    }
}
