import ArgumentParser
import BluetoothCapture
import Foundation
import MeshCapture
import MeshCaptureIO
import MeshWorlds
import Testing

@testable import meshbed

/// Packets on the air as pcap: `mesh run --pcap`, `capture export`, and the script that shows them.
@Suite struct AirPacketFileTests {
    private let file = FileManager.default.temporaryDirectory.appending(path: "air-\(UUID().uuidString).pcap")

    private static let header = 24
    private static let recordHeader = 16
    private static let loRaTapHeader = 15

    /// The packets of a file of LoRaTap, by the lengths in its record headers.
    private static func packets(in file: [UInt8]) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        var offset = header
        while offset + recordHeader <= file.count {
            let length = file[(offset + 8)..<(offset + 12)].reversed().reduce(0) { $0 << 8 | Int($1) }
            let start = offset + recordHeader
            packets.append([UInt8](file[(start + loRaTapHeader)..<(start + length)]))
            offset = start + length
        }
        return packets
    }

    @Test func `a run writes each packet that is sent`() throws {
        defer { try? FileManager.default.removeItem(at: file) }
        let command = try MeshRunCommand.parse(["line:3", "--for", "120s", "--pcap", file.path])

        let summary = try command.summary()

        let packets = Self.packets(in: [UInt8](try Data(contentsOf: file)))
        #expect(packets.count == summary.transmissions)
        #expect(packets.count >= 10)
    }

    @Test func `a packet has the settings of the radio that sent it`() throws {
        let world = file.deletingPathExtension().appendingPathExtension("json")
        defer { for path in [file, world] { try? FileManager.default.removeItem(at: path) } }
        let text = """
            {"format": "meshbed world 1",
             "radio": {"frequency_khz": 433000, "bandwidth_hz": 250000, "spreading_factor": 11},
             "nodes": [{"name": "alice", "role": "companion"}, {"name": "bob", "role": "companion"}],
             "links": [{"from": "alice", "to": "bob"}]}
            """
        try Data(text.utf8).write(to: world)
        let command = try MeshRunCommand.parse([world.path, "--for", "60s", "--pcap", file.path])

        _ = try command.summary()

        let header = [UInt8](try Data(contentsOf: file)).dropFirst(Self.header + Self.recordHeader)
        #expect(header.count > 10)
        #expect(header.dropFirst(4).prefix(6) == [0x19, 0xCF, 0x0E, 0x40, 2, 11])
    }

    @Test func `a run with a file of packets has the digest of one without`() throws {
        defer { try? FileManager.default.removeItem(at: file) }
        let plain = try MeshRunCommand.parse(["line:3", "--for", "60s"])
        let recorded = try MeshRunCommand.parse(["line:3", "--for", "60s", "--pcap", file.path])

        #expect(try plain.summary().digest == recorded.summary().digest)
    }

    @Test func `a recording's packets are exported, and its frames are not`() throws {
        let text = """
            meshbed capture 1
            transport: tcp
            date: 2026-11-22

            0.000000 tcp +
            0.001000 tcp > 05
            0.500000 air < 0d0001020304 snr=10.25 rssi=-80
            0.600000 air > 1101020304

            """
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let recording = try LoadedCapture(file.path).part(connection: nil).recording

        let bytes = try CaptureExport.bytes(of: recording)

        #expect(Self.packets(in: bytes) == [[0x0D, 0x00, 1, 2, 3, 4], [0x11, 1, 2, 3, 4]])
        // -80 dBm, three times, and 10.25 dB in quarters, behind frequency, bandwidth and spreading factor.
        let signal = Self.header + Self.recordHeader + 10
        #expect(bytes[signal..<(signal + 4)].elementsEqual([59, 59, 59, 41]))
    }
}
