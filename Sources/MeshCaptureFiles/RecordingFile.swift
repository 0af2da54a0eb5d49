import Glibc
public import MeshCapture

/// A recording that grows line by line: every entry is with the system before the next thing happens, so that a killed
/// recorder loses nothing, and at most its last line is cut.
public final class RecordingFile: Sendable {
    private let descriptor: Int32
    public let path: String

    /// Begins a new file, never over one that exists. Throws a `CaptureFileError`.
    public init(creating path: String, _ header: RecordingHeader) throws(CaptureFileError) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
        self.path = path
        guard descriptor >= 0 else { throw CaptureFileError(path) }
        try write(header.text)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Adds a line. Throws a `CaptureFileError`, for a full disk.
    public func append(_ entry: RecordingEntry) throws(CaptureFileError) {
        try write(entry.line)
    }

    private func write(_ text: String) throws(CaptureFileError) {
        var text = text
        let failed = text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count < 0, errno != EINTR { return true }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(max(0, count)))
            }
            return false
        }
        if failed { throw CaptureFileError(path) }
    }
}

/// A file of captures that cannot be used.
public struct CaptureFileError: Error, Hashable, Sendable, CustomStringConvertible {
    public let path: String
    public let reason: String

    public init(_ path: String, _ reason: String) {
        self.path = path
        self.reason = reason
    }

    /// Takes the reason from the last failed call.
    init(_ path: String) {
        self.init(path, String(cString: strerror(errno)))
    }

    public var description: String { "\(path): \(reason)" }
}
