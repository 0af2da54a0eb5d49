import MeshCompanion
import MeshCore
import MeshFirmware
import MeshPacket
import MeshTime
import Testing

@testable import MeshSimulator
@testable import MeshStudy
@testable import MeshWorlds

/// The different behaviour of people and their apps in an arm.
@Suite struct HabitTests {
    /// A study of one world whose two arms differ in what `second` says.
    private static func plan(
        _ second: String, world: String = "line:4", traffic: String = "direct:20s", span: String = "120s",
        common: String = ""
    ) throws -> StudyPlan {
        try StudyText.plan(
            """
            {"study": "habits", "world": "\(world)", "for": "\(span)", "traffic": "\(traffic)", "seeds": 20, \(common)
             "arms": [{"name": "plain"}, {"name": "other"\(second)}], "metrics": {"delivery": 0.1}}
            """)
    }

    /// Runs an arm of a plan, and returns all lines of its trace.
    private static func run(_ plan: StudyPlan, _ arm: Int, seed: UInt64 = 1) throws -> (MeshSummary, [TraceRecord]) {
        var records: [TraceRecord] = []
        let world = try plan.plan(plan.arms[arm], on: plan.base(seed: Seed(seed)), Seed(seed))
        var run = MeshRun(world, seed: Seed(seed), span: plan.span, habits: plan.arms[arm].habits) {
            if case .event(let event) = $2 { records.append(TraceRecord(time: $0, node: $1, event: event)) }
        }
        return (run.perform(), records)
    }

    private static func sent(_ records: [TraceRecord]) -> [PacketView] {
        records.compactMap { record in
            guard case .txBegin(_, let bytes, _) = record.event else { return nil }
            return try? PacketView(bytes)
        }
    }

    // MARK: Retries

    @Test func `an app with retries gets more texts through a link that loses half`() throws {
        let loss = #""faults": [{"kind": "loss", "share": 0.5}], "#
        let plan = try Self.plan(#", "apps": {"retry": "architectureV2"}"#, common: loss)
        var (plain, other) = (MeshSummary.Delivery.none, MeshSummary.Delivery.none)
        for seed in 1...10 as ClosedRange<UInt64> {
            plain.add(try Self.run(plan, 0, seed: seed).0)
            other.add(try Self.run(plan, 1, seed: seed).0)
        }

        #expect(plain.sent == other.sent && plain.attempts == plain.sent)
        #expect(other.attempts > other.sent && other.attempts <= 4 * other.sent)
        #expect(other.acknowledged > plain.acknowledged)
        #expect(other.delivered > plain.delivered)
    }

    @Test(arguments: [
        (#"{"attempts": 3, "flood_after": 0, "flood_attempts": 3}"#, [true, true, true]),
        (#"{"attempts": 4, "flood_after": 2, "flood_attempts": 2}"#, [false, false, true, true]),
        (#"{"attempts": 5, "flood_after": 2, "flood_attempts": 1}"#, [false, false, true]),
    ])
    func `attempts go by the path first, or flood first, as the policy says`(_ retry: String, _ floods: [Bool]) throws {
        // Alice and bob have each other's path after the first text; then nobody hears bob any more.
        let faults = #""faults": [{"kind": "partition", "nodes": ["bob"], "at": "40s"}], "#
        let plan = try Self.plan(
            #", "apps": {"retry": \#(retry)}"#, traffic: "direct:60s", span: "300s", common: faults)
        let (summary, records) = try Self.run(plan, 1)

        let texts = Self.sent(records.filter { $0.node.index == 0 && $0.time >= .start + .seconds(60) })
            .filter { $0.type == .txtMsg }
        #expect(Array(texts.map(\.isFlood).prefix(floods.count)) == floods)
        #expect(summary.deliveries.first?.acknowledged == 1)
    }

    @Test func `with two texts on their way, a pause is longer by up to a wait`() throws {
        var attempts = TextAttempts(
            RetryPolicy(maxAttempts: 3, floodAfter: 2, maxFloodAttempts: 1, jitter: 1), seed: Seed(1))
        func text(_ number: Int) -> TextAttempts.Text {
            .init(message: number, from: 7, to: 8, text: "x", timestamp: 1)
        }
        for number in 1...2 {
            #expect(attempts.begin(text(number)).number == 0)
            attempts.taken(number, .init(route: 0, tag: UInt32(number), timeout: 1000), at: .start)
        }
        // 1.2 times what the radio suggests.
        #expect(attempts.next == .start + .milliseconds(1200))
        #expect(attempts.takeDue(at: .start + .milliseconds(1200)) { "\($0)" }.isEmpty)
        let pauses = attempts.next
        #expect(pauses > .start + .milliseconds(1200) && pauses <= .start + .milliseconds(2400))
        attempts.end(1)
        attempts.end(2)
        #expect(attempts.next == .never)
    }

    @Test func `what one app draws for its pauses moves nobody else's`() throws {
        // When the second attempts of both texts of node 9 go out, while node 7 has so many texts on their way.
        func retries(besides others: Int) -> [Instant] {
            var attempts = TextAttempts(
                RetryPolicy(maxAttempts: 2, floodAfter: 2, maxFloodAttempts: 1, jitter: 1), seed: Seed(1))
            for number in 0..<others + 2 {
                let from = number < others ? 7 : 9
                _ = attempts.begin(.init(message: number, from: from, to: 8, text: "x", timestamp: 1))
                attempts.taken(number, .init(route: 0, tag: UInt32(number), timeout: 1000), at: .start)
            }
            var times: [Instant] = []
            while attempts.next != .never {
                let now = attempts.next
                for send in attempts.takeDue(at: now, label: { "node \($0)" }) where send.text.from == 9 {
                    times.append(now)
                }
            }
            return times
        }

        #expect(retries(besides: 0).count == 2)
        #expect(retries(besides: 0) == retries(besides: 2))
        #expect(retries(besides: 0) == retries(besides: 5))
        #expect(Set(retries(besides: 0)).count == 2)
    }

    // MARK: Settings of radios

    @Test(arguments: [1, 2, 3]) func `floods of companions have hops of so many bytes`(_ bytes: Int) throws {
        let plan = try Self.plan(#", "apps": {"path_hash_size": \#(bytes)}"#, traffic: "flood:10s")
        let (_, records) = try Self.run(plan, 1)

        let floods = Self.sent(records).filter { $0.type == .grpTxt }
        #expect(!floods.isEmpty)
        #expect(floods.allSatisfy { $0.pathLength.hashSize == bytes })
    }

    @Test func `a scoped flood dies where repeaters do not know its region`() throws {
        let apps = #", "apps": {"region": "town"}"#
        let without = try Self.plan(apps, traffic: "flood:10s")
        let with = try Self.plan(apps + #", "repeater": {"regions": ["town"]}"#, traffic: "flood:10s")

        #expect(try Self.run(without, 0).0.deliveries.first?.delivered ?? 0 > 5)
        #expect(try Self.run(without, 1).0.deliveries.first?.delivered == 0)
        #expect(try Self.run(with, 1).0.deliveries.first?.delivered ?? 0 > 5)
    }

    @Test(arguments: [
        (#", "apps": {"retry": "often"}"#, "neither none nor a profile"),
        (#", "apps": {"path_hash_size": 4}"#, "path_hash_size"),
        (#", "apps": {"path_hash_size": 2}, "firmware": "1.14""#, nil),
        (#", "apps": {"region": "town"}, "firmware": "1.14""#, "1.15 or later"),
        (#", "walk": {"share": 0.5}"#, "nobody can walk"),
        (#", "walk": {"speed": 1}"#, "speed: is not known here"),
        (#", "faults": [{"kind": "loss", "from": "nobody"}]"#, "there is no node"),
        (#", "share": 2"#, "share"),
        (#", "apps": {"picture": {"from": "nobody"}}"#, "is no companion"),
        (#", "apps": {"picture": {"over": ["bob"]}}"#, "is no repeater"),
        (#", "apps": {"picture": {"pace": "slow"}}"#, "radio, time, relay"),
    ])
    func `what nobody of the world can do is refused`(_ second: String, _ complaint: String?) throws {
        guard let complaint else { return _ = try Self.plan(second) }
        let error = #expect(throws: (any Error).self) { try Self.plan(second) }
        #expect("\(try #require(error))".contains(complaint), "\(String(describing: error))")
    }

    // MARK: Pictures

    private static func chunks(_ records: [TraceRecord], of node: Int) -> [(time: Instant, payload: [UInt8])] {
        records.compactMap { record in
            guard record.node.index == node, case .txBegin(_, let bytes, _) = record.event,
                let packet = try? PacketView(bytes), packet.type == .rawCustom
            else { return nil }
            return (record.time, packet.payload)
        }
    }

    @Test func `a picture goes over the repeater, chunk after relay; without a pace its chunks meet the relays`()
        throws
    {
        func spans(_ pace: String) throws -> (alice: TimeSpan, relays: Int) {
            let plan = try Self.plan(
                #", "apps": {"picture": {"over": ["r1"], "chunks": 8, "pace": "\#(pace)"}}"#, world: "star:4",
                traffic: "none")
            let (_, records) = try Self.run(plan, 1)
            let sent = Self.chunks(records, of: 1)
            #expect(Set(sent.map(\.payload)).count == 8 && sent.count == 8)
            let last = try #require(sent.last)
            return (last.time - sent[0].time, Self.chunks(records, of: 0).count)
        }
        let (radio, time, relay) = (try spans("radio"), try spans("time"), try spans("relay"))

        #expect(radio.alice < relay.alice && radio.alice < time.alice && relay.alice != time.alice)
        // What follows too soon meets the relay of the one before.
        #expect(time.relays == 8 && relay.relays == 8 && radio.relays < 8)
    }

    @Test func `a chunk whose relay is not heard goes once more over two repeaters`() throws {
        let plan = try Self.plan(
            #", "apps": {"picture": {"over": ["r1", "r2"], "chunks": 3}}"#, traffic: "none",
            common: #""faults": [{"kind": "partition", "nodes": ["r1"]}], "#)
        let sent = Self.chunks(try Self.run(plan, 1).1, of: 0).map(\.payload)

        #expect(sent.count == 5 && Set(sent).count == 3)
        #expect(sent[0] == sent[1] && sent[2] == sent[3])
    }

    // MARK: Shares

    @Test func `a greater share has all nodes of a smaller one`() throws {
        let base = try Self.plan("", world: "city:60").base(seed: Seed(1))
        var earlier: Set<Int> = []
        for share in [0.2, 0.5, 0.8, 1] {
            let plan = try Self.plan(
                #", "share": \#(share), "repeater": {"flood_max": 9}"#, world: "city:60", traffic: "chat:10s")
            let changed = try plan.plan(plan.arms[1], on: base, Seed(1))
            let nodes = Set(changed.equipment.indices.filter { changed.equipment[$0].setup.preferences.floodMax == 9 })
            #expect(nodes.isStrictSuperset(of: earlier), "share \(share)")
            earlier = nodes
        }
        #expect(earlier.count == base.topology.nodes.count { $0.role == .repeater })
    }

    // MARK: Walks

    /// A walker's neighbours change, and the random numbers of all others stay.
    @Test func `walkers meet others, and those who stay draw as before`() throws {
        let plan = try Self.plan(
            #", "walk": {"share": 0.3, "speed_m_s": 20, "every": "5s"}"#, world: "city:30", traffic: "adverts:30s",
            span: "200s")
        let (still, before) = try Self.run(plan, 0)
        let (walking, after) = try Self.run(plan, 1)
        let (again, repeated) = try Self.run(plan, 1)

        #expect(walking.digest != still.digest)
        #expect(walking.digest == again.digest && after == repeated)
        // When apps say something is drawn apart from where they are.
        #expect(still.deliveries.map(\.sent) == walking.deliveries.map(\.sent))
        #expect(before.prefix { $0.time < .start + .seconds(5) } == after.prefix { $0.time < .start + .seconds(5) })
    }

    @Test func `a walk of no speed worth naming changes no link that the places gave`() throws {
        let plan = try Self.plan(
            #", "walk": {"share": 1, "speed_m_s": 0.01, "every": "10s"}"#, world: "city:40", traffic: "chat:10s",
            span: "60s")
        let world = try plan.plan(plan.arms[1], on: plan.base(seed: Seed(2)), Seed(2))
        var run = MeshRun(world, seed: Seed(2), span: plan.span, habits: plan.arms[1].habits)
        _ = run.perform()

        var compared = 0
        for link in world.topology.links {
            // Lifelines are no matter of places, and a link at the limit may go.
            guard let before = link.there, before.rssiHundredths != -12_000, before.snrHundredths > -990 else {
                continue
            }
            let now = run.world.links[NodeID(index: link.from), NodeID(index: link.to)]
            let change = now.map { abs(Int($0.snrHundredths) - Int(before.snrHundredths)) }
            #expect(change ?? .max <= 30, "\(link)")
            compared += 1
        }
        #expect(compared > 100)
        #expect(world.topology.nodes.contains { $0.gainHundredths > 0 })
    }

    // MARK: Spoiled frames

    @Test func `a frame spoiled in its sender is a packet more, which floods on`() throws {
        let plan = try Self.plan(
            #", "faults": [{"kind": "sender-corruption", "share": 0.2}]"#, world: "grid:4x4", traffic: "flood:10s")
        let (plain, clean) = try Self.run(plan, 0)
        let (summary, records) = try Self.run(plan, 1)

        let packets = Set(Self.sent(records).filter { $0.type == .grpTxt }.map(\.packetHash))
        let cleanPackets = Set(Self.sent(clean).filter { $0.type == .grpTxt }.map(\.packetHash))
        #expect(packets.count > cleanPackets.count)
        #expect(summary.transmissions > plain.transmissions)
    }

    @Test func `retries of one arm move nobody else's numbers`() throws {
        let island = """
            {"format": "meshbed world 1", "nodes": [
              {"name": "alice", "role": "companion"}, {"name": "r1"}, {"name": "bob", "role": "companion"},
              {"name": "carol", "role": "companion"}, {"name": "r2"}, {"name": "dave", "role": "companion"}],
             "links": [{"from": "alice", "to": "r1"}, {"from": "r1", "to": "bob"},
                       {"from": "carol", "to": "r2"}, {"from": "r2", "to": "dave"}],
             "traffic": [{"from": "alice", "to": "bob", "text": "x NNNN", "at": "5s", "every": "7s"},
                         {"from": "carol", "to": "#advert", "at": "5s", "every": "9s"}]}
            """
        let world = try WorldFile.read(Array(island.utf8), name: "islands", seed: Seed(1))
        func trace(_ retry: RetryPolicy?) -> [TraceRecord] {
            var world = world
            world.faults.append(Fault(.partition([NodeID(index: 2)])))
            var habits = PeopleHabits()
            habits.retry = retry
            var records: [TraceRecord] = []
            var run = MeshRun(world, seed: Seed(4), span: .seconds(120), habits: habits) {
                if case .event(let event) = $2 { records.append(TraceRecord(time: $0, node: $1, event: event)) }
            }
            _ = run.perform()
            return records
        }
        let (once, often) = (trace(nil), trace(RetryPolicy(maxAttempts: 4, floodAfter: 2, maxFloodAttempts: 2)))
        func times(_ records: [TraceRecord], of nodes: Range<Int>) -> [Instant] {
            records.filter { nodes.contains($0.node.index) }.map(\.time)
        }

        #expect(times(once, of: 0..<3) != times(often, of: 0..<3))
        #expect(times(once, of: 3..<6) == times(often, of: 3..<6))
        #expect(!times(once, of: 3..<6).isEmpty)
    }
}

/// Direct texts of some runs together.
extension MeshSummary.Delivery {
    fileprivate struct Sum {
        var sent = 0
        var attempts = 0
        var delivered = 0
        var acknowledged = 0

        mutating func add(_ summary: MeshSummary) {
            for each in summary.deliveries where each.kind == "direct text" {
                sent += each.sent
                attempts += each.attempts
                delivered += each.delivered
                acknowledged += each.acknowledged
            }
        }
    }

    fileprivate static var none: Sum { Sum() }
}
