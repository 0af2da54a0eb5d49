import MeshCompanion
import MeshCrypto
import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

@testable import MeshFirmware

@Suite struct ForwardingTests {
    static let text = FramingTests.text

    @Test(.proves("OTA-007"), arguments: RoutingVectors.forwards)
    func `a forwarder sends what the vectors say`(vector: RoutingVectors.Vector) throws {
        var bench = Bench(TestNode())

        try bench.hear(try #require(vector.inputs.heard), snr: try #require(vector.inputs.snrX4))
        bench.settle()

        #expect(bench.frames == (vector.output.isEmpty ? [] : [vector.output]))
        #expect(bench.node.core.pool.inUse == 0)
    }

    @Test(arguments: RoutingVectors.forwards)
    func `a node that does not forward sends nothing`(vector: RoutingVectors.Vector) throws {
        var bench = Bench(TestNode())
        bench.node.forwards = false

        try bench.hear(try #require(vector.inputs.heard))
        bench.settle()

        #expect(bench.sent.isEmpty)
    }

    @Test(.proves("OTA-030"), arguments: ["fwd_flood_hs1_0", "fwd_flood_hs2_1", "fwd_flood_hs3_1"])
    func `a flood is queued with its new hop count as priority`(name: String) throws {
        var bench = Bench(TestNode())
        bench.isChannelBusy = true

        try bench.hear(try RoutingVectors.heard(name))

        let entry = try #require(bench.node.core.sendQueue.entries.first)
        let packet = bench.node.core.pool.packet(in: entry.slot)
        #expect(Int(entry.priority) == packet.hopCount)
        #expect(packet.bytes.hex == (try RoutingVectors.hex(name)))
    }

    @Test(.proves("OTA-031"), arguments: ["fwd_flood_hs2_32_full", "fwd_flood_hs3_21_full"])
    func `a full path ends a flood`(name: String) throws {
        var bench = Bench(TestNode())

        try bench.hear(try RoutingVectors.heard(name))

        #expect(bench.drops == [.pathFull])
    }

    @Test(.proves("OTA-032")) func `the sixty-fourth hop leaves as an empty path, unless the quirk is off`() throws {
        let heard = try RoutingVectors.heard("fwd_flood_hs1_63_overflow")
        var quirky = Bench(TestNode())
        var designed = Bench(TestNode())
        designed.node.core.quirks.remove(.hopCountOverflow)

        try quirky.hear(heard)
        try designed.hear(heard)
        quirky.settle()
        designed.settle()

        #expect(quirky.frames == ["0940" + Self.text])
        #expect(designed.sent.isEmpty && designed.drops == [.pathFull])
    }

    @Test(.proves("OTA-034")) func `flooded types that are for neighbours or unknown go nowhere`() throws {
        var bench = Bench(TestNode())
        let heads: [UInt8] = [9, 10, 11, 12, 13, 14, 15].map { $0 << 2 | 1 }

        for head in heads { try bench.hear([head, 0x00] + [UInt8](repeating: 0x13, count: 12)) }
        bench.settle()

        #expect(bench.sent.isEmpty)
        // The acknowledgement inside the MULTIPART is read all the same.
        #expect(bench.node.log == ["ACK"])
        #expect(bench.drops == [DropReason](repeating: .ignoredType, count: 6))
    }

    @Test(.proves("OTA-035"), arguments: RoutingVectors.all.tables.retransmitDelay.filter { $0.formula == "uniform" })
    func `forwards wait for the time that was drawn`(row: RoutingVectors.DelayRow) throws {
        var bench = Bench(TestNode(random: .drawing(row.randomU32)))
        let factor = Float(try #require(row.factor))
        bench.node.floodDelayFactor = factor
        bench.node.directDelayFactor = factor
        let head: [UInt8] = row.role.hasSuffix("flood") ? [0x15, 0x00] : [0x0A, 0x02, 0xCA, 0x6E]

        try bench.hear(head + [UInt8](repeating: 1, count: row.payloadLen))
        bench.settle()

        let hops: UInt8 = 1
        #expect(bench.events.contains(.forwarded(hops: hops, delayMilliseconds: row.delayMs)))
        // The very first millisecond is not past the end of a transmission that never was.
        #expect(bench.sent.map(\.at) == [max(1, Int64(row.delayMs))])
    }

    @Test(.proves("OTA-035")) func `the draw covers 0 to 965 ms`() throws {
        for (random, delay) in [(965, 965), (966, 0), (967, 1)] as [(UInt32, UInt32)] {
            var bench = Bench(TestNode(random: .drawing(random)))
            bench.node.floodDelayFactor = 0.5
            try bench.hear([0x15, 0x00] + [UInt8](repeating: 1, count: 35))
            #expect(bench.events == [.forwarded(hops: 1, delayMilliseconds: delay)])
        }
    }
}

@Suite struct DirectForwardingTests {
    @Test(.proves("OTA-040"), arguments: ["fwd_direct_hs1", "fwd_direct_hs2_transport"])
    func `direct packets are sent on with priority 0`(name: String) throws {
        var bench = Bench(TestNode())
        bench.isChannelBusy = true

        try bench.hear(try RoutingVectors.heard(name))

        let entry = try #require(bench.node.core.sendQueue.entries.first)
        #expect(entry.priority == 0)
        #expect(bench.node.core.pool.packet(in: entry.slot).bytes.hex == (try RoutingVectors.hex(name)))
    }

    @Test(.proves("OTA-041")) func `all bytes of a hash must match`() throws {
        var bench = Bench(TestNode())

        try bench.hear(try RoutingVectors.heard("fwd_direct_hs2_partial_match"))

        #expect(bench.drops == [.notNextHop])
    }

    @Test(.proves("OTA-042"))
    func `a direct acknowledgement goes out at once without codes, unless the quirk is off`() throws {
        let heard = try RoutingVectors.heard("fwd_direct_ack_transport")
        var quirky = Bench(TestNode(random: .drawing(50)))
        quirky.node.directDelayFactor = 0.5
        var designed = Bench(TestNode())
        designed.node.core.quirks.remove(.directAckLosesCodes)

        try quirky.hear(heard)
        try designed.hear(heard)
        quirky.settle()
        designed.settle()

        #expect(quirky.sent.map(\.at) == [1])
        #expect(quirky.frames == ["0e016e1122334405a7"])
        #expect(designed.frames == ["0f11223344016e1122334405a7"])
    }

    @Test(.proves("OTA-043")) func `with an extra acknowledgement the copy precedes the plain one`() throws {
        var bench = Bench(TestNode(random: .drawing(10)))
        bench.node.directDelayFactor = 0.2
        bench.node.extraAckCount = 1

        try bench.hear("0e02ca6e1122334405a7")
        bench.settle()

        #expect(
            bench.events == [
                .forwarded(hops: 1, delayMilliseconds: 310), .forwarded(hops: 1, delayMilliseconds: 310),
            ])
        #expect(bench.frames == ["2a016e131122334405a7", "0e016e1122334405a7"])
        #expect(bench.sent.first?.at == 310)
    }

    @Test(.proves("OTA-044"))
    func `copies of an acknowledgement are sent on once, later the more of them are to come`() throws {
        for (frame, delay) in [("2a02ca6e131122334405a7", 600), ("2a02ca6e231122334405a7", 900)] as [(String, Int64)] {
            var bench = Bench(TestNode())
            try bench.hear(frame)
            bench.settle()
            try bench.hear("2a02ca6e331122334405a7")
            bench.settle()

            #expect(bench.sent.map(\.at) == [delay])
            #expect(bench.frames == ["0e016e1122334405a7"])
            #expect(bench.drops == [.alreadySeen])
        }
    }

    @Test(.proves("OTA-045")) func `an overheard acknowledgement counts`() throws {
        var bench = Bench(TestNode())
        bench.node.awaited = 0x4433_2211

        try bench.hear("0e0211221122334405a7")
        bench.settle()

        #expect(bench.events.first == .acked(0x4433_2211))
        #expect(bench.sent.isEmpty)
    }

    @Test(
        .proves("OTA-046"),
        arguments: [
            ("3202ca6edeadbeef03", "32016edeadbeef03"), ("3602ca6edeadbeef03", "36016edeadbeef03"),
            ("3e02ca6edeadbeef03", "3e016edeadbeef03"), ("2e02ca6e7fadbeef03", "2e016e7fadbeef03"),
        ])
    func `every type is sent on along a direct path`(heard: String, expected: String) throws {
        var bench = Bench(TestNode())

        try bench.hear(heard)
        bench.settle()

        #expect(bench.frames == [expected])
    }

    @Test(.proves("OTA-047")) func `control for neighbours ends at the first of them`() throws {
        var bench = Bench(TestNode())

        try bench.hear(try RoutingVectors.heard("fwd_ctrl_high_bit_with_path"))
        try bench.hear("2e0080041122334400000000")
        try bench.hear("2e0080041122334400000000")
        bench.settle()

        #expect(bench.sent.isEmpty)
        #expect(bench.node.log == ["CONTROL", "CONTROL"])
    }

    @Test func `an addressee that is also next hop garbles the acknowledgement`() throws {
        var bench = Bench(TestNode())
        bench.node.awaited = 0x4433_2211

        try bench.hear("0e02ca6e1122334405a7")
        bench.settle()

        #expect(bench.frames == ["ff00000000016e1122334405a7"])
    }
}

@Suite struct TraceTests {
    @Test(.proves("OTA-050", "OTA-051"), arguments: ["fwd_trace_hop0", "fwd_trace_hop2_revisit"])
    func `a trace is sent on with priority 5 and the SNR at which it was heard`(name: String) throws {
        let vector = try #require(RoutingVectors.forwards.first { $0.name == name })
        var bench = Bench(TestNode())
        bench.isChannelBusy = true

        try bench.hear(try #require(vector.inputs.heard), snr: try #require(vector.inputs.snrX4))

        let entry = try #require(bench.node.core.sendQueue.entries.first)
        #expect(entry.priority == 5)
        #expect(bench.node.core.pool.packet(in: entry.slot).bytes.hex == vector.output)
    }

    @Test(.proves("OTA-051")) func `the same node is passed twice and a repetition is not`() throws {
        var bench = Bench(TestNode())

        try bench.hear("2600785634120df0feca00ca6eca")
        try bench.hear("2600785634120df0feca00ca6eca")
        try bench.hear("26020506785634120df0feca00ca6eca")
        bench.settle()

        #expect(bench.frames.count == 2)
        #expect(bench.drops == [.alreadySeen])
    }

    @Test(.proves("OTA-052")) func `everybody who hears a finished trace reads it each time`() throws {
        var bench = Bench(TestNode(.named(.carol)))

        try bench.hear("2602e305785634120df0feca00ca6e")
        try bench.hear("2602e305785634120df0feca00ca6e")

        #expect(bench.node.log == ["TRACE e305 ca6e", "TRACE e305 ca6e"])
    }

    @Test(
        .proves("OTA-053"),
        arguments: [
            ("2600785634120df0feca01ca936e7a", true), ("2600785634120df0feca01ca946e7a", false),
            ("2600785634120df0feca02ca93ac17", true), ("2600785634120df0feca02ca93ac18", false),
            ("2600785634120df0feca02ca93ac", false), ("2600785634120df0fe", false),
        ])
    func `entries are of 1, 2, 4 or 8 bytes and match whole`(heard: String, isForwarded: Bool) throws {
        var bench = Bench(TestNode())

        try bench.hear(heard)
        bench.settle()

        #expect(bench.frames.isEmpty == !isForwarded)
    }
}
