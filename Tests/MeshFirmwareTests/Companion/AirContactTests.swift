import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

/// Over-the-air statements on adverts, contacts, channels, logins and scopes.
@Suite struct AirContactTests {
    private func vector(_ name: String) throws -> String { try RoutingVectors.hex(name) }

    // MARK: Adverts

    @Test(.proves("OTA-075")) func `the companion's own adverts match the vectors`() throws {
        var bench = CompanionBench.being(.alice)
        bench.send(SetAdvertName(name: "Alice"))
        bench.send(SendSelfAdvert(type: 1))
        #expect(bench.air(within: 2000) == [try vector("advert_flood_chat_noloc")])

        var placed = CompanionBench.being(.alice)
        placed.send(SetAdvertName(name: "Alice"))
        placed.send(SetAdvertLatlon(latitude: 52_520_008, longitude: 13_404_954))
        placed.send(SetOtherParams(manualAdd: 0, telemetryModes: 0, advertLocationPolicy: 1))
        placed.send(SendSelfAdvert(type: nil))
        // Floats in the settings keep some seven digits; these two survive them.
        #expect(placed.air(within: 2000) == [try vector("advert_zerohop_chat_loc")])
    }

    @Test(.proves("OTA-075")) func `a name that does not fit is cut before the character that does not`() throws {
        var bench = CompanionBench.being(.alice)
        bench.send(SetAdvertName(name: "0123456789012345678901234567é"))
        bench.send(SendSelfAdvert(type: nil))

        let packet = try #require(bench.airAfter(milliseconds: 2000).first)

        #expect(packet.bytes.hex == (try vector("advert_zerohop_utf8_trunc")))
    }

    @Test(.proves("OTA-076")) func `an advert that is not newer changes nothing`() {
        var bench = CompanionBench.being(.bob)
        bench.hear(Peer.vectorAlice.advert(CompanionBench.vectorTime, name: "Alice"))
        let before = bench.contact(.vectorAlice)

        bench.hear(Peer.vectorAlice.advert(CompanionBench.vectorTime, name: "Malice"))
        bench.hear(Peer.vectorAlice.advert(CompanionBench.vectorTime - 1, name: "Older"))

        #expect(before?.name == FixedBytes(text: "Alice"))
        #expect(bench.contact(.vectorAlice) == before)
    }

    @Test(.proves("OTA-077")) func `of forty bytes of data the first 32 are verified and all are sent on`() throws {
        let identity = LocalIdentity.named(.alice)
        let data: [UInt8] = [0x81] + [UInt8](repeating: 0x61, count: 39)
        func advert(signing count: Int) -> [UInt8] {
            let head = identity.publicKey.array + Peer.bytes(9)
            return [0x11, 0] + head + identity.sign(head + data.prefix(count)).array + data
        }
        var bench = CompanionBench.being(.bob)
        bench.forward()

        bench.hear(advert(signing: 40))
        #expect(bench.airAfter(milliseconds: 5000) == [])
        #expect(bench.contact(.vectorAlice) == nil)
        var fresh = CompanionBench.being(.bob)
        fresh.forward()
        fresh.hear(advert(signing: 32))
        #expect(fresh.airAfter(milliseconds: 5000).map(\.payloadCount) == [140])
        #expect(fresh.contact(.vectorAlice) != nil)
    }

    @Test(.proves("OTA-078"), arguments: [[0x03], [0x83], []] as [[UInt8]])
    func `a nameless advert makes no contact and is sent on`(data: [UInt8]) {
        let identity = LocalIdentity.named(.alice)
        let head = identity.publicKey.array + Peer.bytes(9)
        var bench = CompanionBench.being(.bob)
        bench.forward()

        bench.hear([0x11, 0] + head + identity.sign(head + data).array + data)

        #expect(bench.airAfter(milliseconds: 5000).map(\.type) == [.advert])
        #expect(bench.contact(.vectorAlice) == nil)
    }

    @Test(.proves("OTA-079")) func `a shared contact goes to the neighbours with codes of zero`() {
        var bench = CompanionBench.being(.bob)
        bench.hear(Peer.vectorRepeater.advert(9, .flood([1, 2])))
        bench.toApp = []

        #expect(bench.ask(ShareContact(publicKey: Peer.vectorRepeater.key)) == Answer.ok)

        let air = bench.airAfter()
        #expect(air.map { $0.bytes.prefix(6).hex } == ["130000000000"])
        #expect(air.allSatisfy { $0.hasValidAdvertSignature })
        // What a repeater's list of neighbours has to leave out: the mark is there to be seen.
        #expect(air.allSatisfy { $0.transportCodes == TransportCodes(region: 0) && $0.hopCount == 0 })
    }

    @Test(.proves("OTA-080")) func `a full table gives up the oldest contact that is no favourite`() {
        var board = BoardProfile.vectors
        board.maxContacts = 4
        var bench = CompanionBench.being(.bob, board: board)
        bench.send(SetAutoaddConfig(config: 1))
        let peers = (0..<4).map { Peer("p\($0)", seed: UInt8(0x40 + $0)) }
        for (index, peer) in peers.enumerated() {
            bench.add(peer, flags: index == 0 ? 1 : 0, lastModified: UInt32(100 + index))
        }

        bench.hear(Peer.vectorAlice.advert(9))

        #expect(bench.contact(peers[0]) != nil, "a favourite, though the oldest")
        #expect(bench.contact(peers[1]) == nil)
        #expect([peers[2], peers[3], .vectorAlice].allSatisfy { bench.contact($0) != nil })
    }

    // MARK: Channels

    @Test(.proves("OTA-085"))
    func `channel texts match the vectors, and are cut at 160 bytes with the sender's name`() throws {
        var bench = CompanionBench.being(.alice)
        bench.send(SetAdvertName(name: "Alice"))
        func write(_ text: String) {
            bench.send(
                SendChannelTxtMsg(
                    textType: .plain, channelIndex: 0, timestamp: CompanionBench.vectorTime, text: ByteText(text)))
        }

        write("hi all")
        #expect(bench.air(within: 100) == [try vector("grp_txt_public")])
        write(String(repeating: "z", count: 160))
        #expect(bench.air(within: 100) == [try vector("grp_txt_public_trunc")])
        bench.send(SendChannelData(channelIndex: 0, path: [], dataType: 0xFF00, payload: [1, 2, 3, 4, 5]))
        #expect(bench.air(within: 100) == [try vector("grp_data_public_flood")])
    }

    @Test(.proves("OTA-086"))
    func `channel texts of another type and data beyond its end are dropped, and sent on`() throws {
        let key = try #require([UInt8](hex: "8b3387e9c5cdea6ac9e5edbaa115cd72"))
        let secret = SharedSecret(key)
        var bench = CompanionBench.being(.bob)
        bench.forward()

        let heard = [
            bench.hearing(Peer.group(.grpTxt, Peer.bytes(9) + [4] + [UInt8]("x: odd".utf8), secret: secret)),
            bench.hearing(Peer.group(.grpData, [0x00, 0xFF, 20, 1, 2, 3], secret: secret)),
        ]

        #expect(heard == [[], []])
        #expect(bench.airAfter(milliseconds: 5000).count == 2)
        #expect(bench.nextMessage() == [ResponseCode.noMoreMessages.rawValue])
        #expect(bench.hearing(Peer.channelText("x: even", at: 9, secret: secret)) == Answer.waiting)
    }

    // MARK: Logins and scopes

    @Test(
        .proves("OTA-087"),
        arguments: [
            ("password", "login_repeater_flood"), ("", "login_repeater_blank_flood"),
            ("0123456789abcdefXYZ", "login_repeater_long_flood"),
        ])
    func `logins at a repeater match the vectors, passwords cut to 15 bytes`(word: String, name: String) throws {
        var bench = CompanionBench.being(.alice, knowing: .vectorRepeater)
        bench.withRadio { $0.setClock(1_700_000_100) }

        bench.send(SendLogin(publicKey: Peer.vectorRepeater.key, password: ByteText(word)))

        #expect(bench.air(within: 100) == [try vector(name)])
    }

    @Test(.proves("OTA-087")) func `a login at a room says since when posts are missing`() throws {
        var bench = CompanionBench.being(.alice, knowing: .vectorRoom)
        let post = Peer.plaintext([1, 2, 3, 4] + [UInt8]("post".utf8), type: .signedPlain, at: 1_699_741_696)
        bench.hear(Peer.vectorRoom.datagram(.txtMsg, post, to: Peer.vectorAlice.key))
        _ = bench.air(within: 1000)
        bench.withRadio { $0.setClock(1_700_000_100) }

        bench.send(SendLogin(publicKey: Peer.vectorRoom.key, password: "hello"))

        #expect(bench.air(within: 100) == [try vector("login_room_flood")])
    }

    @Test(.proves("OTA-090")) func `replies carry the companion's own hash size and scope`() throws {
        let key = try #require(FixedBytes<16>(hex: try vector("region_key_hash_europe")))
        var bench = CompanionBench.being(.bob, knowing: .vectorAlice)
        bench.send(SetPathHashMode(mode: 1))
        bench.send(SetDefaultFloodScope(scope: FloodScope(name: FixedBytes(text: "europe"), key: key)))

        try bench.hear(hex: try vector("txt_flood_hs1"))

        let packet = try #require(bench.airAfter().first)
        #expect(packet.type == .path && packet.route == .transportFlood)
        #expect(packet.pathLength.rawValue == 0x40)
        #expect(packet.transportCodes == TransportCodes(region: packet.transportCode(for: key)))
    }
}
