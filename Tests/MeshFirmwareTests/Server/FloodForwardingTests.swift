import MeshCrypto
import MeshPacket
import MeshRadio
import MeshTestSupport
import MeshWire
import Testing

@testable import MeshFirmware

/// The floods that infrastructure nodes relay, and their times.
@Suite struct FloodForwardingTests {
    private typealias Stage = ServerStage
    private let own = ServerStage.key.array
    private let eu = MeshHash.regionKey(name: [UInt8]("eu".utf8))

    /// Twenty bytes of a group text, each number another one.
    private func payload(_ number: UInt16) -> [UInt8] {
        [0x11, UInt8(number >> 8), UInt8(truncatingIfNeeded: number)] + [UInt8](repeating: 0x42, count: 17)
    }

    private func flood(
        _ number: UInt16, path: [UInt8] = [], size: Int = 1, type: PayloadType = .grpTxt, codes: TransportCodes? = nil
    ) -> [UInt8] {
        let packet = PacketView(
            type: type, route: codes == nil ? .flood : .transportFlood, codes: codes,
            pathLength: PathLength(hashSize: size, hops: path.count / size), path: path, payload: payload(number))
        return packet?.bytes ?? []
    }

    /// A node that forwards.
    private func stage(_ role: ServerRole) -> Stage {
        var stage = Stage(role)
        if role != .repeater { #expect(stage.type("set repeat on") == "OK - repeat is now ON") }
        return stage
    }

    /// `t` of a packet of so many path and payload bytes.
    private func unit(_ bytes: Int, factor: Float, _ stage: Stage) -> Int64 {
        Int64(Float(stage.bench.core.estimatedAirtime(bytes: bytes + 2)) * factor)
    }

    // MARK: Path and delay

    @Test(.proves("INF-102"), arguments: [1, 2, 3])
    func `a forwarded flood gains the own hash in the packet's size`(size: Int) throws {
        var stage = Stage()
        let path = [UInt8](repeating: 0x33, count: 2 * size)

        let sent = stage.hear(flood(1, path: path, size: size))

        let packet = try #require(sent.first?.packet)
        #expect(sent.count == 1)
        #expect(packet.path == path + own.prefix(size))
        #expect(packet.pathLength == PathLength(hashSize: size, hops: 3))
        #expect(packet.payload == payload(1))
    }

    @Test(.proves("INF-103"), arguments: Stage.repeaterAndRoom)
    func `the pause is drawn from all milliseconds up to five times t`(role: ServerRole) {
        var stage = stage(role)
        let most = 5 * unit(21, factor: 0.5, stage)

        let pauses = (0..<50).flatMap { stage.hear(flood($0), observing: 4000) }.map(\.at)

        #expect(pauses.count == 50)
        #expect(pauses.allSatisfy { (0...most).contains($0) })
        #expect((pauses.min() ?? 0) < most / 8 && (pauses.max() ?? 0) > most * 7 / 8)
        #expect(Set(pauses).count > 40)
    }

    @Test(.proves("INF-104")) func `with txdelay 0 forwarding is immediate`() {
        var stage = Stage()
        #expect(stage.type("set txdelay 0") == "OK")

        let pauses = (0..<10).flatMap { stage.hear(flood($0)) }.map(\.at)

        #expect(pauses == [Int64](repeating: 0, count: 10))
    }

    @Test(.proves("INF-105")) func `a copy that came another way is not forwarded`() {
        var stage = Stage()

        #expect(stage.hear(flood(1, path: [0x11])).count == 1)
        #expect(stage.hear(flood(1, path: [0x22, 0x33])).isEmpty)
        #expect(stage.hear(flood(1, path: [0x22, 0x33], codes: TransportCodes(region: 7))).isEmpty)
    }

    @Test(.proves("INF-106")) func `a path without room for another hash ends here`() {
        var stage = Stage()

        #expect(stage.hear(flood(1, path: [UInt8](repeating: 1, count: 63), size: 3), observing: 9000).isEmpty)
        #expect(stage.hear(flood(2, path: [UInt8](repeating: 1, count: 64), size: 2), observing: 9000).isEmpty)
        #expect(stage.hear(flood(3, path: [UInt8](repeating: 1, count: 60), size: 3), observing: 9000).count == 1)
        #expect(stage.hear(flood(4, path: [UInt8](repeating: 1, count: 62), size: 2), observing: 9000).count == 1)
    }

    @Test(.proves("INF-134")) func `after 63 hops of one byte the count wraps into the hash size`() throws {
        var stage = Stage()

        let sent = stage.hear(flood(1, path: [UInt8](repeating: 1, count: 63)), observing: 9000)

        #expect(sent.map(\.hex) == ["1540" + payload(1).hex])
    }

    // MARK: Limits

    private struct Limits: Decodable {
        struct Case: Decodable {
            let route: String
            let type: String
            let hops: Int
            let floodMax: Int
            let floodMaxUnscoped: Int
            let floodMaxAdvert: Int
            let drop: Bool
        }

        let cases: [Case]
    }

    @Test(.proves("INF-107"), arguments: Stage.repeaterAndRoom)
    func `hop limits hold for all floods, for un-scoped ones and for adverts`(role: ServerRole) throws {
        for row in InfrastructureVectors.read("FLOOD-HOP-LIMIT", as: Limits.self).cases {
            var stage = stage(role)
            #expect(stage.type("set flood.max \(row.floodMax)") == "OK")
            #expect(stage.type("set flood.max.unscoped \(row.floodMaxUnscoped)") == "OK")
            #expect(stage.type("set flood.max.advert \(row.floodMaxAdvert)") == "OK")
            #expect(stage.type("region put eu") == "OK - (flood allowed)")
            let hops = [UInt8](repeating: 0x33, count: row.hops)
            let bytes =
                row.type == "ADVERT" ? try PacketView(ServerStage.alice.advert(1)).payload : payload(1)
            let type: PayloadType = row.type == "ADVERT" ? .advert : row.type == "GRP_TXT" ? .grpTxt : .response
            let length = PathLength(hashSize: 1, hops: row.hops)
            var packet = try #require(PacketView(type: type, route: .flood, payload: bytes))
            if row.route == "TRANSPORT_FLOOD" {
                packet.routeFlood(codes: TransportCodes(region: packet.transportCode(for: eu)))
            }
            packet.setPath(length, hops)

            let sent = stage.hear(packet.bytes, observing: 9000)

            #expect(sent.isEmpty == row.drop, "\(row)")
        }
    }

    @Test(.proves("INF-108")) func `adverts are forwarded after seven hops and not after eight`() throws {
        var stage = Stage()
        func advert(_ time: UInt32, hops: Int) -> [UInt8] {
            ServerStage.alice.advert(time, .flood([UInt8](repeating: 0x33, count: hops)))
        }

        #expect(stage.hear(advert(1, hops: 7), observing: 9000).count == 1)
        #expect(stage.hear(advert(2, hops: 8), observing: 9000).isEmpty)
    }

    @Test(.proves("INF-109", "INF-110"), arguments: Stage.all)
    func `a forged advert and the own one are not forwarded`(role: ServerRole) {
        var stage = stage(role)
        let server = Peer("server", type: role.nodeType, identity: InfrastructureVectors.server)
        var forged = ServerStage.alice.advert(1)
        forged[60] ^= 1

        #expect(stage.hear(forged, observing: 9000).isEmpty)
        #expect(stage.hear(server.advert(1), observing: 9000).isEmpty)
        let isForwarded = stage.hear(ServerStage.alice.advert(2), observing: 9000).count == 1
        #expect(isForwarded)
    }

    // MARK: Regions and loops

    @Test(.proves("INF-111", "INF-112", "INF-114"))
    func `scoped floods pass in regions that allow them, with both codes`() throws {
        var stage = Stage()
        #expect(stage.type("region put eu") == "OK - (flood allowed)")
        func scoped(_ number: UInt16, _ region: UInt16?) throws -> [UInt8] {
            let draft = try PacketView(flood(number))
            let code = region ?? draft.transportCode(for: eu)
            return flood(number, path: [0x11], codes: TransportCodes(region: code, reserved: 0x1234))
        }

        let passed = try #require(try stage.hear(scoped(1, nil)).first?.packet)
        let unknown = try stage.hear(scoped(2, 0x5555))
        #expect(stage.type("region denyf eu") == "OK")
        let denied = try stage.hear(scoped(3, nil))

        let code = try PacketView(flood(1)).transportCode(for: eu)
        #expect(passed.transportCodes == TransportCodes(region: code, reserved: 0x1234))
        #expect(passed.path == [0x11, 0x8A])
        #expect(unknown.isEmpty && denied.isEmpty)
    }

    @Test(.proves("INF-113")) func `where the wildcard denies floods un-scoped ones end`() {
        var stage = Stage()
        #expect(stage.hear(flood(1)).count == 1)

        #expect(stage.type("region denyf *") == "OK")
        #expect(stage.hear(flood(2)).isEmpty)
        #expect(stage.type("region allowf *") == "OK")
        #expect(stage.hear(flood(3)).count == 1)
    }

    private struct Loops: Decodable {
        let table: [String: [String: Int]?]
    }

    @Test(.proves("INF-115"), arguments: ["off", "minimal", "moderate", "strict"])
    func `own hashes in the path stop a flood, and by default do not`(mode: String) throws {
        var stage = Stage()
        #expect(stage.type("get loop.detect") == "> off")
        #expect(stage.type("set loop.detect \(mode)") == "OK")
        let limits = try #require(InfrastructureVectors.read("LOOP-DETECT", as: Loops.self).table[mode])

        for size in 1...3 {
            for count in 0...5 {
                let path = (0..<count).flatMap { _ in [UInt8](repeating: 0x33, count: size) + own.prefix(size) }
                let sent = stage.hear(flood(UInt16(10 * size + count), path: path, size: size), observing: 9000)
                let isStopped = limits.map { count >= $0["\(size)"] ?? 0 } ?? false
                #expect(sent.isEmpty == isStopped, "\(count) hashes of \(size)")
            }
        }
    }

    @Test(.proves("INF-116"), arguments: Stage.all, [9, 10, 11, 12, 13, 14, 15] as [UInt8])
    func `some types are never forwarded by flood`(role: ServerRole, type: UInt8) {
        var stage = stage(role)
        let frame = flood(1, path: [0x11], type: PayloadType(rawValue: type))

        #expect(stage.hear(frame).isEmpty)
        #expect(stage.hear(flood(1)).count == 1)
    }

    @Test(.proves("INF-117")) func `a node that does not repeat forwards nothing`() {
        var stage = Stage()
        #expect(stage.type("set repeat off") == "OK - repeat is now OFF")

        #expect(stage.hear(flood(1)).isEmpty)
        #expect(stage.hear("0a028a6e" + String(repeating: "11", count: 20)).isEmpty)
        #expect(stage.hear("0e028a2211223344").isEmpty)
        #expect(stage.hear("26000403020100000000008a55").isEmpty)
        #expect(stage.hear("2a028a2213947f98f9").isEmpty)
    }

    // MARK: What is for this node

    @Test(.proves("INF-118", "INF-119")) func `what this node can open ends here, and what it cannot goes on`() {
        var stage = Stage()
        let alien = [0x01, 0x00, 0x8A, 0x81] + [UInt8](repeating: 0x55, count: 18)

        #expect(stage.hear(alien).map(\.packet.path) == [[0x8A]])
        #expect(stage.hear(stage.login(ServerStage.alice, "nope", at: 1)).isEmpty)
        #expect(stage.hear(stage.login(ServerStage.alice, "nope", at: 2, by: .flood([0x11, 0x22]))).isEmpty)
    }

    // MARK: Order and receive delay

    @Test(.proves("INF-120")) func `of floods that are due the one with fewer hops leaves first`() {
        var stage = Stage()
        stage.holdChannel(true)
        #expect(stage.hear(flood(1, path: [1, 2, 3, 4, 5]), observing: 0).isEmpty)
        #expect(stage.hear(flood(2, path: [1]), observing: 2000).isEmpty)

        stage.holdChannel(false)
        let sent = stage.run(milliseconds: 4000)

        #expect(sent.map(\.packet.hopCount) == [2, 6])
    }

    /// 62 bytes on the air; the recording's radio scores as for SF10 whatever is set.
    @Test(.proves("INF-121", "INF-122"))
    func `with rxdelay 10 weakly heard floods wait and direct packets do not`() throws {
        var board = BoardProfile.vectors
        board.chip = .lr1110
        var stage = ServerStage(.repeater, board: board)
        #expect(stage.type("set txdelay 0") == "OK")
        #expect(stage.type("set direct.txdelay 0") == "OK")
        #expect(stage.type("set rxdelay 10") == "OK")
        let body = [UInt8](repeating: 0x42, count: 59)

        let flood = stage.hear([0x15, 0x00, 0x01] + body, snr: -10)
        let strong = stage.hear([0x15, 0x00, 0x02] + body, snr: 10)
        let direct = stage.hear([0x16, 0x01, 0x8A] + body, snr: -10)

        #expect(stage.bench.core.estimatedAirtime(bytes: 62) == 508)
        #expect(flood.map(\.at) == [994])
        #expect(strong.map(\.at) == [0])
        #expect(direct.map(\.at) == [0])
    }

    // MARK: Rooms and sensors

    @Test(.proves("INF-135"), arguments: Stage.all.filter { $0 != .repeater })
    func `rooms and sensors forward without regard to regions and loops`(role: ServerRole) {
        var stage = stage(role)
        #expect(stage.type("set loop.detect strict") == "OK")
        #expect(stage.type("region denyf *") == "OK")

        #expect(stage.hear(flood(1, path: [], codes: TransportCodes(region: 0x5555))).count == 1)
        // A sensor takes un-scoped floods whatever its own limits for them say.
        #expect(stage.hear(flood(2, path: [0x8A, 0x8A, 0x8A])).count == 1)
    }

    @Test(.proves("INF-136", "INF-137"), arguments: Stage.all.filter { $0 == .sensor })
    func `a sensor waits whole steps of t, and knows only one hop limit`(role: ServerRole) {
        var stage = stage(role)
        #expect(stage.type("get flood.max.unscoped") == "> 0")
        let step = unit(24, factor: 0.5, stage)

        let pauses = (0..<60).flatMap { stage.hear(flood($0, path: [1, 2, 3]), observing: 4000) }.map(\.at)

        #expect(pauses.count == 60)
        #expect(Set(pauses).sorted() == (0...5).map { $0 * step })
        let advert = ServerStage.alice.advert(9, .flood([UInt8](repeating: 1, count: 20)))
        #expect(stage.hear(advert, observing: 9000).count == 1)
        #expect(stage.type("set flood.max 3") == "OK")
        #expect(stage.hear(flood(100, path: [1, 2, 3])).isEmpty)
        #expect(stage.hear(flood(101, path: [1, 2]), observing: 4000).count == 1)
    }
}
