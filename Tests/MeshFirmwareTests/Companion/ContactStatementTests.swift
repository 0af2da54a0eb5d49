import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

/// Those of CMP-083 to CMP-113, about contacts, that need the air, flash or the inside of the table.
@Suite struct ContactStatementTests {
    private static let zeroKey = PublicKey()

    @Test(.proves("CMP-094")) func `removing a listed contact makes a listing skip the next one`() {
        let others = (1...4).map { Peer("N\($0)", seed: 0x20 + UInt8($0)) }
        var bench = CompanionBench.knowing()
        for peer in others { bench.add(peer) }
        bench.toApp = []

        bench.send(GetContacts())
        bench.wait(milliseconds: 1)
        bench.send(RemoveContact(publicKey: others[0].key))
        bench.wait(milliseconds: 10)

        let listed = bench.takeFrames().compactMap { try? Resp.Contact(decoding: $0).record.publicKey }
        #expect(listed == [others[0], others[2], others[3]].map(\.key))
    }

    @Test(.proves("CMP-096")) func `a full table gives up its oldest contact that is no favourite, in place`() {
        var board = BoardProfile.vectors
        board.maxContacts = 3
        var bench = CompanionBench.knowing(board: board)
        bench.add(.bob, flags: 1, lastModified: 1)
        bench.add(.rep, lastModified: 3)
        bench.add(.room, lastModified: 2)
        bench.send(SetAutoaddConfig(config: 1))
        bench.toApp = []

        bench.add(.eve)

        #expect(bench.takeFrames() == [Answer.push(.contactDeleted, Peer.room.key), [0]])
        #expect(bench.listing() == [Peer.bob, .rep, .eve].map(\.key))
    }

    @Test(.proves("CMP-097")) func `a table of favourites stays as it is`() {
        var board = BoardProfile.vectors
        board.maxContacts = 1
        var bench = CompanionBench.knowing(board: board)
        bench.add(.bob, flags: 1)
        bench.send(SetAutoaddConfig(config: 1))
        bench.toApp = []

        bench.add(.eve)

        #expect(bench.takeFrames() == Answer.tableFull)
    }

    @Test(.proves("CMP-101")) func `an all-zero key finds a hidden slot`() {
        var bench = CompanionBench.knowing(.bob)

        let frames = bench.ask(GetContactByKey(publicKey: Self.zeroKey))

        #expect(frames == [[3] + [UInt8](repeating: 0, count: 147)])
    }

    @Test(.proves("CMP-102")) func `contacts are written five seconds after the last change`() {
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

    @Test(.proves("CMP-103")) func `REBOOT writes pending contacts first and is not answered`() {
        var bench = CompanionBench.knowing(.bob)

        let frames = bench.ask(Reboot())
        #expect(frames == [])
        #expect(bench.isClosed && bench.rebootCount == 1)
        bench.reboot()

        #expect(bench.listing() == [Peer.bob.key])
    }

    @Test(.proves("CMP-104")) func `a new contact of type 0 is found by its key and otherwise hidden`() {
        var bench = CompanionBench.knowing()
        bench.add(.bob, type: NodeType.none)
        #expect(bench.takeFrames() == Answer.ok)

        #expect(bench.contact(.bob)?.publicKey == Peer.bob.key)
        #expect(bench.listing() == [])
        bench.wait(milliseconds: 6000)
        bench.reboot()

        #expect(bench.ask(GetContactByKey(publicKey: Peer.bob.key)) == Answer.notFound)
    }

    @Test(.proves("CMP-105", "CMP-106")) func `an import is answered at once and takes effect like a heard advert`() {
        var bench = CompanionBench.knowing()
        let advert = Peer.bob.advert(bench.time)

        let first = bench.ask(ImportContact(packet: advert))
        bench.wait(milliseconds: 10)
        let pushes = bench.takeFrames()
        let again = bench.ask(ImportContact(packet: advert))
        bench.wait(milliseconds: 10)

        #expect(first == Answer.ok)
        #expect(pushes == [Answer.push(.advert, Peer.bob.key)])
        #expect(again == Answer.ok)
        #expect(bench.takeFrames() == [])
        #expect(bench.airAfter().isEmpty)
    }

    @Test(.proves("CMP-106")) func `imports of forged, nameless and own adverts are answered OK and nothing more`() {
        var bench = CompanionBench.knowing()
        var forged = Peer.bob.advert(bench.time)
        forged[60] ^= 1
        let own = Array(bench.ask(ExportContact(publicKey: nil))[0].dropFirst())

        for packet in [forged, Peer.bob.advert(bench.time, name: ""), own] {
            #expect(bench.ask(ImportContact(packet: packet)) == Answer.ok)
            bench.wait(milliseconds: 10)
            #expect(bench.takeFrames() == [])
        }
    }

    @Test(.proves("CMP-108")) func `in manual mode an import is only reported`() throws {
        var bench = CompanionBench.knowing()
        bench.send(SetOtherParams(manualAdd: 1))

        bench.send(ImportContact(packet: Peer.bob.advert(bench.time)))
        bench.toApp = []
        bench.wait(milliseconds: 10)

        let record = try Push.NewAdvert(decoding: bench.takeFrames()[0]).record
        #expect(record.publicKey == Peer.bob.key && record.outPathLength == .unknown)
        #expect(bench.ask(GetContactByKey(publicKey: Peer.bob.key)) == Answer.notFound)
    }

    @Test(.proves("CMP-110", "CMP-111"))
    func `a stored advert is exported with its path and shared without hops`() throws {
        var bench = CompanionBench.knowing()
        bench.add(.rep)
        let advert = Peer.bob.advert(bench.time, .flood([0xAA, 0xBB]))
        bench.hear(advert)

        #expect(bench.ask(ExportContact(publicKey: Peer.bob.key)) == [[11] + advert])
        #expect(bench.ask(ExportContact(publicKey: Peer.rep.key)) == Answer.notFound)
        #expect(bench.ask(ExportContact(publicKey: Peer.eve.key)) == Answer.notFound)
        #expect(bench.ask(ShareContact(publicKey: Peer.bob.key)) == Answer.ok)
        #expect(bench.ask(ShareContact(publicKey: Peer.rep.key)) == Answer.tableFull)
        #expect(bench.ask(ShareContact(publicKey: Peer.eve.key)) == Answer.notFound)

        let shared = try #require(bench.airAfter().last)
        #expect(shared.route == .transportDirect && shared.transportCodes == .zero && shared.hopCount == 0)
        #expect(shared.payload == Array(advert.dropFirst(4)))
    }

    @Test(.proves("CMP-198")) func `a new identity brings the contacts back as they are stored`() {
        var bench = CompanionBench.knowing(.bob)
        bench.wait(milliseconds: 6000)
        bench.add(.eve)

        #expect(bench.ask(ImportPrivateKey(privateKey: Peer.room.identity.privateKey)) == Answer.ok)

        #expect(bench.key == Peer.room.key)
        #expect(bench.listing() == [Peer.bob.key])
    }

    @Test(.proves("CMP-197", "CMP-206"))
    func `failing flash refuses an identity and survives a factory reset in silence`() {
        var bench = CompanionBench.knowing()
        let before = bench.key
        bench.withRadio { $0.setFlashFaults(write: true, format: true) }

        #expect(bench.ask(ImportPrivateKey(privateKey: Peer.room.identity.privateKey)) == Answer.fileError)
        #expect(bench.key == before)
        #expect(bench.ask(FactoryReset()) == [])
        bench.wait(milliseconds: 5000)

        #expect(bench.rebootCount == 0 && bench.isClosed)
        #expect(bench.ask(GetDeviceTime()) == [])
    }

    @Test(.proves("CMP-226")) func `an advert makes a contact of a transient node`() {
        var bench = CompanionBench.knowing()
        bench.send(SendAnonReq(publicKey: Peer.bob.key, data: [1, 0]))
        #expect(bench.listing() == [])

        #expect(bench.hearing(Peer.bob.advert(bench.time)) == [Answer.push(.advert, Peer.bob.key)])

        #expect(bench.listing() == [Peer.bob.key])
        #expect(bench.contact(.bob)?.outPathLength == .unknown)
    }

    @Test(.proves("CMP-231")) func `an impossible path is sent along to nobody`() {
        var bench = CompanionBench.knowing()
        bench.add(.bob, path: PathLength(rawValue: 0xC1))

        let sent = bench.sent(
            SendTxtMsg(
                textType: .plain, attempt: 0, timestamp: 1, publicKeyPrefix: FixedBytes(Peer.bob.prefix), text: "hi"))

        #expect(sent?.route == 0 && sent?.tag != 0)
        #expect(bench.airAfter().isEmpty)
    }

    @Test(.proves("CMP-232")) func `a stored advert that fits no frame is exported as silence`() {
        var bench = CompanionBench.knowing()
        let name = "Bob of the long name"
        bench.hear(Peer.bob.advert(bench.time, name: name, .flood([UInt8](repeating: 0x77, count: 63))))
        #expect(bench.contact(.bob) != nil)

        #expect(bench.ask(ExportContact(publicKey: Peer.bob.key)) == [])
    }

    @Test(.proves("CMP-233")) func `a contact changed to type 0 is listed until the next boot`() {
        var bench = CompanionBench.knowing(.bob)
        bench.add(.bob, type: NodeType.none)
        bench.toApp = []
        #expect(bench.listing() == [Peer.bob.key])

        bench.wait(milliseconds: 6000)
        bench.reboot()

        #expect(bench.listing() == [])
    }

    @Test(.proves("CMP-234")) func `removing an all-zero key hides the first listed contact`() {
        var bench = CompanionBench.knowing(.bob, .eve)

        #expect(bench.ask(RemoveContact(publicKey: Self.zeroKey)) == Answer.ok)

        #expect(bench.ask(GetContacts()).first == [2, 1, 0, 0, 0])
        bench.wait(milliseconds: 100)
        bench.toApp = []
        #expect(bench.listing() == [Peer.eve.key])
        #expect(bench.contact(.bob)?.publicKey == Peer.bob.key)
    }

    @Test(.proves("CMP-242")) func `a contact whose last change is 0 is counted and never listed`() {
        var bench = CompanionBench.knowing(.bob)
        bench.add(.eve, lastModified: 0)
        bench.toApp = []

        bench.send(GetContacts())
        #expect(bench.takeFrames() == [[2, 2, 0, 0, 0]])
        bench.wait(milliseconds: 100)

        let frames = bench.takeFrames()
        #expect(frames.map { $0[0] } == [3, 4])
    }

    @Test func `lastmod is taken only together with a position`() {
        var bench = CompanionBench.knowing()
        let frame = AddUpdateContact(
            publicKey: Peer.bob.key, type: .chat, flags: 0, outPath: FixedBytes(), name: FixedBytes(), lastAdvert: 0)

        #expect(bench.ask(frame.encoded() + [7, 0, 0, 0]) == Answer.ok)

        #expect(bench.contact(.bob)?.lastModified == bench.time)
    }
}
