import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

/// Over-the-air statements on texts, acknowledgements and paths.
@Suite struct AirTextTests {
    private let path = PathLength(hashSize: 1, hops: 2)
    private func vector(_ name: String) throws -> String { try RoutingVectors.hex(name) }

    // MARK: Sending

    @Test(
        .proves("OTA-060"),
        arguments: [(0, "txt_flood_hs1"), (1, "txt_flood_hs2"), (2, "txt_flood_hs3")] as [(UInt8, String)])
    func `flooded texts match the vectors in each hash size`(mode: UInt8, name: String) throws {
        var bench = CompanionBench.being(.alice, knowing: .vectorBob)
        bench.send(SetPathHashMode(mode: mode))

        let sent = try bench.mustWriteHello()

        #expect(Peer.bytes(sent.tag).hex == (try vector("txt_expected_ack")))
        #expect(bench.air(within: 100) == [try vector(name)])
    }

    @Test(
        .proves("OTA-060"),
        arguments: [
            ([], 1, "txt_direct_zero_hop"), ([0xCA, 0x6E], 1, "txt_direct_2hop_hs1"),
            ([0xCA, 0x93, 0x6E, 0x7A], 2, "txt_direct_2hop_hs2"),
        ] as [([UInt8], Int, String)])
    func `texts along a path match the vectors`(path: [UInt8], size: Int, name: String) throws {
        var bench = CompanionBench.being(.alice)
        bench.add(.vectorBob, path: PathLength(hashSize: size, hops: path.count / size), path)

        _ = bench.writeHello()

        #expect(bench.air(within: 100) == [try vector(name)])
    }

    @Test(.proves("OTA-061"), arguments: [1, 2, 3, 4, 5, 200] as [UInt8])
    func `attempts change the packet, and their acknowledgement by the lowest two bits`(attempt: UInt8) throws {
        var bench = CompanionBench.being(.alice, knowing: .vectorBob)

        let sent = try bench.mustWriteHello(attempt: attempt)

        #expect(Peer.bytes(sent.tag).hex == (try vector("txt_expected_ack_attempt\(attempt)")))
        #expect(bench.air(within: 100) == [try vector("txt_flood_attempt\(attempt)")])
    }

    @Test(
        .proves("OTA-062"),
        arguments: [(160, 0, true), (161, 0, false), (158, 4, true), (159, 4, false)] as [(Int, UInt8, Bool)])
    func `texts of 160 bytes go out, 158 with a high attempt, and longer ones are refused`(
        length: Int, attempt: UInt8, isSent: Bool
    ) throws {
        var bench = CompanionBench.being(.alice, knowing: .vectorBob)

        let answers = bench.writeHello(attempt: attempt, text: String(repeating: "x", count: length))

        #expect(answers.first?.first == (isSent ? ResponseCode.sent : .err).rawValue)
        let air = bench.air(within: 100)
        #expect(air.count == (isSent ? 1 : 0))
        if length == 160 { #expect(air == [try vector("txt_flood_160")]) }
    }

    @Test(.proves("OTA-070")) func `the app is told 5684 ms for a flood and 2694 ms for a neighbour`() throws {
        var bench = CompanionBench.being(.alice, knowing: .vectorBob)
        let flood = try bench.mustWriteHello()
        bench.add(.vectorBob, path: .empty)
        let direct = try bench.mustWriteHello()

        #expect([flood.timeout, direct.timeout] == [5684, 2694])
    }

    // MARK: Answering texts

    @Test(.proves("OTA-063"))
    func `a flooded text is answered after 200 ms by a flooded path with a 6-byte acknowledgement`() throws {
        var bench = CompanionBench.being(.bob, knowing: .vectorAlice)
        let text = try vector("txt_flood_hs1")
        try bench.hear(hex: "0902ca6e" + text.dropFirst(4))

        let air = bench.timedAir(within: 1000)

        #expect(air.map(\.at) == [200])
        let packet = try #require(air.first?.packet)
        #expect(packet.route == .flood && packet.type == .path && packet.hopCount == 0)
        let opened = try #require(Peer.vectorAlice.opened(packet.bytes, with: Peer.vectorBob.key))
        let recorded = try #require([UInt8](hex: try vector("dialog_bob_path_ack")))
        let wanted = try #require(Peer.vectorAlice.opened(recorded, with: Peer.vectorBob.key))
        // The sixth byte of the acknowledgement is random.
        #expect(opened.prefix(9) == wanted.prefix(9))
        #expect(opened.dropFirst(10) == wanted.dropFirst(10))
    }

    @Test(.proves("OTA-064"))
    func `a direct text is acknowledged by flood, or along the path, or along it twice`() throws {
        let text = try vector("txt_direct_zero_hop")
        var flooding = CompanionBench.being(.bob, knowing: .vectorAlice)
        var direct = CompanionBench.being(.bob)
        direct.add(.vectorAlice, path: path, [0x6E, 0xCA])
        var twice = direct
        twice.send(SetOtherParams(manualAdd: 0, telemetryModes: 0, advertLocationPolicy: 0, multiAcks: 1))

        try flooding.hear(hex: text)
        try direct.hear(hex: text)
        try twice.hear(hex: text)

        let flood = flooding.timedAir(within: 1000)
        #expect(flood.map(\.at) == [200])
        #expect(flood.map { $0.packet.bytes.prefix(6).hex } == ["0d00" + (try vector("txt_expected_ack"))])
        let along = direct.timedAir(within: 1000)
        #expect(along.map(\.at) == [200])
        #expect(along.map { $0.packet.bytes.prefix(8).hex } == ["0e026eca" + (try vector("txt_expected_ack"))])
        let both = twice.timedAir(within: 1000)
        #expect(both.map(\.at) == [200, 500])
        #expect(both.map(\.packet.type) == [.multipart, .ack])
        #expect(both.first?.packet.payloadByte(at: 0) == 0x13)
    }

    @Test(.proves("OTA-065")) func `a command is not acknowledged, and its path is returned by flood at once`() throws {
        var bench = CompanionBench.being(.bob, knowing: .vectorAlice)
        try bench.hear(hex: try vector("txt_cli_flood"))

        let air = bench.timedAir(within: 5000)

        #expect(air.count == 1 && (0...1).contains(air[0].at), "in the next pass")
        let packet = try #require(air.first?.packet)
        #expect(packet.isFlood && packet.type == .path)
        let opened = try #require(Peer.vectorAlice.opened(packet.bytes, with: Peer.vectorBob.key))
        #expect(opened.prefix(2) == [0x00, 0xFF], "no hops, and no extra")
    }

    @Test(.proves("OTA-066"))
    func `a signed text is acknowledged with four bytes made with the receiver's key`() throws {
        var bench = CompanionBench.being(.alice, knowing: .vectorBob)
        try bench.hear(hex: try vector("txt_signed_direct_zero"))

        #expect(bench.air(within: 1000) == ["0d00" + (try vector("txt_signed_ack"))])
    }

    // MARK: Paths

    @Test(.proves("OTA-067"))
    func `a flooded path is answered by a direct one after 500 ms, and a direct one by silence`() throws {
        var alice = CompanionBench.being(.alice, knowing: .vectorBob)
        let path = try vector("dialog_bob_path_ack")
        try alice.hear(hex: "21026eca" + path.dropFirst(4))

        let air = alice.timedAir(within: 2000)

        #expect(air.map(\.at) == [500])
        let packet = try #require(air.first?.packet)
        let recorded = try #require([UInt8](hex: try vector("dialog_alice_reciprocal")))
        let wanted = try PacketView(recorded)
        #expect(packet.header == wanted.header && packet.pathLength == wanted.pathLength && packet.path == wanted.path)
        let opened = try #require(Peer.vectorBob.opened(packet.bytes, with: Peer.vectorAlice.key))
        #expect(opened.prefix(4) == [0x02, 0x6E, 0xCA, 0xFF])
        var bob = CompanionBench.being(.bob, knowing: .vectorAlice)
        bob.hear([packet.header, 0] + packet.payload)
        #expect(bob.air(within: 10_000) == [])
        #expect(bob.contact(.vectorAlice)?.outPathLength == self.path)
    }

    @Test(.proves("OTA-068"))
    func `a flooded acknowledgement returns no path, a flooded response does after 3 s`() throws {
        var bench = CompanionBench.being(.alice)
        bench.add(.vectorBob, path: path, [0xCA, 0x6E])
        let sent = try bench.mustWriteHello()
        _ = bench.air(within: 100)

        let confirmed = bench.hearing(Peer.ack(sent.tag, .flood([0x6E, 0xCA])))
        #expect(confirmed.map { $0.first } == [PushCode.sendConfirmed.rawValue])
        #expect(bench.air(within: 10_000) == [])

        bench.hear(Peer.vectorBob.response(77, [1, 2], to: Peer.vectorAlice.key, .flood([0x6E, 0xCA])))
        let air = bench.timedAir(within: 4000)
        #expect(air.map(\.at) == [3000])
        let packet = try #require(air.first?.packet)
        #expect(packet.isDirect && packet.type == .path && packet.path == [0xCA, 0x6E])
        let opened = try #require(Peer.vectorBob.opened(packet.bytes, with: Peer.vectorAlice.key))
        #expect(opened.prefix(4) == [0x02, 0x6E, 0xCA, 0xFF])
    }

    @Test(.proves("OTA-069"), arguments: [0xC1, 0x7F] as [UInt8])
    func `a path of an impossible length changes nothing and goes on`(length: UInt8) {
        var bench = CompanionBench.being(.bob)
        bench.add(.vectorAlice, path: path, [0xCA, 0x6E])
        bench.forward()
        let frame = Peer.vectorAlice.pathReturn(
            PathLength(rawValue: length), [1], to: Peer.vectorBob.key, .flood([0x55]))

        bench.hear(frame)

        let air = bench.airAfter(milliseconds: 5000)
        #expect(air.map(\.hopCount) == [2], "sent on with one hop more")
        #expect(bench.contact(.vectorAlice)?.outPathLength == path)
    }

    // MARK: Whose it is

    @Test(.proves("OTA-014")) func `of two contacts that share a first byte the one whose secret fits has written`() {
        var bench = CompanionBench.being(.bob, knowing: .vectorAlice, .vectorCarol)
        bench.hear(Peer.vectorCarol.text("it is me", at: 7, to: Peer.vectorBob.key))

        let message = bench.nextMessage()

        #expect(Peer.vectorAlice.key[0] == Peer.vectorCarol.key[0])
        #expect(Array(message.dropFirst(4).prefix(6)) == Peer.vectorCarol.prefix)
    }

    @Test(.proves("OTA-033")) func `a forwarding companion keeps what is for it, and sends channel texts on`() throws {
        var bench = CompanionBench.being(.bob, knowing: .vectorAlice)
        bench.forward()

        try bench.hear(hex: try vector("txt_flood_hs1"))
        let own = bench.airAfter(milliseconds: 5000)
        #expect(own.map(\.type) == [.path])

        try bench.hear(hex: try vector("grp_txt_public"))
        let air = bench.airAfter(milliseconds: 5000)
        #expect(air.map(\.type) == [.grpTxt])
        #expect(air.map(\.hopCount) == [1])
        _ = bench.nextMessage()
        #expect(bench.nextMessage().first == ResponseCode.channelMsgRecvV3.rawValue)
    }
}
