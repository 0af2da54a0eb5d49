import MeshSimulator
import MeshTime
import MeshWire
import Testing

@testable import MeshWorlds

/// The names of frames and losses.
@Suite struct FrameRegisterTests {
    private static let labels = ["alice", "rep1", "bob", "sens1"]

    /// A direct text, its acknowledgement with this hash, an advert: as short as packets may be.
    private static let text = [UInt8]([0x0A, 0x00, 0xB0, 0xA1, 1, 2, 3, 4])
    private static let advert = [UInt8]([0x11, 0x00]) + [UInt8](repeating: 7, count: 110)

    private static func ack(_ tag: UInt32) -> [UInt8] {
        [0x0E, 0x00] + (0..<4).map { UInt8(truncatingIfNeeded: tag >> (8 * $0)) }
    }

    private func losses(_ events: [(Int, TraceFile.Line.Content)], keeping most: Int = .max) -> [String] {
        var register = FrameRegister(keeping: most)
        return events.enumerated().compactMap { place, event in
            register.enter(.seconds(Int64(place)), event.0, event.1)?.words { Self.labels[$0] }
        }
    }

    private func sent(_ frame: Int, _ bytes: [UInt8]) -> TraceFile.Line.Content {
        .txBegin(frame: frame, bytes: bytes, airtime: .milliseconds(300))
    }

    private func heard(_ frame: Int) -> TraceFile.Line.Content {
        .rxEnd(frame: frame, snrHundredths: 800, rssiHundredths: -8000)
    }

    @Test func `a lost acknowledgement is named with its message, and with the frame that was in its way`() {
        let words = losses([
            (0, .message(number: 3, to: "bob", text: "supper")), (0, sent(10, Self.text)), (1, heard(10)),
            (1, sent(11, Self.text)), (2, heard(11)), (2, .delivered(type: 2)), (2, .acknowledging(tag: 0xCAFE_F00D)),
            (2, sent(117, Self.ack(0xCAFE_F00D))), (3, sent(118, Self.advert)),
            (1, .rxDrop(frame: 117, reason: "collision", by: 118)),
            (1, .rxDrop(frame: 118, reason: "collision", by: 117)),
        ])

        #expect(
            words == [
                "bob's ack #117 of message 3 lost at rep1: collision with sens1's advert #118",
                "sens1's advert #118 lost at rep1: collision with bob's ack #117 of message 3",
            ])
    }

    @Test func `a relay's copy is told from its origin's frame, and other reasons name the other frame too`() {
        let words = losses([
            (0, .message(number: 1, to: "bob", text: "x")), (0, sent(0, Self.text)), (1, sent(1, Self.text)),
            (2, .rxDrop(frame: 1, reason: "missed", by: 5)), (2, sent(2, Self.advert)),
            (2, .rxDrop(frame: 1, reason: "halfDuplex", by: 2)), (2, .rxDrop(frame: 1, reason: "tooWeak", by: nil)),
        ])

        let copy = "rep1's copy of alice's text #1 (message 1) lost at bob:"
        #expect(
            words == [
                "\(copy) missed, it was receiving #5", "\(copy) halfDuplex, it was sending bob's advert #2",
                "\(copy) tooWeak",
            ])
    }

    @Test func `an acknowledgement that comes bundled with a path is named as one`() {
        let path = [UInt8]([0x21, 0x00, 0xA1, 0xB0, 1, 2, 3, 4])
        let words = losses([
            (0, .message(number: 2, to: "bob", text: "x")), (0, sent(0, Self.text)), (2, heard(0)),
            (2, .acknowledging(tag: 7)), (2, sent(1, path)), (1, .rxDrop(frame: 1, reason: "collision", by: nil)),
        ])

        #expect(words == ["bob's path with ack #1 of message 2 lost at rep1: collision"])
    }

    @Test func `a register with a bound forgets the oldest, and only their names`() {
        var events: [(Int, TraceFile.Line.Content)] = (0..<1000).map { frame in
            (3, sent(frame, Self.advert + [UInt8(frame & 255), UInt8(frame >> 8)]))
        }
        events.append((1, .rxDrop(frame: 999, reason: "collision", by: 0)))

        #expect(losses(events, keeping: 16) == ["sens1's advert #999 lost at rep1: collision with #0"])
    }

    @Test func `a trace file keeps the frame that was in the way, and older files have none`() throws {
        var writer = TraceWriter()
        writer.begin(try TopologyName("line:3").topology(seed: Seed(1)), seed: Seed(1), span: .zero)
        writer.add(.start, NodeID(index: 1), .event(.rxDrop(frame: 4, reason: .collision, by: 5)))
        writer.add(.start, NodeID(index: 1), .event(.rxDrop(frame: 4, reason: .tooWeak, by: nil)))
        let text = writer.takeText()

        let lines = try TraceFile(text).lines.map(\.content)

        #expect(
            lines == [
                .rxDrop(frame: 4, reason: "collision", by: 5), .rxDrop(frame: 4, reason: "tooWeak", by: nil),
            ])
        #expect(String(decoding: text, as: UTF8.self).contains(#""frame":4,"reason":"collision","by":5}"#))
    }

    @Test func `the fate of a message names what its copies and its acknowledgement collided with`() throws {
        // Tips of a star do not hear each other, and all of them talk.
        let trace = try TraceFile(RunFixture("star:6", traffic: "chat:1s", seconds: 60, seed: 3).trace)
        let fates = (1...40).compactMap { try? MessageFate("\($0)", in: trace) }
        let text = fates.map(\.text).joined()
        let json = fates.map(\.json).joined()

        #expect(text.contains(/lost at r1: collision with \w+'s (text|channel text|ack|path|path with ack) #\d+/))
        #expect(text.contains(/did not get it: .*; r1 lost #\d+ of \w+: collision with \w+'s .*#\d+/))
        #expect(fates.contains { !$0.lostAcknowledgements.isEmpty })
        #expect(text.contains(/no acknowledgement came back\n +\w+'s .*ack #\d+ of message \d+ lost at r1:/))
        #expect(json.contains(/"words" : "collision with \w+'s/))
    }
}
