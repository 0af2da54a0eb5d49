import MeshCrypto
import MeshPacket
import MeshTestSupport
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

@Suite struct RepeaterNodeTests {
    private func repeater(
        identity: Person = .repeater1, flash: Flash = Flash(), _ change: (inout ServerSetup) -> Void = { _ in }
    ) -> RepeaterNode {
        var setup = ServerSetup(.repeater, board: .heltecV3)
        setup.preferences.name = "Hill \"7\""
        setup.preferences.latitude = 52.520_008
        setup.preferences.longitude = -13.404_954
        change(&setup)
        return RepeaterNode(
            identity: .named(identity), board: .heltecV3, setup: setup, random: Seed(3).stream("hill"),
            clock: RealTimeClock(unixSeconds: 1_700_000_000, at: .start), flash: flash)
    }

    @Test func `a repeater adverts at zero hop 16 s after boot with the time of its boot`() throws {
        var bench = Bench(repeater())
        bench.handle()
        bench.run(.seconds(17))

        #expect(bench.sent.map(\.at) == [16_000])
        let frame = try #require([UInt8](hex: bench.frames.first ?? ""))
        #expect(frame.prefix(2) == [0x12, 0x00])
        let view = try PacketView(frame)
        #expect(view.hasValidAdvertSignature)
        #expect(view.payloadU32(at: 32) == 1_700_000_000)
        let data = try AdvertData(appData: [UInt8](view.payload.dropFirst(100)))
        #expect(data.nodeType == .repeater && data.name == "Hill \"7\"")
        #expect(data.location == AdvertData.Location(latitude: 52_520_008, longitude: -13_404_954))
    }

    @Test func `it repeats that every two minutes, and floods one every 47 hours`() throws {
        var bench = Bench(repeater())
        bench.handle()
        bench.run(.seconds(130))
        #expect(bench.frames.count == 2)

        bench.run(.seconds(47 * 3600 + 125))

        let floods = bench.sent.filter { $0.frame.hasPrefix("1100") }
        #expect(floods.map(\.at) == [47 * 3_600_000 + 1])
        let next = try #require(bench.sent.first { $0.at > floods[0].at })
        #expect((120_000...122_000).contains(next.at - floods[0].at))
    }

    @Test func `without intervals it asks for no pass once it is idle`() {
        var bench = Bench(
            repeater {
                $0.preferences.advertInterval = 0
                $0.preferences.floodAdvertInterval = 0
            })
        bench.handle()
        bench.settle()

        #expect(bench.frames.count == 1)
        #expect(bench.node.nextWake == .never)
    }

    /// Alice's advert with so many foreign hops.
    private func advert(hops: UInt8, size: UInt8 = 1) throws -> [UInt8] {
        let advert = try #require([UInt8](hex: RoutingVectors.hex("advert_flood_chat_noloc")))
        return [0x11, (size - 1) << 6 | hops] + [UInt8](repeating: 0x11, count: Int(hops * size)) + advert.dropFirst(2)
    }

    @Test(.proves("OTA-036"), arguments: [(7, 1), (8, 0)] as [(UInt8, Int)])
    func `an advert is forwarded after seven hops and not after eight`(hops: UInt8, copies: Int) throws {
        var bench = Bench(repeater())

        try bench.hear(try advert(hops: hops))
        bench.run(.seconds(10))

        #expect(bench.frames.count == copies)
        #expect(bench.drops.isEmpty)
    }

    @Test func `hop limits hold for all floods and for un-scoped ones`() throws {
        let changes: [(inout ServerSetup) -> Void] = [
            { $0.preferences.floodMax = 2 }, { $0.preferences.floodMaxUnscoped = 2 },
            { $0.preferences.isForwardingDisabled = true },
            { $0.regions.allowsUnscopedFloods = false },
        ]
        let passed = try changes.map { change in
            var bench = Bench(repeater(change))
            try bench.hear("0d01aa11223344")
            try bench.hear("0d02aaaa11223345")
            bench.run(.seconds(10))
            return bench.frames
        }

        #expect(passed == [["0d02aaca11223344"], ["0d02aaca11223344"], [], []])
    }

    @Test func `direct packets need only the switch`() throws {
        var bench = Bench(repeater { $0.regions.allowsUnscopedFloods = false })
        try bench.hear("0a02ca6e" + FramingTests.text)
        bench.run(.seconds(10))
        #expect(bench.frames == ["0a016e" + FramingTests.text])

        var disabled = Bench(repeater { $0.preferences.isForwardingDisabled = true })
        try disabled.hear("0a02ca6e" + FramingTests.text)
        disabled.run(.seconds(10))
        #expect(disabled.sent.isEmpty)
    }

    @Test func `a scoped flood of an unknown region ends here`() throws {
        var bench = Bench(repeater())

        try bench.hear(try RoutingVectors.heard("fwd_tflood_0"))
        bench.run(.seconds(10))

        #expect(bench.sent.isEmpty)
        #expect(bench.drops == [.forwardingDenied])
    }

    @Test func `the identity survives a reboot`() {
        let first = repeater()

        let second = repeater(identity: .carol, flash: first.server.flash)

        #expect(second.publicKey == LocalIdentity.named(.repeater1).publicKey)
    }

    @Test func `booting tunes the radio and stores the files`() {
        var node = repeater()
        var effects: [NodeEffect] = []
        #expect(node.nextWake == .start)

        node.handle(.woke, at: .start, radio: RadioStatus(), into: &effects)

        let kinds = effects.map { effect in
            switch effect {
            case .tune: "tune"
            case .setTxPower(let power): "\(power) dBm"
            case .flash(.wrote(let path, _)): path
            case .appBytes(let text): String(decoding: text, as: UTF8.self)
            default: "other"
            }
        }
        let id = "Repeater ID: \(node.publicKey.array.hex.uppercased())\r\n"
        #expect(kinds == ["/identity/_main.id", "tune", "22 dBm", id])
        #expect(node.nextWake == .milliseconds(16_000))
    }
}
