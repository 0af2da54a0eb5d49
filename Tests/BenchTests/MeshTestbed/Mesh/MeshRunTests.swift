import MeshSimulator
import MeshTime
import MeshWorlds
import Testing

/// A run with its trace file.
struct RunFixture {
    let summary: MeshSummary
    let trace: [UInt8]

    init(_ world: String, traffic: String = "flood", seconds: Int = 120, seed: UInt64 = 42) throws {
        var plan = WorldPlan(try TopologyName(world).topology(seed: Seed(seed)))
        plan.traffic = try Traffic(traffic)
        plan.silenceAdverts()
        self.init(plan, seconds: seconds, seed: seed)
    }

    init(_ plan: WorldPlan, seconds: Int, seed: UInt64 = 42) {
        var writer = TraceWriter()
        writer.begin(plan.topology, seed: Seed(seed), span: .seconds(seconds))
        var run = MeshRun(plan, seed: Seed(seed), span: .seconds(seconds)) { writer.add($0, $1, $2) }
        summary = run.perform()
        writer.end(summary, at: .seconds(seconds))
        trace = writer.takeText()
    }

    func count(_ name: String) -> Int? { summary.losses.first { $0.name == name }?.count }
}

@Suite struct MeshRunTests {
    @Test func `a channel text reaches the end of a line, sent on once by each repeater`() throws {
        let run = try RunFixture("line:6", seconds: 39)

        // 10 s: the one text of this time.
        #expect(run.summary.deliveries.map(\.sent) == [1])
        #expect(run.summary.deliveries.map(\.delivered) == [1])
        #expect(run.summary.transmissions == 5)
        #expect(run.summary.forwards == 4)
        #expect(run.summary.violations == 0)
    }

    @Test func `counts of a summary are those of its nodes`() throws {
        let summary = try RunFixture("grid:4x4", traffic: "flood:10s,direct:15s").summary

        #expect(summary.nodes.reduce(0) { $0 + $1.transmissions } == summary.transmissions)
        #expect(summary.nodes.reduce(0) { $0 + $1.received } == summary.receptions)
        #expect(summary.nodes.reduce(0) { $0 + $1.lost } == summary.lost)
        #expect(summary.receptions > 0 && summary.lost > 0)
        #expect(
            summary.deliveries.allSatisfy {
                $0.delivered <= $0.expected && $0.latencyMilliseconds.count == $0.delivered
            })
    }

    @Test func `direct texts are delivered and acknowledged, later ones along the path that was learned`() throws {
        let run = try RunFixture("line:4", traffic: "direct:30s", seconds: 130)
        let direct = try #require(run.summary.deliveries.first)

        #expect(direct.kind == "direct text")
        #expect([direct.sent, direct.delivered, direct.acknowledged] == [4, 4, 4])
        #expect(direct.roundTripMilliseconds.p50 > direct.latencyMilliseconds.p50)
    }

    @Test(arguments: ["star:6", "random:12", "city:15"])
    func `the same run twice is the same run, and another seed is another one`(world: String) throws {
        let traffic = "chat:8s,adverts:60s"
        let one = try RunFixture(world, traffic: traffic)
        let again = try RunFixture(world, traffic: traffic)
        let other = try RunFixture(world, traffic: traffic, seed: 43)

        #expect(one.summary == again.summary)
        #expect(one.trace == again.trace)
        #expect(one.summary.json == again.summary.json)
        #expect(one.summary.digest != other.summary.digest)
        #expect(one.summary.unseed != other.summary.unseed)
        #expect(one.summary.violations == 0)
    }

    @Test func `a world without traffic and adverts is silent`() throws {
        let summary = try RunFixture("grid:3x3", traffic: "none", seconds: 3600).summary

        #expect(summary.transmissions == 0)
        #expect(summary.deliveries.isEmpty)
        #expect(summary.text.contains("nobody sent anything"))
    }

    @Test func `everybody gets an advert who is in range, and not its sender`() throws {
        let summary = try RunFixture("star:5", traffic: "adverts:600s", seconds: 900).summary
        let adverts = try #require(summary.deliveries.first)

        #expect(adverts.kind == "advert")
        #expect(adverts.sent >= 4)
        #expect(adverts.expected == adverts.sent * 3)
        #expect(adverts.delivered > 0)
    }

    @Test func `percentiles are those of the nearest rank`() throws {
        let run = try RunFixture("line:3", traffic: "flood:2s", seconds: 60).summary
        let latency = try #require(run.deliveries.first).latencyMilliseconds

        #expect(latency.p50 <= latency.p90 && latency.p90 <= latency.p99 && latency.p99 <= latency.longest)
        #expect(latency.longest < 10_000)
    }
}

@Suite struct TrafficTests {
    @Test func `rules draw from streams of their own`() throws {
        let topology = Topology.star(8)
        let alone = try Traffic("chat:10s").events(in: topology, until: .seconds(600), seed: Seed(3))
        let accompanied = try Traffic("chat:10s,flood:7s,adverts:60s").events(
            in: topology, until: .seconds(600), seed: Seed(3))

        let chat = accompanied.filter {
            switch $0.message {
            case .channelText(let text), .directText(_, let text): text.hasPrefix("chat")
            case .advert: false
            }
        }
        #expect(alone == chat)
        #expect(alone.count > 40)
        #expect(accompanied.map(\.at) == accompanied.map(\.at).sorted())
    }

    @Test func `the benchmark's text comes at 10 s and then every 30 s, numbered`() throws {
        let events = try Traffic("flood").events(in: .line(3), until: .seconds(600), seed: Seed(42))

        #expect(events.count == 20)
        #expect(events.map(\.at.milliseconds) == (0..<20).map { 10_000 + 30_000 * $0 })
        #expect(events[1].message == .channelText("flood 0002 0123456789abcdef0123"))
    }

    @Test(arguments: [
        ("flood:0s", "interval"), ("flood:5x", "interval"), ("", "no kind"), ("flood,", "no kind"),
        ("none:5s", "interval"),
        ("flood:99999999999999999999s", "interval"), ("flood:999999999d", "interval"),
    ])
    func `what is no traffic is refused`(text: String, reason: String) {
        let error = #expect(throws: TrafficNameError.self) { try Traffic(text) }
        #expect(error?.description.contains(reason) == true)
    }

    @Test func `an interval of a millisecond and a run of ten years stay within bounds`() throws {
        let traffic = try Traffic("flood:1ms")
        let events = traffic.events(in: .line(2), until: .start + .seconds(315_360_000), seed: Seed(1))
        #expect(events.count == Traffic.mostEvents)
    }

    @Test(arguments: [
        ("90", 90_000), ("90s", 90_000), ("1500ms", 1500), ("10m", 600_000), ("2h", 7_200_000), ("1d", 86_400_000),
    ])
    func `times are read in the units that people write`(text: String, milliseconds: Int64) {
        #expect(TimeSpan(spelled: text)?.milliseconds == milliseconds)
    }
}
