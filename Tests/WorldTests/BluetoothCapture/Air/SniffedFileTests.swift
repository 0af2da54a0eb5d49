import Foundation
import Testing

@testable import BluetoothCapture

/// A file of the air with a pairing in the old way, for those who can only read files.
@Suite struct SniffedFileTests {
    static let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "Resources/legacy-pairing.pcap")

    /// The session as link type 256, in nanoseconds.
    static func file(_ session: SniffedSession) throws -> [UInt8] {
        let writer = try #require(PcapWriter(link: .lowEnergyWithRadio))
        var file: [UInt8] = []
        writer.begin(into: &file)
        for (index, packet) in session.packets.enumerated() {
            let bytes = SniffedRecord.withRadio.bytes(packet, number: index + 1)
            let header = RecordHeader(
                number: index + 1, offset: 0, nanoseconds: packet.nanoseconds, link: .lowEnergyWithRadio,
                originalLength: bytes.count)
            try writer.write(header, bytes.span, into: &file)
        }
        return file
    }

    /// With `MESHBED_REWRITE_CAPTURES=1` in the environment the file is stored anew first.
    @Test func `the stored file is what the two devices send`() throws {
        let file = try Self.file(SniffedSession.whole(seed: 20))
        if ProcessInfo.processInfo.environment["MESHBED_REWRITE_CAPTURES"] == "1" {
            try Data(file).write(to: Self.path)
        }

        #expect([UInt8](try Data(contentsOf: Self.path)) == file)
    }
}
