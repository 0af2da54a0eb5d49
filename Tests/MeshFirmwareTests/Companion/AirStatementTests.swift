import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

/// CMP-180 to CMP-194 and CMP-213 to CMP-229: raw data, traces, the log of the air, adverts.
@Suite struct AirStatementTests {
    // MARK: Raw data, control, trace

    @Test(.proves("CMP-180", "CMP-181", "CMP-236")) func `raw data goes along its path, whose length counts twice`() {
        var bench = CompanionBench.knowing()
        #expect(bench.ask([0x19, 2, 0xAA, 0xBB, 1, 2, 3, 4]) == Answer.ok)
        #expect(bench.ask([0x19, 0xFF, 1, 2, 3, 4]) == Answer.unsupported)
        #expect(bench.ask([0x19, 2, 0xAA, 0xBB, 1, 2, 3]) == Answer.unsupported)
        let path = [UInt8](1...66)
        #expect(bench.ask([0x19, 0x42] + path + [0xDE, 0xAD, 0xBE, 0xEF]) == Answer.ok)

        #expect(
            bench.airAfter().map(\.bytes) == [
                [0x3E, 2, 0xAA, 0xBB, 1, 2, 3, 4], [0x3E, 0x42, 1, 2, 3, 4, 0xDE, 0xAD, 0xBE, 0xEF],
            ])
    }

    @Test(.proves("CMP-182", "CMP-183")) func `raw packets are reported when direct and not too long`() {
        var bench = CompanionBench.knowing()

        #expect(bench.hearing([0x3E, 0, 1, 2, 3], snr: 4, rssi: -80) == [[0x84, 0x10, 0xB0, 0xFF, 1, 2, 3]])
        #expect(bench.hearing([0x3D, 0, 1, 2, 4]) == [])
        let longest = [UInt8](repeating: 5, count: 172)
        #expect(bench.hearing([0x3E, 0] + longest).first?.count == 176)
        #expect(bench.hearing([0x3E, 0] + longest + [6]) == [])
        #expect(bench.hearing([0x2E, 0, 0x80] + longest) == [])
    }

    @Test(.proves("CMP-184", "CMP-185")) func `control data stays among neighbours`() {
        var bench = CompanionBench.knowing()
        #expect(bench.ask([0x37, 0x80, 6]) == Answer.ok)
        #expect(bench.ask([0x37, 0x7F]) == Answer.unsupported)

        #expect(bench.airAfter().map(\.bytes) == [[0x2E, 0, 0x80, 6]])
        #expect(bench.hearing([0x2E, 0, 0x92, 1]) == [[0x8E, 25, 0xA6, 0, 0x92, 1]])
        #expect(bench.hearing([0x2E, 0, 0x12, 1]) == [])
        #expect(bench.hearing([0x2E, 1, 0x55, 0x92, 1]) == [])
        #expect(bench.hearing([0x2D, 0, 0x92, 1]) == [])
    }

    @Test(.proves("CMP-188")) func `a trace at the end of its path is reported, whoever began it`() {
        var bench = CompanionBench.knowing()
        let head = Peer.bytes(0x0102_0304) + Peer.bytes(7)

        let frames = bench.hearing([0x26, 2, 0x28, 0x2C] + head + [1] + [0xAA, 0xAB, 0xBA, 0xBB], snr: 5)

        #expect(frames == [[0x89, 0, 4, 1] + head + [0xAA, 0xAB, 0xBA, 0xBB, 0x28, 0x2C, 20]])
    }

    @Test(.proves("CMP-191")) func `a raw packet of the lowest priority never leaves`() throws {
        var bench = CompanionBench.knowing()
        #expect(bench.ask([0x41, 0xFF, 0x11, 0, 0xAA]) == Answer.ok)

        #expect(bench.airAfter(milliseconds: 60_000).isEmpty)
        let stats = try Resp.Stats(decoding: bench.ask(GetStats(statsType: 0))[0])
        guard case .core(let core) = stats.content else { return }
        #expect(core.queueLength == 1)
    }

    @Test(.proves("CMP-192", "CMP-193")) func `everything heard is logged first, up to 173 bytes`() {
        var bench = CompanionBench.knowing()
        bench.hear([0xFF, 0xFF, 0xFF], snr: -20.25, rssi: -130)
        #expect(bench.takeFrames() == [[0x88, 0xAF, 0x7E, 0xFF, 0xFF, 0xFF]])
        bench.hear([0x3E, 0] + [UInt8](repeating: 1, count: 171))
        #expect(bench.takeFrames().map { $0[0] } == [0x88, 0x84])
        bench.hear([0x3E, 0] + [UInt8](repeating: 1, count: 172))
        #expect(bench.takeFrames().map { $0[0] } == [0x84])
    }

    @Test(.proves("CMP-194", "CMP-227")) func `what is heard without an app is not told later`() {
        var bench = CompanionBench.knowing()
        bench.disconnect()
        bench.hear(Peer.bob.advert(bench.time))
        bench.hear([0x3E, 0, 1, 2, 3])
        bench.hear([0x2E, 0, 0x92, 1])
        bench.connect()
        bench.wait(milliseconds: 1000)

        #expect(bench.takeFrames() == [])
        #expect(bench.listing() == [Peer.bob.key])
    }

    // MARK: Adverts

    @Test(.proves("CMP-213", "CMP-214", "CMP-216")) func `the way of adverts is remembered, of contacts and others`() {
        var bench = CompanionBench.knowing()
        bench.send(SetOtherParams(manualAdd: 1))
        bench.hear(Peer.bob.advert(bench.time, .flood([0x21, 0x22])))

        let path = bench.ask(GetAdvertPath(publicKey: Peer.bob.key))

        #expect(path == [[0x16] + Peer.bytes(bench.time) + [2, 0x21, 0x22]])
        #expect(bench.ask(GetAdvertPath(publicKey: Peer.eve.key)) == Answer.notFound)
        #expect(bench.ask(GetAdvertPath(publicKey: PublicKey())) == [[0x16, 0, 0, 0, 0, 0]])
    }

    @Test(.proves("CMP-215")) func `sixteen ways are remembered`() {
        var bench = CompanionBench.knowing()
        let others = (0..<17).map { Peer("N\($0)", seed: 0x40 + UInt8($0)) }
        for peer in others {
            bench.hear(peer.advert(bench.time))
            bench.wait(milliseconds: 1000)
        }

        #expect(bench.ask(GetAdvertPath(publicKey: others[0].key)) == Answer.notFound)
        #expect(bench.ask(GetAdvertPath(publicKey: others[1].key)).first?[0] == 0x16)
    }

    @Test(.proves("CMP-218", "CMP-219", "CMP-244"))
    func `newer adverts update a contact and older ones do not`() throws {
        var bench = CompanionBench.knowing()
        let place = AdvertData.Location(latitude: 52_520_008, longitude: -13_404_954)
        let key = Peer.bob.key
        let first = Peer.bob.advert(100, location: place)
        #expect(bench.hearing(first) == [Answer.push(.advert, key)])
        bench.wait(milliseconds: 5000)

        #expect(bench.hearing(Peer.bob.advert(100, name: "same time")) == [])
        #expect(bench.hearing(Peer.bob.advert(99, name: "older")) == [])
        #expect(bench.hearing(Peer.bob.advert(101, name: "newer")) == [Answer.push(.advert, key)])

        let contact = try bench.mustKnow(.bob)
        #expect(contact.name.text == "newer" && contact.lastAdvert == 101)
        #expect(contact.latitude == place.latitude && contact.longitude == place.longitude)
        #expect(contact.lastModified == CompanionBench.epoch + 5)
    }

    @Test(.proves("CMP-220", "CMP-221", "CMP-238")) func `manual mode adds the chosen types only`() {
        var bench = CompanionBench.knowing()
        bench.send(SetOtherParams(manualAdd: 0xFE))
        #expect(bench.hearing(Peer.eve.advert(1)).map { $0[0] } == [0x80])
        bench.send(SetOtherParams(manualAdd: 0xFF))
        bench.send(SetAutoaddConfig(config: 0x04))

        let unknown = Peer("X", type: NodeType(rawValue: 5), seed: 0x70)
        #expect(bench.hearing(Peer.bob.advert(1)).map { $0[0] } == [0x8A])
        #expect(bench.hearing(Peer.rep.advert(1)).map { $0[0] } == [0x80])
        #expect(bench.hearing(Peer.room.advert(1)).map { $0[0] } == [0x8A])
        #expect(bench.hearing(unknown.advert(1)).map { $0[0] } == [0x8A])
    }

    @Test(.proves("CMP-222")) func `adverts from too far are not added`() {
        var bench = CompanionBench.knowing()
        bench.send(SetAutoaddConfig(config: 0, maxHops: 2))

        #expect(bench.hearing(Peer.bob.advert(1, .flood([1, 2]))).map { $0[0] } == [0x8A])
        #expect(bench.hearing(Peer.rep.advert(1, .flood([1]))).map { $0[0] } == [0x80])
    }

    @Test(.proves("CMP-223", "CMP-224")) func `a full table says so, or gives one up`() {
        var board = BoardProfile.vectors
        board.maxContacts = 1
        var bench = CompanionBench.knowing(.bob, board: board)

        #expect(bench.hearing(Peer.eve.advert(1)).map { $0[0] } == [0x8A, 0x90])
        bench.send(SetAutoaddConfig(config: 1))
        #expect(
            bench.hearing(Peer.rep.advert(1))
                == [Answer.push(.contactDeleted, Peer.bob.key), Answer.push(.advert, Peer.rep.key)])
    }

    @Test(.proves("CMP-225", "CMP-229")) func `nameless, forged and own adverts are ignored`() {
        var bench = CompanionBench.knowing()
        var forged = Peer.bob.advert(1)
        forged[80] ^= 1
        let own = bench.ask(ExportContact(publicKey: nil))[0].dropFirst()

        #expect(bench.hearing(forged) == [])
        #expect(bench.hearing(Peer.bob.advert(2, name: "")) == [])
        #expect(bench.hearing(Array(own)) == [])
    }

    @Test(.proves("CMP-228")) func `a returned path replaces the stored one and is answered`() throws {
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
