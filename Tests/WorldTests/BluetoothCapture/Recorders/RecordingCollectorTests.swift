import MeshCapture
import MeshCompanion
import MeshTime
import Testing

@testable import BluetoothCapture

/// Recordings made of captures.
@Suite struct RecordingCollectorTests {
    private static func place(_ connection: Int, _ milliseconds: Int64) -> CapturePlace {
        CapturePlace(record: 1, nanoseconds: 1_000_000_000 + milliseconds * 1_000_000, connection: connection)
    }

    @Test func `a packet that the radio logged is a line of its own`() throws {
        var collector = RecordingCollector()
        let log: [UInt8] = [0x88, 0x28, 0xB0, 0x11, 0x22]

        collector.frame(Self.place(0, 0), .toApp, log.span, isJoined: false)

        let entries = try #require(collector.recordings.first).recording.entries
        #expect(entries.map(\.link) == [.ble, .air])
        #expect(
            entries.last?.event
                == .packet(.heard, [0x11, 0x22], signal: .init(snrQuarterDecibels: 40, rssi: -80)))
    }

    @Test func `connections to other devices leave nothing behind`() {
        var collector = RecordingCollector()
        let opened = OpenedConnection(isLoggedByCentral: true, peer: nil, handle: 1, isInTheMiddle: false)
        for connection in 0..<1000 {
            collector.event(Self.place(connection, 0), .opened(opened))
            collector.event(Self.place(connection, 1), .value(handle: 3, nil, [1]))
            collector.event(Self.place(connection, 2), .closed(reason: 0x13))
        }

        #expect(collector.recordings.isEmpty)
    }

    @Test func `times stand still where the clock was set back`() throws {
        var collector = RecordingCollector()
        let frame: [UInt8] = [5]
        for time in [0, 500, -9000, 700] {
            collector.frame(Self.place(0, Int64(time)), .toRadio, frame.span, isJoined: false)
        }

        let times = try #require(collector.recordings.first).recording.entries.map(\.time.milliseconds)
        #expect(times == [0, 500, 500, 700])
    }

    @Test func `what keeps a recording from being complete is a line`() throws {
        var collector = RecordingCollector()
        collector.event(Self.place(0, 0), .handlesKnown(NordicHandles(rx: 9, tx: 11, source: .discovered)))
        collector.event(Self.place(0, 0), .rejected(frame: [5], error: 5))
        collector.event(Self.place(0, 0), .truncated(.toApp, part: [9], length: 5))
        collector.event(Self.place(0, 0), .oversize(.toRadio, length: 200))
        collector.event(Self.place(0, 0), .lost("2 fragments"))

        let entries = try #require(collector.recordings.first).recording.entries
        #expect(
            entries.map(\.event) == [
                .problem("the radio did not take 05: insufficient authentication"),
                .problem("from the radio: the capture has 1 of at least 5 bytes, 09"),
                .problem("from the app: a value of 200 bytes, more than a frame can have"),
                .problem("2 fragments"),
            ])
    }

    @Test func `problems are counted beyond what is kept`() {
        var collector = RecordingCollector()
        for _ in 0..<5000 { collector.note(CaptureProblem(offset: 0, "damaged")) }

        #expect(collector.problems.count == RecordingCollector.problemLimit)
        #expect(collector.problemCount == 5000)
    }

    /// Connections that overlap could not be removed from the end, and stayed for good.
    @Test func `connections that lead to no radio leave nothing, in whatever order they end`() {
        var collector = RecordingCollector()
        var place = CapturePlace(record: 1, nanoseconds: nil, connection: 0)
        for number in 0..<20_000 {
            place.connection = number
            collector.event(place, .lost("something"))
            guard number > 0 else { continue }
            place.connection = number - 1
            collector.event(place, .closed(reason: nil))
        }

        #expect(collector.recordings.isEmpty)
        #expect(collector.connectionCount < 2048)
    }
}
