import Glibc
package import MeshCapture

/// A recording that grows line by line: every entry is with the system before the next event.
///
/// So a killed recorder loses nothing, and at most its last line is cut.
package final class RecordingFile: Sendable {
    private let file: GrowingFile
    /// As it was given.
    package var path: String { file.path }

    /// Begins a new file, never over one that exists. Throws a `CaptureFileError`.
    package init(creating path: String, _ header: RecordingHeader) throws(CaptureFileError) {
        file = try GrowingFile(creating: path)
        try write(header.text)
    }

    /// Removes the file again: the recording has failed.
    package func discard() { file.discard() }

    /// Adds a line. Throws a `CaptureFileError`, for a full disk.
    package func append(_ entry: RecordingEntry) throws(CaptureFileError) {
        try write(entry.line)
    }

    private func write(_ text: String) throws(CaptureFileError) {
        let bytes = [UInt8](text.utf8)
        try file.append(bytes, ends: [bytes.count])
    }
}

/// A file of captures that cannot be used.
public struct CaptureFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file's path as it was given.
    public let path: String
    /// The reason of the failure: the system's words for a call that failed, or a sentence without its full stop.
    public let reason: String

    public init(_ path: String, _ reason: String) {
        self.path = path
        self.reason = reason
    }

    /// Makes the error of the last failed call.
    init(_ path: String) {
        self.init(path, String(cString: strerror(errno)))
    }

    public var description: String { "\(path): \(reason)" }
}
