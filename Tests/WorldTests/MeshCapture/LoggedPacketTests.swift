import MeshCapture
import MeshCompanion
import MeshTime
import Testing

/// LoRa packets from a radio's frames to its app.
@Suite struct LoggedPacketTests {
    @Test func `a packet that the radio logged is a line on the air`() {
        let entry = RecordingEntry(loggedBy: [0x88, 0xF0, 0xB0, 0x11, 0x22], .toApp, at: .seconds(3))

        #expect(entry?.line == "3.000000 air < 1122 snr=-4.0 rssi=-80\n")
    }

    @Test(arguments: [
        ([0x89, 0xF0, 0xB0, 0x11], FrameDirection.toApp), ([0x88, 0xF0, 0xB0, 0x11], .toRadio), ([0x88, 0xF0], .toApp),
        ([0x88, 0xF0, 0xB0], .toApp), ([], .toApp),
    ])
    func `no other frame is one`(frame: [UInt8], direction: FrameDirection) {
        #expect(RecordingEntry(loggedBy: frame, direction, at: .zero) == nil)
    }
}
