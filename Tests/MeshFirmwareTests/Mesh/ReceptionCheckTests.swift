import MeshCompanion
import MeshPacket
import MeshRadio
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

/// Listening before talking, as the driver's memory of earlier frames spoils it.
@Suite struct ReceptionCheckTests {
    private let airtime = Airtime(LoRaParameters())

    /// What the checks say, each at its millisecond: `p` a preamble, `h` a header, `-` nothing; the frame's number behind.
    private func check(_ looks: (at: UInt32, sight: String)...) -> [Bool] {
        var check = ReceptionCheck()
        return looks.map { look in
            let number = look.sight.dropFirst().utf8.first ?? 0
            let reception = RadioStatus.Reception(since: .seconds(number), hasHeader: look.sight.hasPrefix("h"))
            return check.isReceiving(look.sight == "-" ? nil : reception, at: Millis(look.at), airtime)
        }
    }

    @Test func `a frame is waited for from its preamble to its end`() {
        #expect(
            check((100, "-"), (200, "p1"), (350, "p1"), (400, "h1"), (800, "h1"), (900, "-")) == [
                false, true, true, true, true, false,
            ])
    }

    @Test func `behind a header that was seen the next preamble is overlooked once`() {
        #expect(check((200, "h1"), (440, "p2"), (441, "p2")) == [true, false, true])
    }

    @Test func `a header that follows a header is not overlooked`() {
        #expect(check((200, "h1"), (500, "h2"), (700, "h2")) == [true, true, true])
    }

    @Test func `a preamble that was seen makes the next one seem too long, until its header comes`() {
        // 182 ms are granted; the flag that was cleared does not come again for the same frame.
        #expect(airtime.preambleDeadlineMilliseconds == 182)
        #expect(check((200, "p1"), (560, "p2"), (570, "p2"), (600, "h2")) == [true, false, false, true])
        #expect(check((200, "p1"), (382, "p2")) == [true, true])
    }

    @Test func `a check that found nothing forgets what was before`() {
        #expect(check((200, "p1"), (450, "-"), (560, "p2")) == [true, false, true])
        #expect(check((200, "h1"), (450, "-"), (560, "p2")) == [true, false, true])
    }

    @Test func `headers without a rest are taken for one that got stuck`() {
        let limit = airtime.payloadDeadlineMilliseconds

        #expect(
            check((200, "h1"), (200 + limit, "h2"), (201 + limit, "h2"), (202 + limit, "h2")) == [
                true, true, false, false,
            ])
    }

    /// A node with a packet that waits for a frame to end when another one follows; how many it has sent by then.
    private func sent(board: BoardProfile, _ change: (inout RoutingCore) -> Void = { _ in }) throws -> Int {
        var node = TestNode(board: board)
        change(&node.core)
        var effects: [NodeEffect] = []
        node.core.beginPass(at: .milliseconds(5), radio: RadioStatus(), effects: &effects)
        _ = node.core.sendRawPacket(try #require(try? .init([0x0D, 0, 1, 2, 3, 4])), priority: 0, delayMillis: 0)
        node.core.endPass(effects: &effects)
        for (at, reception) in [
            (10, RadioStatus.Reception(since: .start, hasHeader: true)),
            (400, .init(since: .seconds(1), hasHeader: false)),
        ] {
            node.handle(.woke, at: .milliseconds(at), radio: RadioStatus(reception), into: &effects)
        }
        return effects.count { if case .transmit = $0 { true } else { false } }
    }

    @Test func `the driver of the SX127x remembers nothing, and the quirk can be switched off`() throws {
        var old = BoardProfile.heltecV3
        old.chip = .sx127x

        #expect(try sent(board: .heltecV3) == 1)
        #expect(try sent(board: old) == 0)
        #expect(try sent(board: .heltecV3) { $0.quirks.remove(.nextFrameOverlooked) } == 0)
    }
}
