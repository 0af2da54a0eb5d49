import MeshBluetoothHost
import MeshCapture
import MeshCompanion
import MeshWire
import Testing

@testable import BluetoothCapture

/// Captures of real traffic, where they stand beside the repository.
@Suite(.enabled(if: CaptureFolder.bluetooth != nil)) struct RealCaptureTests {
    private func read(_ name: String) throws -> GatheringSink {
        var reader = HostReader(GatheringSink())
        PlainCapture.read(try CaptureFolder.bytes(name), into: &reader)
        reader.finish()
        return reader.finder.sink
    }

    @Test func `a session over virtual controllers has 23 commands and 23 answers`() throws {
        let sink = try read("bluez-libpcap-hci0-dlt201.pcap")

        #expect(sink.frames.count { $0.direction == .toRadio } == 23)
        #expect(sink.frames.count { $0.direction == .toApp } == 23)
        #expect(sink.mtu == 517)
        #expect(sink.handles == [NordicHandles(rx: 0x0009, tx: 0x000B, source: .discovered)])
        #expect(sink.lost == [])
        #expect(sink.problems.isEmpty)
        #expect(zip(sink.records, sink.records.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test(arguments: ["bluez-libpcap-hci0-dlt201.pcap", "bumble-central-h4-1002.btsnoop"])
    func `the radio of a real session is known by what it advertised`(name: String) throws {
        var reader = HostReader(GatheringSink())
        PlainCapture.read(try CaptureFolder.bytes(name), into: &reader)
        reader.finish()

        let opened = reader.finder.sink.events.compactMap { if case .opened(let opened) = $0 { opened } else { nil } }
        let isActive = name.hasPrefix("bluez")
        // The other central did not ask for the answer to a scan, which has the name.
        #expect(opened.map(\.peerName) == [isActive ? "MeshCore-swift" : nil])
        #expect(opened.map(\.peer?.bytes) == [[0xC0, 0x11, 0x22, 0x33, 0x44, 0x55]])
        // The other host's own address was asked for before its log began.
        #expect(opened.map(\.own?.bytes) == [isActive ? nil : [0xC0, 0x11, 0x22, 0x33, 0x44, 0x66]])
        #expect(reader.advertisers.map(\.hasNordicUART) == [true])
        #expect(reader.finder.sink.problems.isEmpty)
    }

    @Test func `the session without its discovery is found by its frames`() throws {
        var skipping = Skipping(until: 190)
        PlainCapture.read(try CaptureFolder.bytes("bluez-libpcap-hci0-dlt201.pcap"), into: &skipping)
        skipping.reader.finish()
        let sink = skipping.reader.finder.sink

        #expect(sink.handles == [NordicHandles(rx: 0x0009, tx: 0x000B, source: .inferred)])
        #expect(sink.frames.count == 46)
    }

    @Test func `the central's side of a session has one command`() throws {
        let sink = try read("bumble-central-h4-1002.btsnoop")

        #expect(sink.frames.count { $0.direction == .toRadio } == 1)
    }

    @Test(arguments: ["csacca-treadmill.btsnoop", "madkaye-revcar-midconnection.btsnoop"])
    func `other gadgets have no frames`(name: String) throws {
        let sink = try read(name)

        #expect(sink.lines == [])
        #expect(sink.handles == [])
        #expect(sink.values > 0)
        #expect(sink.problems.isEmpty)
    }
}

/// Leaves the first records out.
private struct Skipping: HostPacketSink {
    var until: Int
    var reader = HostReader(GatheringSink())

    init(until: Int) {
        self.until = until
    }

    mutating func take(_ header: HostPacketHeader, _ bytes: Span<UInt8>) {
        if header.record.number > until { reader.take(header, bytes) }
    }

    mutating func note(_ problem: CaptureProblem) {}
}
