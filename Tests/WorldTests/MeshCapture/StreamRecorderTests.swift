import MeshCapture
import MeshCompanion
import MeshTestSupport
import MeshTime
import MeshWire
import Testing

/// Frames read along in streams of bytes.
@Suite struct StreamRecorderTests {
    /// Returns the recorder's events for the bytes and for the end of the connection.
    static func events(
        _ bytes: [UInt8], _ direction: FrameDirection, pieces: [Int] = [], keepsNoise: Bool = false
    ) -> [RecordingEntry.Event] {
        var recorder = StreamRecorder(.tcp, keepsNoise: keepsNoise)
        var entries: [RecordingEntry] = []
        var rest = bytes[...]
        for piece in pieces {
            recorder.take(rest.prefix(piece), direction, at: .seconds(1), into: &entries)
            rest = rest.dropFirst(piece)
        }
        recorder.take(rest, direction, at: .seconds(1), into: &entries)
        recorder.disconnected("closed", at: .seconds(2), into: &entries)
        return entries.dropLast().map(\.event)
    }

    @Test func `frames of both ways become lines with their names`() {
        var recorder = StreamRecorder(.tcp)
        var entries: [RecordingEntry] = []

        recorder.connected(at: .zero, into: &entries)
        recorder.take([0x3C, 1, 0, 5], .toRadio, at: .milliseconds(1), into: &entries)
        recorder.take([0x3E, 5, 0, 9, 1, 2, 3, 4], .toApp, at: .milliseconds(2), into: &entries)
        recorder.disconnected("closed by the app", at: .milliseconds(3), into: &entries)

        #expect(
            entries.map(\.line).joined() == """
                0.000000 tcp +
                0.001000 tcp > 05 ; CMD_GET_DEVICE_TIME
                0.002000 tcp < 0901020304 ; RESP_CODE_CURR_TIME
                0.003000 tcp - closed by the app

                """)
    }

    @Test func `a packet that the radio logged stands behind the frame that says so`() {
        let events = Self.events([0x3E, 5, 0, 0x88, 0xF0, 0xB0, 0x11, 0x22], .toApp)

        #expect(
            events == [
                .frame(.toApp, [0x88, 0xF0, 0xB0, 0x11, 0x22]),
                .packet(.heard, [0x11, 0x22], signal: .init(snrQuarterDecibels: -16, rssi: -80)),
            ])
    }

    @Test(arguments: [
        // CMP-002, CMP-006: what is no marker is noise, also the other side's.
        ([0, 0xFF, 0x3E, 0x3C, 1, 0, 5], FrameDirection.toRadio, "3 bytes outside of frames to the radio: 00ff3e", 1),
        // CMP-003: an empty frame is none, and the next is read.
        ([0x3C, 0, 0, 0x3C, 1, 0, 5], .toRadio, "3 bytes outside of frames to the radio: 3c0000", 1),
        // CMP-007: a marker in a header is data.
        ([0x3C, 0x3C, 0, 5], .toRadio, "a frame to the radio ends after 1 of 60 bytes: 05", 0),
        ([0x3E, 0x20, 0x20, 0x3E, 1, 0, 0], .toApp, "3 bytes outside of frames to the app: 3e2020", 1),
        // A marker behind a marker of noise is found.
        ([0x3E, 0x3E, 1, 0, 0], .toApp, "1 byte outside of frames to the app: 3e", 1),
        ([0x3C, 1], .toRadio, "2 bytes outside of frames to the radio: 3c01", 0),
    ])
    func `what is no frame is a problem, and the frames round it are read`(
        bytes: [UInt8], direction: FrameDirection, problem: String, frames: Int
    ) {
        let events = Self.events(bytes, direction, keepsNoise: true)

        #expect(events.contains(.problem(problem)), "\(events)")
        #expect(events.count == frames + 1)
        #expect(frames == 0 || events.last == .frame(direction, [direction == .toRadio ? 5 : 0]))
    }

    @Test func `bytes outside of frames are counted, and not shown unless asked for`() {
        #expect(Self.events([0x41, 0x42], .toApp) == [.problem("2 bytes outside of frames to the app")])
    }

    @Test func `a frame longer than any is counted, and the next one read`() {
        let long = [0x3C, 0x58, 0x02] + [UInt8](repeating: 0x3C, count: 600)

        let events = Self.events(long + [0x3C, 1, 0, 5], .toRadio)

        #expect(events == [.problem("a frame of 600 bytes to the radio, longer than any"), .frame(.toRadio, [5])])
    }

    @Test func `a frame that serial radios cut is kept whole, for replaying it`() {
        let frame = [UInt8](repeating: 5, count: 200)
        var recorder = StreamRecorder(.serial)
        var entries: [RecordingEntry] = []

        recorder.take([0x3C, 200, 0] + frame, .toRadio, at: .zero, into: &entries)

        #expect(entries.map(\.event) == [.frame(.toRadio, frame)])
        #expect(entries.first?.note == "CMD_GET_DEVICE_TIME, longer than a radio takes")
    }

    @Test func `noise without end is told while it lasts`() {
        let events = Self.events([UInt8](repeating: 0, count: 10_000), .toApp)

        #expect(
            events == [
                .problem("4096 bytes outside of frames to the app"),
                .problem("4096 bytes outside of frames to the app"),
                .problem("1808 bytes outside of frames to the app"),
            ])
    }

    @Test(arguments: [FrameDirection.toRadio, .toApp], 0..<50 as Range<UInt64>)
    func `it makes no difference how a stream is cut`(direction: FrameDirection, seed: UInt64) {
        var draws = Seed(seed).stream("cuts")
        var bytes: [UInt8] = []
        for _ in 0..<40 {
            let count = draws.draw(0, 40)
            let marker: UInt8 = direction == .toRadio ? 0x3C : 0x3E
            if draws.draw(0, 3) > 0 { bytes += [marker, UInt8(count), 0] }
            for _ in 0..<count { bytes.append(UInt8(truncatingIfNeeded: draws.draw(0, 256))) }
        }
        let pieces = (0..<bytes.count / 3).map { _ in Int(draws.draw(0, 7)) }

        #expect(
            Self.events(bytes, direction, pieces: pieces, keepsNoise: true)
                == Self.events(bytes, direction, keepsNoise: true))
    }

    @Test func `firmware and board are learned from what the radio says of itself`() throws {
        var info = Resp.DeviceInfo()
        info.version = .init(Array("v1.17.1".utf8))
        info.model = .init(Array("Heltec V3".utf8))
        let entry = RecordingEntry(info.encoded(), .toApp, over: .tcp, at: .seconds(1))
        var problems: [CaptureProblem] = []

        let unsaid = try Recording(Recording(.init(transport: .tcp), [entry]).text.utf8, problems: &problems)
        let said = try Recording(
            Recording(.init(firmware: "v1.17.0", board: "heltec-v3"), [entry]).text.utf8, problems: &problems)

        let half = try Recording(Recording(.init(firmware: "v1.17.0"), [entry]).text.utf8, problems: &problems)

        #expect(half.header.firmware == "v1.17.0" && half.header.board == "Heltec V3")
        #expect(unsaid.header.firmware == "v1.17.1" && unsaid.header.board == "Heltec V3")
        #expect(said.header.firmware == "v1.17.0" && said.header.board == "heltec-v3")
    }
}
