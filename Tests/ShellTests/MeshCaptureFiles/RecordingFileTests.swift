import Glibc
import MeshCapture
import MeshCaptureIO
import MeshTime
import Testing

/// Recordings on disk.
@Suite struct RecordingFileTests {
    @Test func `a line is in the file as soon as it was added, and no file is written over`() throws {
        let path = "/tmp/recording-\(getpid())-\(UInt32.random(in: 0 ... .max)).txt"
        defer { unlink(path) }
        let header = RecordingHeader(story: "one line")
        let file = try RecordingFile(creating: path, header)
        let entry = RecordingEntry(.seconds(1), .tcp, .connected)

        try file.append(entry)

        var bytes = [UInt8](repeating: 0, count: 200)
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        let count = read(descriptor, &bytes, bytes.count)
        #expect(String(decoding: bytes[..<count], as: UTF8.self) == header.text + entry.line)
        #expect(throws: CaptureFileError(path, "File exists")) { try RecordingFile(creating: path, header) }
    }
}
