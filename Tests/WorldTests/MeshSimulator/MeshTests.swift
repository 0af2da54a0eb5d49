import MeshFirmware
import MeshSimulator
import MeshTime
import Testing

@Suite struct MeshTests {
    @Test func `a channel text crosses a line of repeaters, each of which sends it once`() {
        var world = World.mesh(10, trace: 10_000)
        world.run(until: .seconds(5))

        world.sendChannelText("hello", from: 0)
        world.run(until: .seconds(60))

        #expect(world.statistics.transmissions == 9)
        #expect(world.statistics.receptions == 17)
        #expect(world.reports { $0 == .delivered(payloadType: 5) } == 1)
        #expect(world.invariants.violations.isEmpty)
    }

    @Test func `a text is acknowledged over the way it came, and the invariants agree`() {
        var world = World.mesh(4, trace: 10_000)
        world.sendAdvert(from: 0)
        world.run(until: .seconds(30))
        world.sendAdvert(from: 3)
        world.run(until: .seconds(60))

        world.sendText("hello", from: 0, to: 3)
        world.run(until: .seconds(120))

        #expect(world.reports { if case .acknowledging = $0 { true } else { false } } == 1)
        #expect(world.reports { if case .acked = $0 { true } else { false } } == 1)
        #expect(world.invariants.violations.isEmpty)
    }

    @Test func `a signature is verified and a hash computed once per world, not once per listener`() {
        var grid = World.mesh(6, 6)

        grid.sendAdvert(from: 0)
        grid.run(until: .seconds(60))

        #expect(grid.statistics.receptions > 36)
        #expect(grid.cryptography.signatures == 1)
        #expect(grid.cryptography.hashes == 1)
    }

    @Test func `sharing what is known of packets changes nothing: a forged advert is refused by everyone`() throws {
        var world = World.mesh(3, trace: 10_000)
        var spoiled = world
        world.sendAdvert(from: 0)
        world.run(until: .seconds(20))
        spoiled.schedule(Fault(.corruption(perTenThousand: 10_000, from: NodeID(index: 0), passesChecksum: true)))
        spoiled.sendAdvert(from: 0)
        spoiled.run(until: .seconds(20))

        #expect(world.companion(NodeID(index: 2))?.contacts.listedCount == 1)
        #expect(spoiled.companion(NodeID(index: 2))?.contacts.listedCount == 0)
    }

    @Test func `a restored snapshot ends as the run that went through`() {
        for seed in UInt64(1)...6 {
            var through = Soak(seed: seed)
            through.run(seconds: 120)
            var restored = through
            through.run(seconds: 180)
            let branch = restored.world.digest
            restored.run(seconds: 180)

            #expect(branch != restored.world.digest)
            #expect(through.world.digest == restored.world.digest)
            #expect(through.world.unseed == restored.world.unseed)
            #expect(through.world.statistics == restored.world.statistics)
        }
    }

    @Test func `worlds of different seeds differ, in what they emit and in what they drew`() {
        var one = Soak(seed: 1)
        var other = Soak(seed: 2)
        one.run(seconds: 30)
        other.run(seconds: 30)

        #expect(one.world.digest != other.world.digest)
        #expect(one.world.unseed != other.world.unseed)
    }

    @Test func `trace and invariants change nothing`() {
        var digests: Set<Digest> = []
        for (trace, checks) in [(0, false), (0, true), (100, false), (100, true)] {
            var world = World.mesh(5, 5, trace: trace, checks: checks, isQuiet: false)
            world.sendChannelText("hello", from: 0)
            world.run(until: .seconds(60))
            digests.insert(world.digest)
        }

        #expect(digests.count == 1)
    }

    @Test func `a clock that runs fast wakes its node early`() {
        var times: [Instant] = []
        for skew in [Int32(0), 100_000] {
            var world = World(seed: Seed(1), traceCapacity: 100)
            var description = NodeDescription("r", .repeater)
            description.clockSkewPartsPerMillion = skew
            world.add(description)
            world.run(until: .seconds(30))
            for record in world.trace.records {
                if case .txBegin = record.event { times.append(record.time) }
            }
        }

        #expect(times.count == 2)
        #expect(abs(times[0].milliseconds - 16_001) <= 2, "the first advert comes 16 s after boot")
        #expect(abs(times[1].milliseconds - 16_001 * 10 / 11) <= 2)
    }
}
