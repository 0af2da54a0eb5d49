import Glibc

/// A file that is written piece by piece at the user's path: over a file, through a link, into a device or a pipe.
///
/// Links, devices and pipes stay what they are. Half a file stays nowhere: if it cannot be written to its end, it is
/// removed. One that was there before is emptied.
package final class OutputFile {
    /// The ways to handle a file that is there.
    package enum Existing {
        case emptied
        /// New text stands behind the text that it has.
        case continued
        /// It is none of ours: that is the failure `EEXIST`.
        case refused
    }

    private(set) var descriptor: Int32
    package let path: String
    private let isNew: Bool
    /// Bytes of the pieces that were written whole; `nil` where a file without its end is worth nothing.
    private var whole: Int?

    /// Opens the file, and empties or continues one that is there.
    ///
    /// - Parameter keepsPieces: whether the pieces that were written before a failure are worth keeping.
    package init(
        _ path: String, over existing: Existing = .emptied, keepsPieces: Bool = false
    ) throws(FileSystem.Failure) {
        self.path = path
        whole = keepsPieces ? 0 : nil
        let made = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        isNew = made >= 0
        guard made < 0, errno == EEXIST, existing != .refused else {
            descriptor = made
            guard made >= 0 else { throw FileSystem.Failure(path) }
            return
        }
        let place = existing == .continued ? O_APPEND : O_TRUNC
        descriptor = open(path, O_WRONLY | O_CREAT | place | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw FileSystem.Failure(path) }
        // A failure takes back only what was added.
        var status = stat()
        if existing == .continued, fstat(descriptor, &status) == 0 { whole = Int(status.st_size) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Adds a piece; it is with the system when this returns. Nothing may be added behind a failure.
    package func write(_ content: [UInt8]) throws(FileSystem.Failure) {
        if let failure = FileSystem.write(content, to: descriptor, path: path) {
            abandon()
            throw failure
        }
        if let whole { self.whole = whole + content.count }
    }

    /// Closes the file; some disks say only then that they are full.
    package func end() throws(FileSystem.Failure) {
        let isClosed = close(descriptor) == 0
        descriptor = -1
        guard isClosed else {
            let failure = FileSystem.Failure(path)
            abandon()
            throw failure
        }
    }

    /// Removes half a file, or what is not worth keeping of it.
    func abandon() {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        if let whole, whole > 0 {
            truncate(path, off_t(whole))
        } else if isNew {
            unlink(path)
        } else {
            truncate(path, 0)
        }
    }

    /// Tells whether the file could be written, without a change: a failure now is better than after a long run.
    package static func check(_ path: String) throws(FileSystem.Failure) {
        let made = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        if made >= 0 {
            close(made)
            unlink(path)
            return
        }
        guard errno == EEXIST else { throw FileSystem.Failure(path) }
        // Through a link that leads nowhere a file is made, as it would be later.
        let there = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        guard there >= 0 else { throw FileSystem.Failure(path) }
        close(there)
    }
}
