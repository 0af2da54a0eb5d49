public import MeshCapture

/// A capture on disk, or one that comes in on standard input; packed with gzip or not.
public struct CaptureFile: Sendable {
    /// As it was given; `-` is standard input.
    public let path: String

    public init(_ path: String) {
        self.path = path
    }

    /// Reads the file to its end as a stream, and gives its records to a sink in their order.
    ///
    /// What makes no sense is told to the sink. Returns the container; `nil` for a file that is no capture. Throws a
    /// `CaptureFileError` when the file cannot be opened or read.
    public func read(into sink: inout some RecordSink) throws(CaptureFileError) -> CaptureFormat? {
        nil
    }
}
