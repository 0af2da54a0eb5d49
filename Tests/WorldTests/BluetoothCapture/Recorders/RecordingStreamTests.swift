import MeshBluetoothHost
import MeshCapture
import MeshCompanion
import MeshTime
import Testing

@testable import BluetoothCapture

/// The lines of one radio's connections, as they come.
@Suite struct RecordingStreamTests {
    private static func place(_ connection: Int, _ seconds: Int64?) -> CapturePlace {
        CapturePlace(record: 1, nanoseconds: seconds.map { $0 * 1_000_000_000 }, connection: connection)
    }

    /// A whole connection with one frame.
    private static func connect(
        _ stream: inout RecordingStream, _ number: Int, at seconds: Int64?, peer: [UInt8]?, name: String? = nil
    ) -> [RecordingEntry] {
        let address = peer.map { BluetoothAddress(number: $0.reduce(0) { $0 << 8 | UInt64($1) }, isRandom: true) }
        let opened = OpenedConnection(
            isLoggedByCentral: true, peer: address, peerName: name, handle: 1, isInTheMiddle: false)
        stream.event(place(number, seconds), .opened(opened))
        stream.frame(place(number, seconds.map { $0 + 1 }), .toRadio, [5].span, isJoined: false)
        stream.event(place(number, seconds.map { $0 + 2 }), .closed(reason: 0x13))
        return stream.drain()
    }

    @Test func `a radio whose address changes is known by its name`() {
        var stream = RecordingStream()
        let first = Self.connect(&stream, 0, at: 10, peer: [0x40, 1, 1, 1, 1, 1], name: "MeshCore-A")
        let other = Self.connect(&stream, 1, at: 20, peer: [0x40, 2, 2, 2, 2, 2], name: "MeshCore-B")
        let again = Self.connect(&stream, 2, at: 30, peer: [0x40, 3, 3, 3, 3, 3], name: "MeshCore-A")

        #expect(first.count == 3 && other.isEmpty && again.count == 3)
        #expect(again.map(\.time) == [.seconds(20), .seconds(21), .seconds(22)])
        #expect(stream.connections == 2 && stream.otherConnections == 1)
    }

    @Test func `times never go back, and stand still without a clock`() {
        var stream = RecordingStream()
        let first = Self.connect(&stream, 0, at: 1000, peer: [0xC0, 1, 1, 1, 1, 1])
        let back = Self.connect(&stream, 1, at: 5, peer: [0xC0, 1, 1, 1, 1, 1])
        let none = Self.connect(&stream, 2, at: nil, peer: [0xC0, 1, 1, 1, 1, 1])
        let late = Self.connect(&stream, 3, at: Int64.max / 1_000_000_000 - 5, peer: [0xC0, 1, 1, 1, 1, 1])

        #expect(first.map(\.time) == [.zero, .seconds(1), .seconds(2)])
        #expect(back.map(\.time) == [.seconds(2), .seconds(2), .seconds(2)])
        #expect(none.map(\.time) == [.seconds(2), .seconds(2), .seconds(2)])
        #expect(late.map(\.time) == [TimeSpan](repeating: .seconds(Int64(UInt32.max)), count: 3))
    }

    @Test func `lines wait until the connection shows where it leads`() {
        var stream = RecordingStream()
        let opened = OpenedConnection(isLoggedByCentral: true, peer: nil, handle: 1, isInTheMiddle: true)
        stream.event(Self.place(0, 1), .opened(opened))
        for second in 2..<500 as Range<Int64> { stream.event(Self.place(0, second), .lost("a packet")) }

        #expect(stream.drain().isEmpty)
        stream.event(Self.place(0, 500), .handlesKnown(NordicHandles(rx: 9, tx: 11, source: .inferred)))
        let lines = stream.drain()
        // The first of them: how many wait is bounded.
        #expect(lines.count == 64 && lines.first?.event == .connected)
        stream.event(Self.place(0, 501), .lost("a packet"))
        #expect(stream.drain().map(\.time) == [.seconds(500)])
    }
}
