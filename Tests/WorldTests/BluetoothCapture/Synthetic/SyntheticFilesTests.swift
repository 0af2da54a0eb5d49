import Foundation
import MeshCapture
import MeshCompanion
import MeshWire
import Testing

@testable import BluetoothCapture

/// Synthetic captures as files that other programs open; `ci/tshark` compares what those see with what we see.
@Suite struct SyntheticFilesTests {
    /// The format in which one file is written.
    enum Format: String, CaseIterable {
        case pcapng
        case btsnoop
        case pcap

        var link: LinkType { self == .btsnoop ? .h4 : .h4WithDirection }

        var writer: (any RecordWriter)? {
            switch self {
            case .pcapng: PcapngWriter(comment: SyntheticCapture.comment)
            case .btsnoop: BtsnoopWriter(link: link)
            case .pcap: PcapWriter(link: link)
            }
        }
    }

    static func file(_ format: Format, _ capture: SyntheticCapture) throws -> (bytes: [UInt8], packets: Int) {
        let writer = try #require(format.writer)
        var encoder = try #require(LinkEncoder(format.link, FileSink(writer)))
        capture.write(into: &encoder)
        return (encoder.sink.bytes, encoder.sink.count)
    }

    static func read(_ file: [UInt8]) -> ValueLines {
        var container = ContainerReader()
        var decoder = LinkDecoder(HostSide(reader: HostReader(ValueLines())))
        container.feed(file.span, into: &decoder)
        container.finish(into: &decoder)
        decoder.sink.reader.finish()
        return decoder.sink.reader.finder.sink
    }

    @Test(arguments: Format.allCases, SyntheticCapture.FragmentSize.allCases)
    func `a file has the frames of its recording`(format: Format, size: SyntheticCapture.FragmentSize) throws {
        let recording = SyntheticCaptureTests.random(UInt64(size.rawValue))
        let frames = SyntheticCaptureTests.frames(recording.entries).compactMap { event -> [UInt8]? in
            if case .frame(_, let bytes) = event { bytes } else { nil }
        }

        let (file, packets) = try Self.file(format, SyntheticCapture(recording, fragmentSize: size))
        let read = Self.read(file)

        #expect(read.frames == frames)
        #expect(read.problems == 0)
        if format == .pcapng { #expect(String(decoding: file, as: UTF8.self).contains("Synthetic")) }
        guard let folder = ProcessInfo.processInfo.environment["MESHBED_TSHARK_FOLDER"] else { return }
        let path = "\(folder)/\(size.rawValue).\(format.rawValue)"
        try Data(file).write(to: URL(filePath: path))
        try Data("\(packets)".utf8).write(to: URL(filePath: path + ".count"))
        try Data(read.lines.map { $0 + "\n" }.joined().utf8).write(to: URL(filePath: path + ".values"))
    }
}

/// Collects the bytes of a file.
private struct FileSink: RecordSink {
    var writer: any RecordWriter
    var bytes: [UInt8] = []
    var count = 0

    init(_ writer: any RecordWriter) {
        self.writer = writer
        self.writer.begin(into: &bytes)
    }

    mutating func take(_ header: RecordHeader, _ packet: Span<UInt8>) {
        count += 1
        do {
            try writer.write(header, packet, into: &bytes)
        } catch {
            Issue.record("\(error)")
        }
    }

    mutating func note(_ problem: CaptureProblem) {
        Issue.record("\(problem)")
    }
}

/// Passes on what came from a host.
struct HostSide<Sink: CaptureSink>: HostPacketSink, AirPacketSink {
    var reader: HostReader<Sink>

    mutating func take(_ header: HostPacketHeader, _ bytes: Span<UInt8>) { reader.take(header, bytes) }
    mutating func take(_ header: AirPacketHeader, _ bytes: Span<UInt8>) {}
    mutating func note(_ problem: CaptureProblem) { reader.note(problem) }
}

/// Each frame as tshark prints its fields: record, direction, handle, value.
struct ValueLines: CaptureSink {
    var lines: [String] = []
    var frames: [[UInt8]] = []
    var problems = 0
    private var handles = NordicHandles(rx: 0, tx: 0, source: .discovered)

    mutating func frame(_ place: CapturePlace, _ direction: FrameDirection, _ bytes: Span<UInt8>, isJoined: Bool) {
        let frame = bytes.withUnsafeBufferPointer { [UInt8]($0) }
        frames.append(frame)
        line(place, direction, direction == .toRadio ? handles.rx : handles.tx, frame)
    }

    mutating func event(_ place: CapturePlace, _ event: CaptureEvent) {
        switch event {
        case .handlesKnown(let known): handles = known
        case .lost, .truncated, .oversize, .rejected: problems += 1
        default: break
        }
    }

    mutating func note(_ problem: CaptureProblem) {
        problems += 1
    }

    private mutating func line(
        _ place: CapturePlace, _ direction: FrameDirection, _ handle: UInt16, _ bytes: [UInt8]
    ) {
        let way = direction == .toRadio ? "0x00" : "0x01"
        let number = [UInt8(handle >> 8), UInt8(handle & 0xFF)].hex
        lines.append("\(place.record)\t\(way)\t0x\(number)\t\(bytes.hex)")
    }
}
