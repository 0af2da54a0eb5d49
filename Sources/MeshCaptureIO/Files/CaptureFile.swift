package import BluetoothCapture
package import MeshCapture

/// A capture on disk, or one that comes in on standard input; packed with gzip or not.
package struct CaptureFile: Sendable {
    /// The number of bytes that are read at once.
    package static let chunkSize = CaptureStream.chunkSize

    /// As it was given; `-` is standard input.
    package let path: String

    package init(_ path: String) {
        self.path = path
    }

    /// Reads the file to its end as a stream, and gives its records to a sink in their order.
    ///
    /// Bytes that make no sense are reported to the sink. Returns the container; `nil` for a file that is no
    /// capture. Throws a `CaptureFileError` when the file cannot be opened or read.
    package func read(into sink: inout some RecordSink) throws(CaptureFileError) -> CaptureFormat? {
        var reader = ContainerReader()
        let problem = try stream { bytes in
            reader.feed(bytes, into: &sink)
            return !reader.isDone
        }
        if let problem { sink.note(problem) }
        reader.finish(into: &sink)
        return reader.format
    }

    /// Lends the file's bytes, unpacked, piece by piece until the end, or until `body` wants no more.
    ///
    /// Returns the fault of the packing, if there is one; the bytes unpacked before it were lent.
    package func stream(_ body: (Span<UInt8>) -> Bool) throws(CaptureFileError) -> CaptureProblem? {
        let stream = try CaptureStream(path)
        while try stream.next(body) != .ended {}
        return stream.problem
    }
}
