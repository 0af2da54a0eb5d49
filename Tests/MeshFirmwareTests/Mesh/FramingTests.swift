import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

@testable import MeshFirmware

@Suite struct FramingTests {
    static let text = "818aef3fff88dce66d4196af8a53c225cdd351a7"

    @Test(.proves("OTA-001")) func `a frame with version bits is discarded`() throws {
        var bench = Bench(TestNode())

        try bench.hear("4900" + Self.text)
        bench.settle()

        #expect(bench.drops == [.malformed])
        #expect(bench.sent.isEmpty)
        #expect(bench.node.core.statistics.receivedFlood == 0)
    }

    @Test(.proves("OTA-002"), arguments: RoutingVectors.all.tables.pathLen)
    func `path lengths are taken or refused as in the table`(row: RoutingVectors.PathLengthRow) throws {
        var bench = Bench(TestNode())

        try bench.hear("09" + row.byte + String(repeating: "11", count: min(row.bytes, 200)) + Self.text)

        #expect((bench.node.core.statistics.receivedFlood == 1) == row.valid)
        #expect((bench.drops == [.malformed]) == !row.valid)
    }

    @Test(.proves("OTA-003"), arguments: RoutingVectors.all.tables.parse)
    func `frames that end early are discarded`(row: RoutingVectors.ParseRow) throws {
        var bench = Bench(TestNode())

        try bench.hear(row.raw)
        bench.settle()

        let statistics = bench.node.core.statistics
        #expect((statistics.receivedFlood + statistics.receivedDirect == 1) == row.radioReceiveAccepts)
        #expect(bench.node.core.pool.inUse == 0)
    }

    @Test(.proves("OTA-004")) func `a payload of 184 bytes is taken and one of 185 is not`() throws {
        var bench = Bench(TestNode())

        try bench.hear([0x15, 0x00] + [UInt8](repeating: 5, count: 184))
        try bench.hear([0x15, 0x00] + [UInt8](repeating: 6, count: 185))
        bench.settle()

        #expect(bench.drops == [.malformed])
        #expect(bench.frames.count == 1)
    }

    @Test(.proves("OTA-005")) func `a direct packet without payload is sent on by its next hop`() throws {
        var bench = Bench(TestNode())

        try bench.hear("0a01ca")
        bench.settle()

        #expect(bench.frames == ["0a00"])
    }

    @Test(.proves("OTA-006"), arguments: RoutingVectors.all.tables.parse.filter { !$0.blobImportAccepts })
    func `importing refuses what is no packet`(row: RoutingVectors.ParseRow) throws {
        var node = TestNode()
        let bytes = try #require([UInt8](hex: row.raw))

        let isTaken = bytes.withUnsafeBytes { node.core.importAdvert($0) }

        #expect(!isTaken)
        #expect(node.core.pool.inUse == 0)
    }

    @Test(.proves("OTA-006")) func `importing refuses an empty payload and does not look at the version`() throws {
        var bench = Bench(TestNode())
        let advert = try #require([UInt8](hex: RoutingVectors.hex("advert_flood_chat_noloc")))
        let versioned = [advert[0] | 0x40] + advert.dropFirst()

        let isEmptyTaken = ([0x11, 0x00] as [UInt8]).withUnsafeBytes { bench.node.core.importAdvert($0) }
        let isVersionedTaken = versioned.withUnsafeBytes { bench.node.core.importAdvert($0) }
        bench.handle()

        #expect(!isEmptyTaken && isVersionedTaken)
        #expect(bench.node.log == ["ADVERT 138 6"])
    }

    @Test func `an imported advert is processed although it was heard before, and nothing is sent of it`() throws {
        var bench = Bench(TestNode())
        let advert = try #require([UInt8](hex: RoutingVectors.hex("advert_flood_chat_noloc")))
        try bench.hear(advert)
        bench.settle()

        let isTaken = advert.withUnsafeBytes { bench.node.core.importAdvert($0) }
        #expect(isTaken && bench.node.core.pool.inUse == 1)
        bench.handle()
        bench.settle()

        #expect(bench.node.log.count == 2)
        #expect(bench.frames.count == 1)
        #expect(bench.node.core.pool.inUse == 0)
    }

    @Test(
        .proves("OTA-008"),
        arguments: [
            ("advert_flood_chat_noloc", "hash_advert_alice"), ("txt_flood_hs1", "hash_txt"), ("ack6_flood", ""),
            ("grp_txt_public", "hash_grp_txt_public"), ("trace_init_hs1", ""),
        ])
    func `packets are known by type and payload`(packet: String, hash: String) throws {
        let view = try PacketView(try #require([UInt8](hex: RoutingVectors.hex(packet))))

        let bytes = withUnsafeBytes(of: view.packetHash.littleEndian) { [UInt8]($0) }

        if !hash.isEmpty { #expect(try bytes.hex == RoutingVectors.hex(hash)) }
        var moved = view
        if moved.type == .trace {
            moved.appendSNR(1)
            #expect(moved.packetHash != view.packetHash)
        } else {
            moved.setRoute(.transportDirect)
            moved.setPath(PathLength(hashSize: 1, hops: 1), [7])
            #expect(moved.packetHash == view.packetHash)
        }
    }
}
