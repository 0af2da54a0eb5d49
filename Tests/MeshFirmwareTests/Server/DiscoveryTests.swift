import MeshCrypto
import MeshPacket
import MeshTestSupport
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

/// Discovery: who names itself, and how a repeater looks for others.
@Suite struct DiscoveryTests {
    private typealias Stage = ServerStage

    private func request(
        _ tag: UInt32, filter: UInt8 = 0xFF, since: UInt32? = nil, prefixOnly: Bool = false
    ) -> [UInt8] {
        Peer.routed(
            PacketFactory.control(
                DiscoverRequest(filter: filter, tag: tag, since: since, prefixOnly: prefixOnly)), .direct)
    }

    @Test(.proves("INF-143", "INF-144", "INF-150"), arguments: Stage.repeaterAndSensor)
    func `a node names itself to those who look for its type`(role: ServerRole) {
        var stage = Stage(role)
        let bit: UInt8 = 1 << role.rawValue

        let full = stage.hear(request(0x0BAD_F00D, filter: bit), snr: -7.5, observing: 9000)
        let prefix = stage.hear(request(0x0BAD_F00E, filter: bit, prefixOnly: true), snr: -7.5, observing: 9000)
        let other = stage.hear(request(0x0BAD_F00F, filter: ~bit), observing: 9000)

        let head = "2e009\(role.rawValue)e2"
        #expect(full.map(\.hex) == [head + "0df0ad0b" + Stage.key.hex])
        #expect(prefix.map(\.hex) == [head + "0ef0ad0b" + Stage.key.hex.prefix(16)])
        #expect(other.isEmpty)
    }

    @Test(.proves("INF-145")) func `a repeater answers four times in 120 s, and counts those who look for others`() {
        var stage = Stage()

        let first = stage.hear(request(1, filter: 0x08), observing: 5000)
        let answers = (2...6).map { stage.hear(request($0), observing: 5000).count }
        stage.run(milliseconds: 92_000)

        #expect(first.isEmpty)
        #expect(answers == [1, 1, 1, 0, 0])
        #expect(stage.hear(request(7), observing: 5000).count == 1)
    }

    @Test(.proves("INF-150"), arguments: Stage.all.filter { $0 == .sensor })
    func `a sensor answers always, and without repeating`(role: ServerRole) {
        var stage = Stage(role)
        #expect(stage.type("get repeat") == "> off")

        let answers = (1...6).flatMap { stage.hear(request($0, filter: 0x10), observing: 5000) }

        #expect(answers.count == 6)
        #expect(answers.allSatisfy { $0.hex.hasPrefix("2e0094") })
    }

    @Test(.proves("INF-146")) func `who asks for news is answered once the regions were saved`() {
        var stage = Stage()
        #expect(stage.hear(request(1, since: 1), observing: 5000).isEmpty)
        #expect(stage.hear(request(2, since: 0), observing: 5000).count == 1)

        #expect(stage.type("region save") == "OK")

        #expect(stage.hear(request(3, since: Stage.clock), observing: 5000).count == 1)
        #expect(stage.hear(request(4, since: 0xFFFF_FFF0), observing: 5000).isEmpty)
    }

    @Test(.proves("INF-147")) func `a repeater that does not repeat is not to be found, and counts nothing`() {
        var stage = Stage()
        stage.type("set repeat off")
        for tag in 1...4 as ClosedRange<UInt32> { #expect(stage.hear(request(tag), observing: 5000).isEmpty) }

        stage.type("set repeat on")

        #expect((5...9).map { stage.hear(request($0), observing: 5000).count } == [1, 1, 1, 1, 0])
    }

    @Test(.proves("INF-148"), arguments: Stage.all)
    func `discovery with a path or by flood is met with silence`(role: ServerRole) {
        var stage = Stage(role)

        #expect(stage.hear("2e018a80ff16000000", observing: 5000).isEmpty)
        #expect(stage.hear("2d0080ff17000000", observing: 5000).isEmpty)
        #expect(stage.hear("2f1111222201558080ff18000000", observing: 5000).isEmpty)
        #expect(stage.hear("2e0080ff190000", observing: 5000).isEmpty)
    }

    @Test(.proves("INF-149")) func `the answer waits four times as long as a flood would`() {
        var pauses: [Int64] = []
        for seed in 1...20 as ClosedRange<UInt64> {
            var stage = ServerStage(.repeater, seed: seed)
            pauses += (1...4).flatMap { stage.hear(request($0), observing: 9000) }.map(\.at)
        }

        #expect(pauses.count == 80)
        #expect(pauses.allSatisfy { $0 % 4 == 0 && (0...4060).contains($0) })
        #expect((pauses.min() ?? 0) < 400 && (pauses.max() ?? 0) > 3600)
    }

    @Test(.proves("INF-151"), arguments: Stage.all.filter { $0 == .roomServer })
    func `a room is not to be found`(role: ServerRole) {
        var stage = Stage(role)
        stage.type("set repeat on")

        #expect(stage.hear(request(1), observing: 9000).isEmpty)
    }

    @Test(.proves("INF-152")) func `a repeater that looks for others takes their full answers for 60 s`() throws {
        var stage = Stage()
        #expect(stage.type("discover.neighbors x") == "Err - discover.neighbors has no options")
        #expect(stage.type("discover.neighbors") == "OK - Discover sent")
        let asked = stage.bench.now.milliseconds
        let sent = stage.bench.sent
        stage.run(milliseconds: 1000)
        let request = try PacketView([UInt8](hex: sent.first?.frame ?? "") ?? [])
        let tag = try #require(request.payloadU32(at: 2))
        func answer(_ peer: Peer, tag: UInt32, prefixOnly: Bool = false) -> [UInt8] {
            Peer.routed(
                PacketFactory.control(
                    DiscoverResponse(
                        nodeType: .repeater, snr: 5, tag: tag, publicKey: peer.key, prefixOnly: prefixOnly)), .direct)
        }

        #expect(sent.map(\.frame) == ["2e008004" + Peer.bytes(tag).hex + "00000000"])
        #expect(sent.map(\.at) == [asked])
        stage.hear(answer(.bob, tag: tag &+ 1), observing: 0)
        stage.hear(answer(.eve, tag: tag, prefixOnly: true), observing: 0)
        stage.hear(answer(Peer("self", identity: InfrastructureVectors.server), tag: tag), observing: 0)
        #expect(stage.type("neighbors") == "-none-")
        stage.hear(answer(.bob, tag: tag), snr: -2.5, observing: 0)
        #expect(stage.type("neighbors") == "\(Peer.bob.prefix.prefix(4).hex.uppercased()):0:-10")

        stage.run(milliseconds: 60_000)
        stage.hear(answer(.eve, tag: tag), observing: 0)
        #expect(stage.type("neighbors").split(separator: "\n").count == 1)
    }
}
