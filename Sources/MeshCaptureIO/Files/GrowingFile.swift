import Glibc

/// A file that grows during a recording: added bytes are with the system when the call returns.
///
/// So a killed recorder loses none of them.
package final class GrowingFile: Sendable {
    /// As it was given.
    package let path: String
    private let descriptor: Int32

    /// Begins a new file for the user alone, never over one that exists. Throws a `CaptureFileError`.
    package init(creating path: String) throws(CaptureFileError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CaptureFileError(path) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Adds bytes. Throws a `CaptureFileError`, for a full disk.
    ///
    /// - Parameter ends: The ends of whole units in the bytes, in ascending order. When the disk is full, the bytes
    ///   are cut behind the last unit that fits.
    package func append(_ bytes: [UInt8], ends: [Int] = []) throws(CaptureFileError) {
        let failure: CaptureFileError? = bytes.withUnsafeBytes { memory in
            var written = 0
            while written < memory.count {
                let count = write(descriptor, memory.baseAddress?.advanced(by: written), memory.count - written)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    let failure = CaptureFileError(path)
                    cut(written - (ends.last { $0 <= written } ?? 0))
                    return failure
                }
                written += count
            }
            return nil
        }
        if let failure { throw failure }
    }

    /// Removes the file again, when the recording could not begin.
    package func discard() { unlink(path) }

    /// Cuts `count` bytes off the end.
    private func cut(_ count: Int) {
        let size = lseek(descriptor, 0, SEEK_END)
        // What cannot be cut off stays: readers know files that end in the middle of a record.
        if count > 0, size >= off_t(count) { ftruncate(descriptor, size - off_t(count)) }
    }
}
