import FoundationEssentials
public import MeshCapture
public import MeshCaptureIO

/// A recording in a file, to be replayed.
///
/// ```swift
/// let outcome = try Capture("Captures/v1.17.1/heltec-v3/connect-and-sync.capture").replay(into: StackChoices())
/// ```
public struct Capture: Hashable, Sendable {
    /// The path of the file, relative to the working directory.
    public let path: String

    public init(_ path: String) {
        self.path = path
    }

    /// Reads it whole. Throws a `CaptureFileError` for what cannot be read, and for a line that is none.
    public func recording() throws(CaptureFileError) -> Recording {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CaptureFileError(path, "there is no such file, or it cannot be read")
        }
        var problems: [CaptureProblem] = []
        let recording: Recording
        do throws(CaptureProblem) { recording = try Recording(data, problems: &problems) } catch {
            throw CaptureFileError(path, "\(error)")
        }
        if let problem = problems.first(where: { !$0.isCutEnd }) { throw CaptureFileError(path, "\(problem)") }
        return recording
    }
}

extension CaptureProblem {
    /// The last line of a recorder that was killed.
    fileprivate var isCutEnd: Bool { reason.hasPrefix("the last line has no end") }
}
