package import BluetoothCapture

/// A source of records as they arrive: an adapter, a pipe, an array.
package protocol LiveSource: AnyObject {
    /// Lends the records that are there, or the first that come in time; `false` when there will be no more.
    func pump(into sink: inout some RecordSink, waiting milliseconds: Int32) throws -> Bool
}

extension LiveCapture: LiveSource {
    package func pump(into sink: inout some RecordSink, waiting milliseconds: Int32) throws -> Bool {
        try read(into: &sink, waiting: milliseconds) != .ended
    }
}

/// Records that another program writes into a pipe, or has written into a file: any container, packed or not.
package final class PipedSource: LiveSource {
    private let path: String
    private let stream: CaptureStream
    private var reader = ContainerReader()

    package init(_ path: String) throws(CaptureFileError) {
        self.path = path
        stream = try CaptureStream(path)
    }

    package func pump(into sink: inout some RecordSink, waiting milliseconds: Int32) throws -> Bool {
        let step = try stream.next(waiting: milliseconds) { bytes in
            reader.feed(bytes, into: &sink)
            return !reader.isDone
        }
        guard step == .ended else { return true }
        if let problem = stream.problem { sink.note(problem) }
        reader.finish(into: &sink)
        guard reader.format != nil else { throw CaptureFileError(path, "is no Bluetooth capture") }
        return false
    }
}
