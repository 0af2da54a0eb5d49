import MeshCapture
import MeshCompanion
import MeshTime
import Testing

@testable import BluetoothCapture

/// Recordings dressed up as captures. Source: CaptureFormats, "Rules for writers".
@Suite struct SyntheticCaptureTests {
    /// Frames of all lengths in both directions, with connections that end and begin again.
    static func random(_ seed: UInt64) -> Recording {
        var stream = Seed(seed).stream("recording")
        var entries = [RecordingEntry(.zero, .ble, .connected)]
        var time = TimeSpan.zero
        for _ in 0..<40 {
            time = time + .microseconds(Int64(stream.draw(1, 1_000_000)))
            let frame = (0..<stream.draw(1, 177)).map { _ in stream.nextByte() }
            entries.append(
                RecordingEntry(time, .ble, .frame(stream.draw(0, 2) == 0 ? .toRadio : .toApp, frame)))
            if stream.draw(0, 12) == 0 {
                entries.append(RecordingEntry(time, .ble, .disconnected(reason: "closed by the other side")))
                entries.append(RecordingEntry(time, .ble, .connected))
            }
        }
        return Recording(RecordingHeader(transport: .ble), entries)
    }

    static func read(_ capture: SyntheticCapture) -> RecordingCollector {
        var reader = HostReader(RecordingCollector())
        capture.write(into: &reader)
        reader.finish()
        return reader.finder.sink
    }

    static func frames(_ entries: [RecordingEntry]) -> [RecordingEntry.Event] {
        entries.map(\.event).filter { if case .frame = $0 { true } else { false } }
    }

    @Test(arguments: 1...30 as ClosedRange<UInt64>, SyntheticCapture.FragmentSize.allCases)
    func `reading it gives the frames again`(seed: UInt64, size: SyntheticCapture.FragmentSize) {
        let recording = Self.random(seed)

        let read = Self.read(SyntheticCapture(recording, fragmentSize: size))

        let connections = recording.entries.count { $0.event == .connected }
        #expect(read.recordings.count == connections)
        #expect(Self.frames(read.recordings.flatMap(\.recording.entries)) == Self.frames(recording.entries))
        #expect(read.recordings.allSatisfy { $0.mtu == 517 && $0.isClosed })
        #expect(read.problemCount == 0)
    }

    @Test func `where the world went back the link is closed, and time goes on from where it was`() {
        let recording = Recording(
            RecordingHeader(),
            [
                RecordingEntry(.zero, .tcp, .connected),
                RecordingEntry(.seconds(1), .tcp, .turn(.snapshot("met"))),
                RecordingEntry(.seconds(9), .tcp, .frame(.toRadio, [5])),
                RecordingEntry(.seconds(1), .tcp, .turn(.restored("met"))),
                RecordingEntry(.seconds(2), .tcp, .connected),
                RecordingEntry(.seconds(3), .tcp, .frame(.toRadio, [0x14])),
            ])

        let read = Self.read(SyntheticCapture(recording))

        #expect(read.recordings.count == 2)
        #expect(
            read.recordings.map { Self.frames($0.recording.entries) } == [
                [.frame(.toRadio, [5])], [.frame(.toRadio, [0x14])],
            ])
        let began = read.recordings.map(\.began)
        // The world goes back at 9 s, and the second app comes a second later.
        #expect(began == [SyntheticCapture.someTime, SyntheticCapture.someTime + 10_000_000_000])
    }

    @Test func `times are kept`() throws {
        let recording = Recording(
            RecordingHeader(),
            [
                RecordingEntry(.zero, .tcp, .connected),
                RecordingEntry(.microseconds(1_250_001), .tcp, .frame(.toRadio, [5])),
                RecordingEntry(.seconds(3), .tcp, .frame(.toApp, [9, 1, 2, 3, 4])),
                RecordingEntry(.seconds(4), .tcp, .disconnected(reason: "")),
            ])

        let read = try #require(Self.read(SyntheticCapture(recording)).recordings.first)

        #expect(read.recording.entries.map(\.time) == recording.entries.map(\.time))
        #expect(read.recording.header.date == "2023-11-14")
        #expect(read.recording.header.transport == .ble)
    }

    @Test func `what no frame can tell of is left out`() {
        let recording = Recording(
            RecordingHeader(),
            [
                RecordingEntry(.zero, .air, .packet(.heard, [1, 2, 3], signal: nil)),
                RecordingEntry(.zero, .tcp, .problem("noise")),
                RecordingEntry(.zero, .tcp, .frame(.toRadio, [])),
                RecordingEntry(.zero, .tcp, .frame(.toRadio, [5])),
            ])

        let read = Self.read(SyntheticCapture(recording))

        #expect(Self.frames(read.recordings.flatMap(\.recording.entries)) == [.frame(.toRadio, [5])])
    }
}
