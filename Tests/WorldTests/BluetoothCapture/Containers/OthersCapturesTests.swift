import MeshCapture
import MeshCompanion
import Testing

@testable import BluetoothCapture

/// Captures of others from their file to their frames, where they stand beside the repository.
@Suite(.enabled(if: CaptureFolder.bluetooth != nil)) struct OthersCapturesTests {
    /// Hosts alone: there is no air in these.
    private struct Hosts: HostPacketSink, AirPacketSink {
        var reader = HostReader(GatheringSink())

        mutating func take(_ header: HostPacketHeader, _ bytes: Span<UInt8>) { reader.take(header, bytes) }
        mutating func take(_ header: AirPacketHeader, _ bytes: Span<UInt8>) { Issue.record("a packet on the air") }
        mutating func note(_ problem: CaptureProblem) { reader.note(problem) }
    }

    @Test(
        arguments: [
            ("bluez-libpcap-hci0-dlt201.pcap", CaptureFormat.pcap, 23, 23),
            ("bumble-central-h4-1002.btsnoop", .btsnoop, 1, nil), ("csacca-treadmill.btsnoop", .btsnoop, 0, 0),
            ("madkaye-revcar-midconnection.btsnoop", .btsnoop, 0, 0),
        ] as [(String, CaptureFormat, Int, Int?)])
    func `a capture of others is read from its file to its frames`(
        name: String, format: CaptureFormat, commands: Int, answers: Int?
    ) throws {
        let file = try CaptureFolder.bytes(name)
        var decoder = LinkDecoder(Hosts())

        let found = read(file, pieces: [100], into: &decoder)
        decoder.sink.reader.finish()

        let sink = decoder.sink.reader.finder.sink
        #expect(found == format)
        #expect(decoder.drops.counts.isEmpty)
        #expect(sink.problems.isEmpty)
        #expect(sink.frames.count { $0.direction == .toRadio } == commands)
        if let answers { #expect(sink.frames.count { $0.direction == .toApp } == answers) }
    }

    @Test(arguments: ["bluez-libpcap-hci0-dlt201.pcap"])
    func `a pcap of others is written again byte by byte, its header apart`(name: String) throws {
        let file = try CaptureFolder.bytes(name)
        let log = RecordLog.reading(file)
        var writer = try #require(PcapWriter(link: .h4WithDirection, keepsNanoseconds: false))
        var written: [UInt8] = []
        writer.begin(into: &written)
        for (index, header) in log.headers.enumerated() {
            try writer.write(header, log.record(index), into: &written)
        }

        #expect(written.dropFirst(24) == file.dropFirst(24))
    }

    @Test(arguments: [
        "bumble-central-h4-1002.btsnoop", "csacca-treadmill.btsnoop", "madkaye-revcar-midconnection.btsnoop",
    ])
    func `a btsnoop of others is written again, drops apart`(name: String) throws {
        let log = RecordLog.reading(try CaptureFolder.bytes(name))
        var writer = try #require(BtsnoopWriter(link: .h4))
        var written: [UInt8] = []
        writer.begin(into: &written)
        for (index, header) in log.headers.enumerated() {
            try writer.write(header, log.record(index), into: &written)
        }

        #expect(!log.headers.isEmpty)
        #expect(RecordLog.reading(written) == log)
    }
}
