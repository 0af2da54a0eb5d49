import MeshCompanion
import MeshCrypto
import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

@testable import MeshFirmware

@Suite struct ReceptionTests {
    /// Bob knows Alice and forwards.
    private func bob() -> Bench<TestNode> {
        var bench = Bench(TestNode(.named(.bob)))
        bench.node.peers = [.named(.alice)]
        return bench
    }

    @Test(.proves("OTA-013")) func `a packet that no candidate's MAC fits is sent on by its addressee`() throws {
        var bench = bob()
        let last = try RoutingVectors.hex("txt_flood_hs1").dropLast(2)

        try bench.hear(last + "a6")
        bench.settle()

        #expect(bench.node.log.isEmpty)
        #expect(bench.frames == ["090181" + last.dropFirst(4) + "a6"])
    }

    @Test(.proves("OTA-014")) func `of two peers with one hash the one whose secret fits has sent the packet`() throws {
        var bench = bob()
        bench.node.peers = [.named(.carol), .named(.alice)]

        try bench.hear(try RoutingVectors.hex("txt_flood_hs1"))

        #expect(bench.node.log == ["TXT_MSG from 1"])
    }

    @Test(.proves("OTA-033")) func `what was opened is not sent on, except on channels`() throws {
        var bench = bob()
        bench.node.channels = [
            SharedSecret(channel: try #require(ChannelKey(hex: "8b3387e9c5cdea6ac9e5edbaa115cd72")))
        ]

        try bench.hear(try RoutingVectors.hex("txt_flood_hs1"))
        try bench.hear(try RoutingVectors.hex("grp_txt_public"))
        bench.settle()

        #expect(bench.node.log == ["TXT_MSG from 0", "GRP_TXT on 0"])
        #expect(bench.frames.count == 1 && bench.frames.first?.hasPrefix("150181") == true)
        #expect(bench.drops.isEmpty)
    }

    @Test func `a login is opened with the key that it carries`() throws {
        var bench = Bench(TestNode())

        try bench.hear(try RoutingVectors.hex("login_repeater_flood"))
        bench.settle()

        #expect(bench.node.log == ["ANON_REQ"])
        #expect(bench.sent.isEmpty)
    }

    @Test func `a path that came by flood is answered along itself after half a second`() throws {
        var alice = Bench(TestNode(.named(.alice)))
        alice.node.peers = [.named(.bob)]

        try alice.hear("2102" + "6eca" + RoutingVectors.hex("dialog_bob_path_ack").dropFirst(4))
        alice.settle()
        var bob = bob()
        try bob.hear("2200" + (alice.frames.first ?? "").dropFirst(8))
        bob.settle()

        #expect(alice.node.log == ["PATH ca6e extra 3 from 0"])
        #expect(alice.sent.map(\.at) == [500])
        #expect(alice.frames.first?.hasPrefix("2202ca6e818a") == true)
        #expect(bob.node.log == ["PATH 6eca extra 15 from 0"])
        #expect(bob.sent.isEmpty)
    }

    @Test(.proves("OTA-069"), arguments: ["c1", "7f"])
    func `a returned path with an invalid length counts as foreign`(length: String) throws {
        var bench = bob()
        let alice = LocalIdentity.named(.alice)
        let secret = alice.sharedSecret(with: bench.node.core.publicKey)
        let plaintext = try #require([UInt8](hex: length + "ca6e0311223344"))
        let payload = [bench.node.core.publicKey[0], alice.publicKey[0]] + Sealing.seal(plaintext, secret: secret)

        try bench.hear([0x21, 0x00] + payload)
        bench.settle()

        #expect(bench.node.log.isEmpty)
        #expect(bench.frames.count == 1)
    }

    @Test(.proves("OTA-077"), arguments: [(32, true), (40, false)])
    func `an advert is verified over 32 bytes of data and sent on whole`(signed: Int, isGood: Bool) throws {
        var bench = Bench(TestNode())
        let alice = LocalIdentity.named(.alice)
        let data = [UInt8](repeating: 0x41, count: 40)
        let head = alice.publicKey.array + [0, 0xF1, 0x53, 0x65]
        let signature = alice.sign(head + data.prefix(signed)).array

        try bench.hear([0x11, 0x00] + head + signature + data)
        bench.settle()

        #expect(bench.node.log == (isGood ? ["ADVERT 138 32"] : []))
        #expect(bench.frames.map { $0.utf8.count / 2 } == (isGood ? [3 + 100 + 40] : []))
        #expect(bench.drops == (isGood ? [] : [.badSignature]))
    }

    @Test func `a node does not take its own advert for another's`() throws {
        var bench = Bench(TestNode(.named(.alice)))

        try bench.hear(try RoutingVectors.hex("advert_flood_chat_noloc"))
        try bench.hear(try RoutingVectors.hex("advert_flood_chat_noloc"))

        #expect(bench.drops == [.ownAdvert, .ownAdvert])
        #expect(bench.node.core.seen.floodDuplicates == 0)
    }

    @Test func `raw bytes are delivered to the end of a direct route only`() throws {
        var bench = Bench(TestNode())

        try bench.hear("3e00deadbeef")
        try bench.hear("3e00deadbeef")
        try bench.hear("3d00deadbeee")
        bench.settle()

        #expect(bench.node.log == ["RAW"])
        #expect(bench.drops == [.alreadySeen, .ignoredType])
        #expect(bench.sent.isEmpty)
    }

    @Test func `payloads too short for their type are ignored and not remembered`() throws {
        var bench = Bench(TestNode())

        for frame in [
            "0d00112233", "0100818a1122", "0900818a", "1d00" + String(repeating: "ca", count: 35), "15001122",
        ] {
            try bench.hear(frame)
            try bench.hear(frame)
        }
        bench.settle()

        #expect(bench.sent.isEmpty)
        #expect(bench.drops == [DropReason](repeating: .tooShort, count: 10))
    }
}

@Suite struct DuplicateTests {
    static let text = FramingTests.text

    @Test(.proves("OTA-020")) func `a second copy is ignored whatever its route and hash size`() throws {
        var bench = Bench(TestNode())

        try bench.hear("0900" + Self.text)
        try bench.hear("0940" + Self.text)
        try bench.hear("0811223344" + "00" + Self.text)
        try bench.hear("0a01ca" + Self.text)
        bench.settle()

        #expect(bench.frames.count == 1)
        #expect(bench.drops == [.alreadySeen, .alreadySeen, .alreadySeen])
    }

    @Test(.proves("OTA-021")) func `the table holds 160 packets and forgets the oldest`() throws {
        var bench = Bench(TestNode())
        func ack(_ number: UInt8) -> [UInt8] { [0x0D, 0x00, number, 1, 2, 3] }
        for number in 0...160 as ClosedRange<UInt8> {
            try bench.hear(ack(number))
            bench.settle()
        }
        #expect(bench.frames.count == 161)

        try bench.hear(ack(1))
        bench.settle()
        #expect(bench.frames.count == 161)

        try bench.hear(ack(0))
        bench.settle()
        #expect(bench.frames.count == 162)
    }

    @Test(.proves("OTA-022")) func `the echo of a packet of one's own is ignored`() throws {
        var bench = Bench(TestNode(.named(.alice)))
        let secret = bench.node.core.identity.sharedSecret(with: LocalIdentity.named(.bob).publicKey)
        let created = ([1, 2, 3, 4, 0, 0x41] as [UInt8]).withUnsafeBytes {
            bench.node.core.createDatagram(.txtMsg, toHash: 0x81, secret: secret, data: $0)
        }
        bench.node.core.sendFlood(try #require(created))
        bench.handle()
        bench.settle()
        let frame = try #require(bench.frames.first)

        try bench.hear("0901ca" + frame.dropFirst(4))
        bench.settle()

        #expect(bench.frames.count == 1)
        #expect(bench.node.log.isEmpty)
        #expect(bench.drops == [.alreadySeen])
    }

    @Test(.proves("OTA-023")) func `a direct packet for another next hop is not remembered`() throws {
        var bench = Bench(TestNode())

        try bench.hear("0a026eca" + Self.text)
        try bench.hear("0a02ca6e" + Self.text)
        bench.settle()

        #expect(bench.drops == [.notNextHop])
        #expect(bench.frames == ["0a016e" + Self.text])
    }

    @Test(.proves("OTA-024"))
    func `a forged advert is dropped and blocks its payload, unless the quirk is off`() throws {
        var forged = try #require([UInt8](hex: RoutingVectors.hex("advert_flood_chat_noloc")))
        forged[50] ^= 1
        var quirky = Bench(TestNode())
        var designed = Bench(TestNode())
        designed.node.core.quirks.remove(.forgedAdvertBlocks)

        for _ in 0..<2 {
            try quirky.hear(forged)
            try designed.hear(forged)
        }
        quirky.settle()

        #expect(quirky.node.log.isEmpty && quirky.sent.isEmpty)
        #expect(quirky.drops == [.badSignature, .alreadySeen])
        #expect(quirky.node.core.seen.floodDuplicates == 1)
        #expect(designed.drops == [.badSignature, .badSignature])
    }

    @Test(.proves("OTA-025")) func `duplicates count by the route of the dropped copy`() throws {
        var bench = Bench(TestNode())

        try bench.hear("0d00112233440000")
        try bench.hear("0e00112233440000")
        try bench.hear("0d00112233440000")

        #expect(bench.node.core.seen.directDuplicates == 1)
        #expect(bench.node.core.seen.floodDuplicates == 1)
        #expect(bench.node.core.statistics.receivedFlood == 2)
        #expect(bench.node.core.statistics.receivedDirect == 1)
    }
}
