import MeshCompanion
import MeshPacket
import MeshRadio
import MeshTestSupport
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

/// Listening before talking, as the driver's memory of earlier frames spoils it.
@Suite struct ReceptionCheckTests {
    private let airtime = Airtime(LoRaParameters())

    /// Returns the results of the checks, each at its millisecond: `p` a preamble, `h` a header, `-` nothing; then
    /// the frame's number.
    ///
    /// - Parameters:
    ///   - sampling: when a sampling of the noise floor is to begin; long ago when not given.
    ///   - since: when the air became busy.
    private func check(
        _ looks: (at: UInt32, sight: String)..., sampling: Int64 = -60_000, since: Int64 = 0
    ) -> [Bool] {
        var check = ReceptionCheck()
        return looks.map { look in
            let number = look.sight.dropFirst().utf8.first ?? 0
            let reception = RadioStatus.Reception(
                since: .seconds(number), hasHeader: look.sight.hasPrefix("h"),
                busyFor: .milliseconds(Int64(look.at) - since))
            let begin = sampling > Int64(look.at) ? -60_000 : sampling
            return check.isReceiving(
                look.sight == "-" ? nil : reception, at: Millis(look.at),
                sampledBefore: .milliseconds(Int64(look.at) - begin), airtime)
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

    @Test func `a sampling of the noise floor that goes on finds out that the header has gone`() {
        // It begins in the first frame or between the checks, and cannot end before the second frame does.
        for sampling in [150, 250, 430] as [Int64] {
            #expect(check((200, "h1"), (440, "p2"), (700, "h2"), sampling: sampling) == [true, true, true])
        }
        #expect(check((200, "p1"), (560, "p2"), sampling: 220) == [true, true])
    }

    @Test func `a sampling that began before the frames is over before them`() {
        #expect(check((200, "h1"), (440, "p2"), sampling: 100, since: 150) == [true, false])
        #expect(check((200, "h1"), (440, "p2"), sampling: 100, since: 106) == [true, true])
    }

    @Test func `a sampling that has ended between two frames leaves nothing remembered`() {
        #expect(check((200, "h1"), (450, "p2"), (460, "p2"), sampling: 300, since: 430) == [true, true, true])
        #expect(check((200, "p1"), (560, "p2"), sampling: 300, since: 540) == [true, true])
    }

    @Test func `samplings begin every two seconds, the first when the counter has left zero`() {
        func since(_ uptime: Int64, _ millisAtBoot: UInt32 = 0) -> Int64 {
            NoiseSampling.sinceBeginning(at: .milliseconds(uptime), millisAtBoot).milliseconds
        }

        #expect([0, 1, 2, 2001, 2002, 2003].map { since($0) } == [0, 0, 1, 2000, 0, 1])
        #expect([0, 1, 2000, 2001].map { since($0, 1000) } == [0, 1, 2000, 0])
    }

    /// Returns the number of frames sent by a node that finds the channel in this state at 10 ms.
    private func sent(over reception: RadioStatus.Reception, _ version: FirmwareVersion, _ chip: RadioChip) throws
        -> Int
    {
        var board = BoardProfile.heltecV3
        board.firmware = version
        board.chip = chip
        var node = TestNode(board: board)
        var effects: [NodeEffect] = []
        node.core.beginPass(at: .milliseconds(5), radio: RadioStatus(), effects: &effects)
        _ = node.core.sendRawPacket(try #require(try? .init([0x0D, 0, 1, 2, 3, 4])), priority: 0, delayMillis: 0)
        node.core.endPass(effects: &effects)
        node.handle(.woke, at: .milliseconds(10), radio: RadioStatus(reception), into: &effects)
        return effects.count { if case .transmit = $0 { true } else { false } }
    }

    @Test(.proves("FWV-089")) func `up to 1.16 a driver sees no preamble, but the SX127x's asks its modem`() throws {
        let preamble = RadioStatus.Reception(since: .start, hasHeader: false)
        let header = RadioStatus.Reception(since: .start, hasHeader: true)

        for version in FirmwareVersion.all {
            let isBlind = [.v1_14, .v1_15, .v1_16].contains(version)
            #expect(try sent(over: preamble, version, .sx126x) == (isBlind ? 1 : 0))
            #expect(try sent(over: preamble, version, .lr1110) == (isBlind ? 1 : 0))
            #expect(try sent(over: preamble, version, .sx127x) == 0)
            for chip in RadioChip.allCases { #expect(try sent(over: header, version, chip) == 0) }
        }
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
