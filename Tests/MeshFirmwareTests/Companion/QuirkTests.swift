import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshRadio
import MeshWire
import Testing

/// What each quirk of the companion changes when it is switched off.
@Suite struct QuirkTests {
    private func bench(without quirk: Quirk, _ peers: Peer...) -> CompanionBench {
        var bench = CompanionBench.knowing(quirks: .all.removing(quirk))
        for peer in peers { bench.add(peer) }
        bench.toApp = []
        return bench
    }

    @Test func `without residue short frames are refused`() {
        var bench = bench(without: .receiveBufferResidue)
        bench.send([8] + "reboot".utf8)

        #expect(bench.ask([0x13]) == Answer.unsupported)
        #expect(bench.ask([0x26]) == Answer.unsupported)
        #expect(bench.ask([0x1E, 1, 2]) == Answer.unsupported)
        #expect(bench.rebootCount == 0)
    }

    @Test func `without residue names are padded with zeros`() {
        var bench = bench(without: .transmitBufferResidue)
        bench.send(AppStart())

        #expect(bench.ask([0x1F, 1]) == [[0x12, 1] + [UInt8](repeating: 0, count: 48)])
    }

    @Test func `without hidden slots zero keys are unknown`() {
        var bench = bench(without: .hiddenContactSlots)

        #expect(bench.ask(GetContactByKey(publicKey: PublicKey())) == Answer.notFound)
        #expect(bench.ask(SendAnonReq(publicKey: Peer.bob.key, data: [1])).first?[0] == 6)
        #expect(bench.contact(.bob) != nil)
    }

    @Test func `without zero-key channels unused slots are no channels`() {
        var bench = bench(without: .zeroKeyChannels)

        #expect(bench.ask([3, 0, 5, 0, 0, 0, 0, 0x78]) == Answer.notFound)
        #expect(
            bench.hearing(Peer.group(.grpTxt, Peer.plaintext([0x78], at: 1), secret: SharedSecret(), hash: 0)) == [])
    }

    @Test func `without float conversions values come back as they were`() throws {
        var bench = bench(without: .floatConversions)
        bench.send(SetAdvertLatlon(latitude: 16_653_532, longitude: 0))
        bench.send(SetTuningParams(receiveDelay: 2041, airtimeFactor: 4082))

        #expect(try Resp.SelfInfo(decoding: bench.ask(AppStart())[0]).latitude == 16_653_532)
        #expect(bench.ask([0x2B]) == [[0x17] + Peer.bytes(2041) + Peer.bytes(4082)])
        #expect(bench.ask([0x27, 0, 0, 0]).first?.suffix(2) == [0x01, 0xA4])
    }

    @Test func `without padding answers end with their last byte`() {
        var bench = bench(without: .cipherBlockPadding, .rep)
        let tag = bench.sent(SendBinaryReq(publicKey: Peer.rep.key, request: [1]))?.tag ?? 0

        #expect(bench.hearing(Peer.rep.response(tag, [7], to: bench.key)) == [[0x8C, 0] + Peer.bytes(tag) + [7]])
    }

    @Test func `listings count, show and end as documented`() {
        var all = bench(without: .zeroLastmodNeverListed, .bob)
        all.add(.eve, lastModified: 0)
        all.toApp = []
        #expect(all.listing() == [Peer.bob.key, Peer.eve.key])

        var counted = bench(without: .unfilteredContactCount, .bob)
        #expect(counted.ask(GetContacts(since: CompanionBench.epoch)) == [[2, 0, 0, 0, 0]])

        var ended = bench(without: .zeroEndOfContacts, .bob)
        ended.send(GetContacts(since: 1_900_000_000))
        ended.wait(milliseconds: 10)
        #expect(ended.takeFrames().last == [4] + Peer.bytes(1_900_000_000))
    }

    @Test func `a discarded message is not announced`() {
        var board = BoardProfile.vectors
        board.offlineQueueSize = 0
        var bench = CompanionBench.knowing(.bob, board: board, quirks: .all.removing(.waitingForDiscarded))

        #expect(bench.hearing(Peer.bob.text("x", at: 1, to: bench.key)) == [])
    }

    @Test func `zero is no tag and no acknowledgement`() {
        var tags = bench(without: .zeroTagTelemetry, .rep)
        #expect(tags.hearing(Peer.rep.response(0, [1], to: tags.key)) == [])
        var acks = bench(without: .zeroAckConfirms)
        #expect(acks.hearing(Peer.ack(0)) == [])
        var faithful = CompanionBench.knowing()
        #expect(faithful.hearing(Peer.ack(0)).map { $0[0] } == [0x82])
    }

    @Test func `a status is matched by its tag`() {
        var bench = bench(without: .statusMatchedBySender, .rep)
        let tag = bench.sent(SendStatusReq(publicKey: Peer.rep.key))?.tag ?? 0

        #expect(bench.hearing(Peer.rep.response(tag &+ 1, [1], to: bench.key)) == [])
        #expect(bench.hearing(Peer.rep.response(tag, [1], to: bench.key)).map { $0[0] } == [0x87])
    }

    @Test func `errors have the documented names`() {
        var limit = bench(without: .channelDataLimitMismatch)
        #expect(limit.ask([0x3E, 0, 0xFF, 1, 0] + [UInt8](repeating: 1, count: 166)) == Answer.illegal)

        var pool = bench(without: .poolErrorNames, .bob)
        pool.status = RadioStatus(isReceiving: true)
        for number in 0..<17 { pool.sendText("\(number)", to: .bob) }
        #expect(pool.ask([3, 0, 0, 0, 0, 0, 0, 0x78]) == Answer.tableFull)
        #expect(pool.ask(ImportContact(packet: Peer.eve.advert(1))) == Answer.tableFull)
    }

    @Test func `an impossible path counts as none`() {
        var bench = bench(without: .invalidPathSent)
        bench.add(.bob, path: PathLength(rawValue: 0xC1))

        bench.sendText("x", to: .bob)

        #expect(bench.airAfter().map(\.route) == [.flood])
    }

    @Test func `the clock goes forward only`() {
        var bench = bench(without: .clockFromContacts)
        bench.add(.bob, lastModified: 1_000_000)
        bench.wait(milliseconds: 6000)

        bench.reboot(keepingRTC: true)

        #expect(bench.time >= CompanionBench.epoch)
    }

    @Test func `a flooded acknowledgement is answered with the path`() {
        var bench = bench(without: .noPathRetryOnAck)
        bench.add(.bob, path: PathLength(hashSize: 1, hops: 1), [0x55])
        let ack = bench.sendText("x", to: .bob)
        _ = bench.airAfter()

        bench.hear(Peer.ack(ack, .flood([0x66])))

        #expect(bench.airAfter(milliseconds: 4000).map(\.type) == [.path])
    }

    @Test func `only bandwidths that the chip has are accepted`() throws {
        var strict = bench(without: .unsupportedBandwidthAccepted)
        let frame = SetRadioParams(frequency: 869_525, bandwidth: 100_000, spreadingFactor: 8, codingRate: 5)
        #expect(strict.ask(frame) == Answer.illegal)

        var faithful = CompanionBench.knowing()
        #expect(faithful.ask(frame) == Answer.ok)
        #expect(try Resp.SelfInfo(decoding: faithful.ask(AppStart())[0]).bandwidth == 100_000)
        #expect(faithful.radio.radioParameters.bandwidthHertz == 62_500)
        #expect(faithful.radio.radioParameters.frequencyKilohertz == 869_525)
    }

    @Test func `small oddities end one by one`() {
        var reset = bench(without: .resetPathKeepsLastmod, .bob)
        reset.send(ResetPath(publicKey: Peer.bob.key))
        #expect(reset.contact(.bob)?.lastModified == CompanionBench.epoch)

        var long = bench(without: .overlongReplyLost)
        let name = "Bob of the long name"
        long.hear(Peer.bob.advert(1, name: name, .flood([UInt8](repeating: 0x77, count: 63))))
        #expect(long.ask(ExportContact(publicKey: Peer.bob.key)) == Answer.notFound)

        var raw = bench(without: .literalRawPath)
        #expect(raw.ask([0x19, 0x42, 1, 2, 3, 4] + "data".utf8) == Answer.ok)
        #expect(raw.airAfter().map(\.bytes) == [[0x3E, 0x42, 1, 2, 3, 4] + "data".utf8])

        var stuck = bench(without: .lowestPriorityStuck)
        stuck.send([0x41, 0xFF, 0x11, 0, 0xAA])
        #expect(stuck.airAfter().count == 1)
    }
}
