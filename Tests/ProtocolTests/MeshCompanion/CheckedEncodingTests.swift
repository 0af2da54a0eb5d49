import MeshCompanion
import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

@Suite struct CheckedEncodingTests {
    @Test func `a sender may not send a value outside its range, and learns which`() {
        var frame = SetRadioParams()
        frame.spreadingFactor = 13

        #expect(throws: FrameError(field: "sf", offset: 9, reason: .outOfRange(value: 13, allowed: 5...12))) {
            try frame.checkedEncoding()
        }
        #expect(frame.encoded().count == 11)
    }

    @Test func `a text of 160 bytes may be sent, one of 161 may not`() throws {
        var frame = SendTxtMsg()
        frame.text = ByteText(String(repeating: "x", count: 160))
        #expect(try frame.checkedEncoding().count == 173)

        frame.text = ByteText(String(repeating: "x", count: 161))
        #expect(throws: FrameError(field: "text", offset: 13, reason: .tooLong(count: 161, limit: 160))) {
            try frame.checkedEncoding()
        }
    }

    @Test func `a frame of more than 176 bytes may not be sent`() {
        var frame = SendRawPacket()
        frame.packet = [UInt8](repeating: 1, count: 175)

        #expect(
            throws: FrameError(field: "CMD_SEND_RAW_PACKET", offset: 0, reason: .tooLong(count: 177, limit: 176))
        ) { try frame.checkedEncoding() }
    }

    @Test func `an optional field without the one before it may not be sent`() {
        var frame = AddUpdateContact()
        frame.lastModified = 1

        #expect(throws: FrameError.self) { try frame.checkedEncoding() }
        #expect(frame.encoded().count == 136)
    }

    @Test func `a radio reads the fields that a short frame lacks from what stands behind it`() throws {
        let buffer: [UInt8] = [0x26, 7, 0x7A, 0x7A, 0]

        let frame = try buffer.withUnsafeBytes { try SetOtherParams(decoding: $0, frameEnd: 1) }

        #expect(frame.manualAdd == 7)
        #expect(frame.telemetryModes == nil)
    }

    @Test func `a path length that no path can have is read, so that it can be refused`() throws {
        let frame = try SendChannelData(decoding: [62, 0, 0xC5, 1, 2, 3])

        #expect(!frame.pathLength.isValid)
        #expect(frame.path == [])
    }
}
