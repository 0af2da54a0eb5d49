import Glibc

/// A file that is written piece by piece where a user wants it: over a file that is there, through a link, into a device or
/// a pipe, which stay what they are.
package final class OutputFile {
    private var descriptor: Int32
    package let path: String

    /// Opens the file, and empties it unless `keepsContent`.
    package init(_ path: String, keepsContent: Bool = false) throws(FileSystem.Failure) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (keepsContent ? 0 : O_TRUNC), 0o644)
        self.path = path
        guard descriptor >= 0 else { throw FileSystem.Failure(path) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Adds a piece; it is with the system when this returns.
    package func write(_ content: [UInt8]) throws(FileSystem.Failure) {
        if let failure = FileSystem.write(content, to: descriptor, path: path) { throw failure }
    }

    /// Closes the file; some disks say only then that they are full.
    package func end() throws(FileSystem.Failure) {
        let isClosed = close(descriptor) == 0
        descriptor = -1
        guard isClosed else { throw FileSystem.Failure(path) }
    }
}
