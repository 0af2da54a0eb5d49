import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

/// Details of contacts that are sharper than the statements of the suite: instants, restarts, the inside of the
/// table.
@Suite struct ContactStatementTests {
    @Test func `contacts are written five seconds after the last change`() {
        var early = CompanionBench.knowing(.bob)
        early.wait(milliseconds: 4000)
        early.add(.eve)
        early.wait(milliseconds: 4999)
        #expect(early.radio.flash["/contacts3"] == nil)
        var late = early
        late.wait(milliseconds: 2)

        early.reboot()
        late.reboot()

        #expect(early.listing() == [])
        #expect(late.listing() == [Peer.bob, .eve].map(\.key))
    }

    @Test func `a new contact of type 0 is found by its key and otherwise hidden`() {
        var bench = CompanionBench.knowing()
        bench.add(.bob, type: NodeType.none)
        #expect(bench.takeFrames() == Answer.ok)

        #expect(bench.contact(.bob)?.publicKey == Peer.bob.key)
        #expect(bench.listing() == [])
        bench.wait(milliseconds: 6000)
        bench.reboot()

        #expect(bench.ask(GetContactByKey(publicKey: Peer.bob.key)) == Answer.notFound)
    }

    @Test func `an advert makes a contact of a transient node`() {
        var bench = CompanionBench.knowing()
        bench.send(SendAnonReq(publicKey: Peer.bob.key, data: [1, 0]))
        #expect(bench.listing() == [])

        #expect(bench.hearing(Peer.bob.advert(bench.time)) == [Answer.push(.advert, Peer.bob.key)])

        #expect(bench.listing() == [Peer.bob.key])
        #expect(bench.contact(.bob)?.outPathLength == .unknown)
    }

    @Test func `lastmod is taken only together with a position`() {
        var bench = CompanionBench.knowing()
        let frame = AddUpdateContact(
            publicKey: Peer.bob.key, type: .chat, flags: 0, outPath: FixedBytes(), name: FixedBytes(), lastAdvert: 0)

        #expect(bench.ask(frame.encoded() + [7, 0, 0, 0]) == Answer.ok)

        #expect(bench.contact(.bob)?.lastModified == bench.time)
    }

    @Test func `a returned path replaces the stored one and is answered`() throws {
        var bench = CompanionBench.knowing()
        bench.add(.bob, path: PathLength(hashSize: 1, hops: 3), [1, 2, 3])
        bench.wait(milliseconds: 2000)
        bench.toApp = []

        let frames = bench.hearing(
            Peer.bob.pathReturn(.empty, [], to: bench.key, .flood([0x77])))

        #expect(frames == [Answer.push(.pathUpdated, Peer.bob.key)])
        let contact = try bench.mustKnow(.bob)
        #expect(contact.outPathLength == .empty && contact.outPath.starts(with: [1, 2, 3]))
        #expect(contact.lastModified == CompanionBench.epoch + 2)
        #expect(bench.airAfter().map(\.type) == [.path])
    }
}
