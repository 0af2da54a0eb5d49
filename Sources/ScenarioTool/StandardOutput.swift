import Glibc
import MeshFiles
import Synchronization

/// What a program says on standard output, and whether it was taken.
///
/// A disk that is full must not look like a run that went well; a reader that has gone away had what it wanted.
public enum StandardOutput {
    private static let sink = OutputSink(STDOUT_FILENO, called: "standard output")

    /// Writes text as it is; it is out when the call returns, also into a pipe.
    public static func write(_ text: String) { sink.write([UInt8](text.utf8)) }

    /// Writes bytes as they are.
    public static func write(_ bytes: [UInt8]) { sink.write(bytes) }

    /// Writes a line.
    public static func line(_ text: String) { write(text + "\n") }

    /// Whether the reader has gone: nobody sees what else is written.
    public static var isClosed: Bool { sink.isClosed }

    /// Why something that was written is lost, in one line; `nil` when all was taken, or the reader has gone away.
    public static var problem: String? { sink.problem }
}

/// A descriptor that takes bytes until it fails, and keeps why.
final class OutputSink: Sendable {
    private let descriptor: Int32
    private let name: String
    private let failure = Mutex<FileSystem.Failure?>(nil)

    init(_ descriptor: Int32, called name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    /// Writes all of it; nothing any more once something was not taken.
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
