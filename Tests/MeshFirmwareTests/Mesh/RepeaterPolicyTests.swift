import MeshCrypto
import MeshPacket
import MeshTestSupport
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

/// The floods that a repeater relays, and its messages to neighbours: regions, loops, discovery.
@Suite struct RepeaterPolicyTests {
    private func bench(_ change: (inout ServerSetup) -> Void) -> Bench<RepeaterNode> {
        var setup = ServerSetup(.repeater, board: .heltecV3)
        setup.preferences.name = "R1"
        setup.silenceAdverts()
        change(&setup)
        return Bench(
            RepeaterNode(
                identity: .named(.repeater1), board: .heltecV3, setup: setup, random: Seed(3).stream("hill"),
                clock: RealTimeClock(unixSeconds: 1_700_000_000, at: .start)))
    }

    // MARK: Regions

    @Test(
        .proves("OTA-037"),
        arguments: [
            ([], 0), (["europe"], 1), (["#europe"], 1), (["asia", "europe"], 1), (["asia"], 0), (["$europe"], 0),
        ] as [([String], Int)])
    func `a scoped flood passes where one of the regions fits`(names: [String], copies: Int) throws {
        var bench = bench { for name in names { $0.regions.put(ByteText(name)) } }

        try bench.hear(RoutingVectors.hex("grp_txt_tflood_europe_hs1"))
        bench.settle()

        #expect(bench.frames.count == copies)
        #expect(bench.drops == (copies == 0 ? [.forwardingDenied] : []))
        #expect(bench.frames.allSatisfy { $0.hasPrefix("143f96000001ca") })
    }

    @Test(.proves("OTA-037")) func `a region that denies floods lets none pass`() throws {
        var bench = bench { $0.regions.put("europe", allowsFlood: false) }

        try bench.hear(RoutingVectors.hex("grp_txt_tflood_europe_hs1"))
        bench.settle()

        #expect(bench.frames.isEmpty)
    }

    @Test(.proves("OTA-038"))
    func `where the wildcard denies floods, un-scoped ones end and scoped ones pass`() throws {
        var bench = bench {
            $0.regions.allowsUnscopedFloods = false
            $0.regions.put("europe")
        }

        try bench.hear(RoutingVectors.hex("txt_flood_hs1"))
        bench.settle()
        #expect(bench.frames.isEmpty)

        try bench.hear(RoutingVectors.hex("grp_txt_tflood_europe_hs1"))
        bench.settle()
        #expect(bench.frames.count == 1)
    }

    // MARK: Loops

    @Test(
        .proves("OTA-039"),
        arguments: [
            (.off, 1, 10, true), (.minimal, 1, 3, true), (.minimal, 1, 4, false), (.minimal, 2, 1, true),
            (.minimal, 2, 2, false), (.minimal, 3, 0, true), (.minimal, 3, 1, false), (.moderate, 1, 1, true),
            (.moderate, 1, 2, false), (.moderate, 2, 0, true), (.moderate, 2, 1, false), (.strict, 1, 0, true),
            (.strict, 1, 1, false), (.strict, 2, 1, false), (.strict, 3, 1, false),
        ] as [(LoopDetection, Int, Int, Bool)])
    func `a flood with too many own hashes in its path goes no further`(
        level: LoopDetection, size: Int, own: Int, passes: Bool
    ) throws {
        var bench = bench { $0.preferences.loopDetection = level }
        let key = LocalIdentity.named(.repeater1).publicKey
        // A foreign hash between the own ones, and one that differs in its last byte only.
        var foreign = [UInt8](key.prefix(size))
        foreign[size - 1] ^= 1
        let path = (0..<own).flatMap { _ in [UInt8](key.prefix(size)) + foreign } + foreign
        let length = PathLength(hashSize: size, hops: 2 * own + 1)

        try bench.hear([0x15, length.rawValue] + path + [0x11, 0x22, 0x33, 0x44])
        bench.settle()

        #expect(bench.frames.count == (passes ? 1 : 0))
    }

    // MARK: Neighbours and discovery

    private func advert(of person: Person, _ type: NodeType, time: UInt32 = 9) -> [UInt8] {
        let identity = LocalIdentity.named(person)
        let data = AdvertData(type: type, name: "n").written()
        let head = identity.publicKey.array + withUnsafeBytes(of: time.littleEndian) { [UInt8]($0) }
        return identity.publicKey.array + head.dropFirst(32) + identity.sign(head + data).array + data
    }

    @Test(.proves("OTA-079")) func `a repeater lists repeaters it hears itself, and none that was shared`() throws {
        var shared = bench { _ in }
        try shared.hear([0x13, 0, 0, 0, 0, 0] + advert(of: .repeater2, .repeater))
        #expect(shared.node.neighbours.entries.isEmpty)

        var bench = bench { _ in }
        try bench.hear([0x11, 1, 0x55] + advert(of: .repeater2, .repeater))
        try bench.hear([0x11, 0] + advert(of: .alice, .chat))
        #expect(bench.node.neighbours.entries.isEmpty)
        try bench.hear([0x12, 0] + advert(of: .repeater2, .repeater, time: 10), snr: -13)

        #expect(
            bench.node.neighbours.entries == [
                .init(
                    publicKey: LocalIdentity.named(.repeater2).publicKey, advertTime: 10, heardTime: 1_700_000_000,
                    snr: -13)
            ])
    }

    @Test(.proves("OTA-091"))
    func `discovery is answered four times in 120 s with the SNR at which it was heard`() throws {
        var bench = bench { _ in }
        let request = try #require([UInt8](hex: RoutingVectors.hex("ctrl_discover_req")))
        func ask(_ tag: UInt8) throws {
            var frame = request
            frame[4] = tag
            try bench.hear(frame, snr: -13)
            bench.run(.seconds(10))
        }

        for tag in UInt8(1)...6 { try ask(tag) }

        let answers = bench.frames
        #expect(answers.count == 4)
        #expect(answers.allSatisfy { $0.hasPrefix("2e0092f3") })
        let key = LocalIdentity.named(.repeater1).publicKey.array.hex
        #expect(answers.enumerated().allSatisfy { $1.contains("0\($0 + 1)223344" + key) })
        bench.run(.seconds(61))
        try ask(7)
        #expect(bench.frames.count == 5)
    }

    @Test(arguments: [
        ("2e0081041122334400000000", 1), ("2e0080021122334400000000", 0), ("2e0080041122334401000000", 0),
        ("2e00800411223344", 1), ("2e008004112233", 0), ("2e0155800411223344", 0), ("2d00800411223344", 0),
    ])
    func `only neighbours that ask for repeaters are answered`(frame: String, answers: Int) throws {
        var bench = bench { _ in }

        try bench.hear(frame)
        bench.run(.seconds(10))

        #expect(bench.frames.count == answers)
        if frame.hasPrefix("2e0081") { #expect(bench.frames[0].count == 2 * 16) }
    }

    @Test func `a repeater that does not forward is not to be found`() throws {
        var bench = bench { $0.preferences.isForwardingDisabled = true }

        try bench.hear(RoutingVectors.hex("ctrl_discover_req"))
        bench.run(.seconds(10))

        #expect(bench.frames.isEmpty)
    }

    @Test func `the table of neighbours forgets whoever was not heard for longest`() {
        var table = NeighbourTable()
        for index in 0...UInt8(NeighbourTable.capacity) {
            table.note(PublicKey(repeatElement(index, count: 32)), advert: 1, heard: 100 + UInt32(index), snr: 0)
        }

        #expect(table.entries.count == NeighbourTable.capacity)
        #expect(table.entries[0].publicKey[0] == UInt8(NeighbourTable.capacity))
    }
}
