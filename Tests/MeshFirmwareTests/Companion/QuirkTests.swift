import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshRadio
import MeshWire
import Testing

/// A radio with and without each of its quirks.
@Suite struct QuirkTests {
    /// Returns the result of the story on a radio with these quirks.
    private func tell(_ story: QuirkStory, _ quirks: QuirkSet) -> [[UInt8]] {
        var bench = CompanionBench.knowing(board: story.board, quirks: quirks)
        for peer in story.peers { bench.add(peer) }
        bench.toApp = []
        return story.tell(&bench)
    }

    @Test(arguments: Quirk.allCases)
    func `a radio has the quirk, and without it behaves as one would expect`(_ quirk: Quirk) {
        let story = quirk.story

        #expect(tell(story, .all) == story.faithful)
        #expect(tell(story, .all.removing(quirk)) == story.expected)
        #expect(story.faithful != story.expected)
    }

    @Test(arguments: Quirk.allCases)
    func `a set holds each quirk by itself`(_ quirk: Quirk) {
        var set = QuirkSet.none
        set.insert(quirk)

        #expect(Quirk.allCases.filter(set.contains) == [quirk])
        #expect(Quirk.allCases.filter { !QuirkSet.all.removing(quirk).contains($0) } == [quirk])
        #expect(QuirkSet(Quirk.allCases) == .all)
        #expect(set.removing(quirk) == .none)
    }

    @Test func `without hidden slots a node asked without being a contact becomes one`() {
        var bench = CompanionBench.knowing(quirks: .all.removing(.hiddenContactSlots))

        #expect(bench.ask(SendAnonReq(publicKey: Peer.bob.key, data: [1])).first?[0] == 6)
        #expect(bench.contact(.bob) != nil)
    }

    @Test func `a bandwidth that the chip lacks is reported, and the old one stays on the air`() throws {
        var faithful = CompanionBench.knowing()
        let frame = SetRadioParams(frequency: 869_525, bandwidth: 100_000, spreadingFactor: 8, codingRate: 5)

        #expect(faithful.ask(frame) == Answer.ok)
        #expect(try Resp.SelfInfo(decoding: faithful.ask(AppStart())[0]).bandwidth == 100_000)
        #expect(faithful.radio.radioParameters.bandwidthHertz == 62_500)
        #expect(faithful.radio.radioParameters.frequencyKilohertz == 869_525)
    }

    @Test func `a message in delivery keeps its place in a full queue`() {
        var board = BoardProfile.vectors
        board.offlineQueueSize = 2
        var bench = CompanionBench.knowing(
            .bob, board: board, quirks: .all.removing(.messageLeavesBeforeDelivery))
        for number in 1...2 { bench.hear(Peer.bob.text("\(number)", at: UInt32(number), to: bench.key)) }

        let first = bench.nextMessage()
        bench.hear(Peer.bob.text("3", at: 3, to: bench.key))
        bench.send(AppStart())
        let messages = (0..<4).map { _ in bench.nextMessage() }

        #expect(messages[0] == first)
        #expect(messages.map { $0.last } == [UInt8(ascii: "1"), UInt8(ascii: "2"), 0x0A, 0x0A])
    }

    @Test func `requests side by side are bounded, and the oldest gives way`() {
        var bench = CompanionBench.knowing(.rep, quirks: .all.removing(.onePendingRequest))
        let tags = (0..<17).map { (number: Int) -> UInt32 in
            let tag = bench.sent(SendBinaryReq(publicKey: Peer.rep.key, request: [UInt8(number)]))?.tag
            _ = bench.airAfter()
            return tag ?? 0
        }

        #expect(Set(tags).count == 17)
        #expect(bench.hearing(Peer.rep.response(tags[0], [1], to: bench.key)) == [])
        for tag in tags[1...] {
            #expect(bench.hearing(Peer.rep.response(tag, [1], to: bench.key)).map { $0[0] } == [0x8C])
        }
    }
}
