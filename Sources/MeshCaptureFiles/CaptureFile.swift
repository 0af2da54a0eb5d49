import Glibc
public import MeshCapture

/// A capture on disk, or one that comes in on standard input; packed with gzip or not.
public struct CaptureFile: Sendable {
    /// What is read at once.
    public static let chunkSize = 1 << 20

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
    /// Returns what is wrong with the packing, when something is; what was unpacked before was lent.
    public func stream(_ body: (Span<UInt8>) -> Bool) throws(CaptureFileError) -> CaptureProblem? {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CaptureFileError(path) }
        defer { if path != "-" { close(descriptor) } }
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkSize, alignment: 16)
        defer { chunk.deallocate() }
        var count = try read(descriptor, into: chunk, atLeast: 2)
        let isPacked = count >= 2 && chunk[0] == 0x1F && chunk[1] == 0x8B
        let unpacker = isPacked ? Unpacker() : nil
        while count > 0 {
            let bytes = UnsafeRawBufferPointer(rebasing: chunk[..<count])
            let wantsMore =
                unpacker?.unpack(bytes, body) ?? bytes.withMemoryRebound(to: UInt8.self) { body($0.span) }
            guard wantsMore else { break }
            count = try read(descriptor, into: chunk, atLeast: 1)
        }
        return unpacker?.finish(isEnd: count == 0)
    }

    /// Reads until there are as many bytes, or the file ends.
    private func read(
        _ descriptor: Int32, into chunk: UnsafeMutableRawBufferPointer, atLeast least: Int
    ) throws(CaptureFileError) -> Int {
        var count = 0
        while count < least {
            let more = Glibc.read(descriptor, chunk.baseAddress?.advanced(by: count), chunk.count - count)
            if more < 0, errno == EINTR { continue }
            guard more >= 0 else { throw CaptureFileError(path) }
            if more == 0 { break }
            count += more
        }
        return count
    }
}
