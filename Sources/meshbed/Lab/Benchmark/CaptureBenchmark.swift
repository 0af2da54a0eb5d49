import BluetoothCapture
import Glibc
import MeshCapture
import MeshCaptureIO
import MeshCompanion
import MeshTime

/// The speed and memory of reading a Bluetooth capture: from a file to records, packets, and frames between app and
/// radio.
struct CaptureBenchmark: Sendable {
    /// The depth of the reading.
    enum Stage: String, Sendable, Codable, CaseIterable {
        case records
        case packets
        case frames
    }

    struct Row: Sendable, Codable {
        let stage: Stage
        /// A million bytes each.
        let megabytes: Double
        let records: Int
        /// Companion frames found, both ways; those that were written in the stage of frames.
        let frames: Int
        let seconds: Double
        let megabytesPerSecond: Double
        let framesPerSecond: Double
        /// The most memory that the process had, in units of 1,048,576 bytes.
        let peakMegabytes: Double
        /// Tells whether everything that was written was found, without a problem.
        let isSound: Bool
    }

    /// Of a million bytes each.
    var megabytes: Int = 500
    var seed: Seed = Seed(42)

    /// Writes a capture into a file of its own in `directory`, reads it once for each stage, and deletes it.
    func run(in directory: String = "/tmp") throws -> [Row] {
        let path = "\(directory)/meshbed-bench-\(getpid()).pcap"
        defer { unlink(path) }
        let written = try write(path)
        return try Stage.allCases.map { try measure($0, path, written) }
    }

    private func write(_ path: String) throws -> CaptureTraffic {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw CaptureFileError(path, String(cString: strerror(errno))) }
        defer { close(file) }
        var traffic = CaptureTraffic(seed: seed)
        while traffic.size < megabytes * 1_000_000 {
            var bytes = traffic.next(1 << 20)[...]
            while !bytes.isEmpty {
                let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { throw CaptureFileError(path, String(cString: strerror(errno))) }
                bytes = bytes.dropFirst(count)
            }
        }
        return traffic
    }

    private func measure(_ stage: Stage, _ path: String, _ written: CaptureTraffic) throws -> Row {
        _ = ProcessUsage.resetPeak()
        let start = Self.now
        let count: FrameCount
        switch stage {
        case .records:
            var sink = RecordCount()
            _ = try CaptureFile(path).read(into: &sink)
            count = FrameCount(records: sink.records, frames: 0, problems: sink.problems)
        case .packets:
            var decoder = LinkDecoder(PacketCount())
            _ = try CaptureFile(path).read(into: &decoder)
            count = FrameCount(records: decoder.sink.packets, frames: 0, problems: decoder.sink.problems)
        case .frames:
            var decoder = LinkDecoder(HostTraffic(reader: HostReader(FrameCount())))
            _ = try CaptureFile(path).read(into: &decoder)
            decoder.sink.reader.finish()
            count = decoder.sink.reader.finder.sink
        }
        let seconds = Self.now - start
        let megabytes = Double(written.size) / 1e6
        let hasFrames = stage == .frames
        return Row(
            stage: stage, megabytes: megabytes, records: written.records, frames: count.frames, seconds: seconds,
            megabytesPerSecond: megabytes / seconds, framesPerSecond: Double(count.frames) / seconds,
            peakMegabytes: ProcessUsage.peakMegabytes,
            isSound: count.problems == 0
                && (hasFrames ? count.frames == written.frames : count.records == written.records))
    }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

private struct RecordCount: RecordSink {
    var records = 0
    var problems = 0

    mutating func take(_ header: RecordHeader, _ bytes: Span<UInt8>) { records += 1 }
    mutating func note(_ problem: CaptureProblem) { problems += 1 }
}

private struct PacketCount: HostPacketSink, AirPacketSink {
    var packets = 0
    var problems = 0

    mutating func take(_ header: HostPacketHeader, _ bytes: Span<UInt8>) { packets += 1 }
    mutating func take(_ header: AirPacketHeader, _ bytes: Span<UInt8>) { packets += 1 }
    mutating func note(_ problem: CaptureProblem) { problems += 1 }
}

private struct FrameCount: CaptureSink {
    var records = 0
    var frames = 0
    var problems = 0

    mutating func frame(
        _ place: CapturePlace, _ direction: FrameDirection, _ bytes: Span<UInt8>, isJoined: Bool
    ) {
        frames += 1
    }

    mutating func event(_ place: CapturePlace, _ event: CaptureEvent) {}
    mutating func note(_ problem: CaptureProblem) { problems += 1 }
}

/// Hosts alone: there is no air in this capture.
private struct HostTraffic: HostPacketSink, AirPacketSink {
    var reader: HostReader<FrameCount>

    mutating func take(_ header: HostPacketHeader, _ bytes: Span<UInt8>) { reader.take(header, bytes) }
    mutating func take(_ header: AirPacketHeader, _ bytes: Span<UInt8>) {}
    mutating func note(_ problem: CaptureProblem) { reader.note(problem) }
}
