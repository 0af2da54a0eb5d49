import CPcap
import Glibc
public import MeshCapture

/// A pcap file that grows while an adapter is recorded: a killed recorder leaves a file that can be read.
public final class SaveFile: RecordSink {
    /// Records that were written.
    public private(set) var count = 0
    private let path: String
    private let dumper: OpaquePointer

    /// Begins a new file, never over one that exists, for what a capture reads.
    public init(creating path: String, for capture: LiveCapture) throws(LiveCaptureError) {
        self.path = path
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failed(path) }
        guard let stream = fdopen(descriptor, "w") else {
            close(descriptor)
            throw Self.failed(path)
        }
        guard let dumper = pcap_dump_fopen(capture.handle, stream) else {
            fclose(stream)
            throw LiveCaptureError(.failed, "\(path): \(String(cString: pcap_geterr(capture.handle)))")
        }
        self.dumper = dumper
        pcap_dump_flush(dumper)
    }

    deinit {
        pcap_dump_close(dumper)
    }

    public func take(_ header: RecordHeader, _ bytes: Span<UInt8>) {
        let time = header.nanoseconds ?? 0
        var record = pcap_pkthdr()
        record.ts.tv_sec = Int(time / 1_000_000_000)
        record.ts.tv_usec = Int(time % 1_000_000_000 / 1000)
        record.caplen = UInt32(bytes.count)
        record.len = UInt32(clamping: header.originalLength)
        bytes.withUnsafeBufferPointer { memory in
            pcap_dump(UnsafeMutablePointer<UInt8>(dumper), &record, memory.baseAddress)
        }
        count += 1
    }

    /// A file of records has no place for problems.
    public func note(_ problem: CaptureProblem) {}

    /// Hands what was written to the system. Throws for a full disk.
    public func flush() throws(LiveCaptureError) {
        guard pcap_dump_flush(dumper) == 0 else { throw Self.failed(path) }
    }

    private static func failed(_ path: String) -> LiveCaptureError {
        LiveCaptureError(.failed, "\(path): \(String(cString: strerror(errno)))")
    }
}
