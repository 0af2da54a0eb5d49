import BluetoothCapture
import MeshCapture
import MeshWire
import Testing

/// Packets on the air as pcap: the layout that tshark reads, which `ci/tshark` shows.
@Suite struct LoRaTapWriterTests {
    private static let channel = LoRaTapWriter.Channel(
        kilohertz: 869_618, bandwidthHertz: 62_500, spreadingFactor: 8)

    @Test func `a packet stands behind its settings and its signal`() throws {
        var writer = LoRaTapWriter()
        var file: [UInt8] = []

        writer.begin(into: &file)
        let head = file.count
        try writer.write(
            [0x0D, 0x00], at: 1_700_000_000_000_000_001, on: Self.channel,
            RecordingEntry.Signal(snrQuarterDecibels: -29, rssi: -80), into: &file)

        #expect(head == 24)
        #expect(file[20..<24].elementsEqual([0x0E, 0x01, 0, 0]))
        #expect([UInt8](file[(head + 8)..<(head + 16)]).hex == "1100000011000000")
        #expect([UInt8](file[(head + 16)...]).hex == "0000000f33d5515000083b3b3be3120d00")
        #expect(writer.count == 1)
    }

    @Test func `a packet without a signal has zeros for it, and wide channels count their steps`() throws {
        var writer = LoRaTapWriter()
        var file: [UInt8] = []
        let wide = LoRaTapWriter.Channel(kilohertz: 433_000, bandwidthHertz: 250_000, spreadingFactor: 11)

        try writer.write([0x0D], at: 0, on: wide, nil, into: &file)

        #expect([UInt8](file[16...]).hex == "0000000f19cf0e40020b00000000120d")
    }

    @Test func `a time that pcap cannot hold is refused`() {
        var writer = LoRaTapWriter()
        var file: [UInt8] = []

        #expect(throws: CaptureProblem.self) {
            try writer.write([0x0D], at: .max, on: Self.channel, nil, into: &file)
        }
    }
}
