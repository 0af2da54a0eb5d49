import MeshCrypto
import MeshPacket
import MeshRadio
import MeshTestSupport
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

@Suite struct DispatcherTests {
    /// Six bytes, 222 ms on the air with the default settings.
    static let shortFrame = "3e00deadbeef"

    @Test(.proves("OTA-095"))
    func `the most urgent due packet goes first, equals in order, and priority 255 never`() throws {
        var bench = Bench(TestNode())
        bench.isChannelBusy = true
        try bench.queueRaw("3e0003", priority: 3)
        try bench.queueRaw("3e0001", priority: 1)
        try bench.queueRaw("3e0002", priority: 1)
        try bench.queueRaw("3e00ff", priority: 255)

        bench.isChannelBusy = false
        bench.settle()

        #expect(bench.frames == ["3e0001", "3e0002", "3e0003"])
        #expect(bench.node.core.queuedToSend == 1)
    }

    @Test(.proves("OTA-096"), arguments: 0..<20)
    func `a busy channel is tried again until it has been busy for four seconds`(seed: UInt64) throws {
        var bench = Bench(TestNode(random: Seed(seed).stream("backoff")))
        bench.run(.milliseconds(10))
        bench.isChannelBusy = true
        try bench.queueRaw(Self.shortFrame)

        var tries: [Int64] = []
        while bench.sent.isEmpty, bench.node.nextWake != .never {
            tries.append((bench.node.nextWake - bench.now).milliseconds)
            bench.run(bench.node.nextWake - bench.now)
        }

        #expect(Set(tries).isSubset(of: [121, 241, 361]))
        let at = try #require(bench.sent.first).at - 10
        #expect((4001...4361).contains(at))
        #expect(bench.node.core.errorFlags == .channelBusy)
    }

    @Test func `a channel that becomes free in time leaves no trace of an error`() throws {
        var bench = Bench(TestNode())
        bench.isChannelBusy = true
        try bench.queueRaw(Self.shortFrame)
        bench.run(.milliseconds(3900))
        bench.isChannelBusy = false
        bench.settle()

        #expect(bench.frames.count == 1)
        #expect(bench.node.core.errorFlags == [])
    }

    @Test(.proves("OTA-097")) func `with an empty budget the node earns half a longest frame first`() throws {
        var bench = Bench(TestNode())
        _ = bench.node.core.budget.spend(1_800_000, at: Millis(0), airtimeFactor: 1)

        try bench.queueRaw(Self.shortFrame)
        bench.settle()

        // 756 ms at a share of one half; the moment must have passed.
        #expect(bench.sent.map(\.at) == [1513])
    }

    @Test(arguments: [(1.0, 1_800_000), (0, 3_600_000), (9, 360_000)] as [(Float, UInt32)])
    func `the budget is that of an hour's share`(airtimeFactor: Float, capacity: UInt32) {
        var budget = TransmitBudget(at: Millis(0))
        #expect(budget.milliseconds == 1_800_000)

        budget.refill(at: Millis(4_000_000), airtimeFactor: airtimeFactor)
        #expect(budget.milliseconds == capacity)

        let pause = budget.spend(capacity, at: Millis(4_000_000), airtimeFactor: airtimeFactor)
        #expect(budget.milliseconds == 0)
        #expect(Float(pause) == 100 / TransmitBudget.share(airtimeFactor).rounded(.toNearestOrEven, digits: 6))
    }

    @Test func `a finished transmission is charged with its real length`() throws {
        var bench = Bench(TestNode())
        try bench.queueRaw(Self.shortFrame)
        bench.settle()

        let statistics = bench.node.core.statistics
        #expect(statistics.airtime == 222)
        #expect(statistics.sentDirect == 1 && statistics.sentFlood == 0 && statistics.framesSent == 1)
    }

    @Test(.proves("OTA-098")) func `a transmission that does not end is given up and not counted`() throws {
        var bench = Bench(TestNode())
        bench.completes = false
        bench.run(.milliseconds(5))
        try bench.queueRaw(Self.shortFrame)
        #expect(bench.sent.map(\.at) == [5])

        bench.run(.milliseconds(333))
        #expect(bench.node.core.inFlight != nil)
        bench.run(.milliseconds(1))

        #expect(bench.node.core.inFlight == nil)
        #expect(bench.node.core.statistics == RoutingStatistics())
        #expect(bench.node.core.pool.inUse == 0)
    }

    @Test(.proves("OTA-099")) func `while it sends a node hears nothing and starts nothing`() throws {
        var bench = Bench(TestNode())
        bench.run(.milliseconds(5))
        try bench.queueRaw("3e00" + String(repeating: "11", count: 184))
        try bench.queueRaw("3e0022", delay: 100)
        bench.run(.milliseconds(300))

        try bench.hear("0d0011223344")
        #expect(bench.node.core.statistics.framesReceived == 0)
        #expect(bench.drops == [.transmitting])
        bench.settle()

        let length = Airtime(LoRaParameters()).microseconds(bytes: 186)
        try #require(bench.frames.count == 2)
        #expect(bench.sent[1].at >= 5 + length / 1000)
        #expect(bench.node.log.isEmpty)
    }

    @Test func `a transmission of more than eight seconds sets the flag of a stuck radio`() throws {
        var bench = Bench(TestNode())
        bench.node.core.tune(LoRaParameters(bandwidthHertz: 125_000, spreadingFactor: 12, codingRate: 8))
        try bench.queueRaw("3e00" + String(repeating: "11", count: 184))
        bench.settle()

        #expect(bench.node.core.errorFlags == .radioStuck)
    }

    /// The settings with which a row of the table was computed.
    private func parameters(of row: RoutingVectors.ScoreRow) throws -> LoRaParameters {
        for bandwidth in [62_500, 125_000, 250_000] as [UInt32] {
            for codingRate in 5...8 as ClosedRange<UInt8> {
                let candidate = LoRaParameters(
                    bandwidthHertz: bandwidth, spreadingFactor: row.sf, codingRate: codingRate)
                if candidate.airtimeMilliseconds(bytes: row.len) == row.airtimeMs { return candidate }
            }
        }
        Issue.record("no settings give \(row.airtimeMs) ms")
        return LoRaParameters()
    }

    @Test(
        .proves("OTA-100"), arguments: RoutingVectors.all.tables.scoreAndRxDelay.filter { $0.len < 200 },
        [10, 2.5] as [Float])
    func `weakly heard floods wait for a better copy`(row: RoutingVectors.ScoreRow, base: Float) throws {
        let delay = Int64(base == 10 ? row.rxDelayMsBase10 : row.rxDelayMsBase25)
        var bench = Bench(TestNode())
        bench.node.core.tune(try parameters(of: row))
        bench.node.receiveDelayBase = base
        bench.node.forwards = false

        try bench.hear([0x0D, 0x00] + [UInt8](repeating: 7, count: row.len - 2), snr: Int(row.snr * 4))

        let wait = delay < 50 ? 0 : min(delay, 32_000)
        #expect(bench.node.log.isEmpty == (wait > 0))
        if wait > 0 {
            bench.run(.milliseconds(wait - 1))
            #expect(bench.node.log.isEmpty)
            bench.run(.milliseconds(1))
        }
        #expect(bench.node.log == ["ACK"])
    }

    @Test func `of two delayed copies the better one wins`() throws {
        var bench = Bench(TestNode())
        bench.node.receiveDelayBase = 10

        try bench.hear("0d01aa11223344", snr: -38)
        try bench.hear("0d01bb11223344", snr: 8)
        bench.settle()

        #expect(bench.frames == ["0d02bbca11223344"])
    }

    @Test(.proves("OTA-101")) func `a lack of packets is an error when sending and not when receiving`() throws {
        var sender = Bench(TestNode())
        for _ in 0..<16 { try sender.queueRaw(Self.shortFrame, delay: 1_000_000) }
        var receiver = sender

        let created = ([1] as [UInt8]).withUnsafeBytes { sender.node.core.createRaw($0) }
        try receiver.hear("0d0011223344")

        #expect(created == nil)
        #expect(sender.node.core.errorFlags == .poolEmpty)
        #expect(receiver.node.core.errorFlags == [])
        #expect(receiver.drops == [.poolEmpty])
        #expect(receiver.node.core.statistics.framesReceived == 1)
    }

    @Test func `delays hold across the wrap of the millisecond counter`() throws {
        var node = TestNode()
        node.core = RoutingCore(
            identity: .named(.repeater1), board: .heltecV3, random: Seed(1).stream("wrap"),
            clock: RealTimeClock(unixSeconds: 0, at: .start), at: .start, millisAtBoot: .max - 200)
        var bench = Bench(node)

        try bench.queueRaw(Self.shortFrame, delay: 500)
        bench.settle()

        #expect(bench.sent.map(\.at) == [500])
        #expect(bench.node.core.statistics.sentDirect == 1)
    }

    @Test func `an idle node asks for no pass`() throws {
        var bench = Bench(TestNode())
        try bench.hear("0d0011223344")
        bench.settle()

        #expect(bench.node.nextWake == .never)
        #expect(bench.node.core.pool.inUse == 0)
    }

    @Test func `a copy of a node is a snapshot`() throws {
        var bench = Bench(TestNode(random: .drawing(400)))
        bench.node.floodDelayFactor = 0.5
        try bench.hear("0d0011223344")
        var other = bench

        bench.settle()
        #expect(other.node.core.queuedToSend == 1)
        other.settle()

        #expect(bench.frames == other.frames && bench.frames.count == 1)
        #expect(bench.sent.map(\.at) == other.sent.map(\.at))
    }
}

extension Float {
    /// Rounded to so many decimals, against the noise of 32-bit division.
    fileprivate func rounded(_ rule: FloatingPointRoundingRule, digits: Int) -> Float {
        let scale = (0..<digits).reduce(Double(1)) { power, _ in power * 10 }
        return Float((Double(self) * scale).rounded(rule) / scale)
    }
}

@Suite struct RealTimeClockTests {
    @Test func `the clock runs from where it was set, in whole seconds`() {
        var clock = RealTimeClock(unixSeconds: 1_715_770_351, at: .start)
        #expect(clock.time(at: .milliseconds(1999)) == 1_715_770_352)

        clock.set(100, at: .milliseconds(1999))

        #expect(clock.time(at: .milliseconds(2998)) == 100)
        #expect(clock.time(at: .milliseconds(2999)) == 101)
    }

    @Test func `unique times never repeat, even when the clock goes back`() {
        var clock = RealTimeClock(unixSeconds: 1000, at: .start)
        let first = (0..<3).map { _ in clock.uniqueTime(at: .start) }
        clock.set(10, at: .start)

        #expect(first == [1000, 1001, 1002])
        #expect(clock.uniqueTime(at: .start) == 1003)
    }
}
