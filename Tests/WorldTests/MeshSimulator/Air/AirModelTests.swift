import MeshFirmware
import MeshRadio
import MeshSimulator
import MeshTime
import Testing

/// Symbols at default parameters are 4.096 ms, preambles 32 of them, and the last five have to be undisturbed.
@Suite struct AirModelTests {
    let a = NodeID(index: 0)
    let b = NodeID(index: 1)
    let c = NodeID(index: 2)
    let airtime = Airtime(LoRaParameters())

    @Test(arguments: [(-1000, true), (-1001, false)])
    func `a frame is made out down to the SNR limit of its spreading factor`(snr: Int, isHeard: Bool) {
        var world = World.parrots(2, air: .step)
        world.links[a, b] = Signal(snrHundredths: Int16(snr), rssiHundredths: -12000)

        world.send([0x2E], from: 0)
        world.run(until: .milliseconds(100))
        world.inject(.appBytes([3]), into: b)
        world.run(until: .seconds(1))

        #expect(world.takeTold(1) == (isHeard ? ["r", "h."] : ["q"]))
        #expect(world.losses(at: 1) == (isHeard ? [] : [.tooWeak]))
    }

    @Test func `what is too weak to be made out still disturbs`() {
        var world = World.parrots(3, air: .step)
        world.links[a, b] = Signal(snrHundredths: -900, rssiHundredths: -11900)
        world.links[c, b] = Signal(snrHundredths: -1100, rssiHundredths: -12100)

        world.send(Array("one".utf8), from: 0)
        world.run(until: .milliseconds(20))
        world.send(Array("two".utf8), from: 2)
        world.run(until: .seconds(1))

        #expect(world.losses(at: 1) == [.collision, .tooWeak])
    }

    @Test func `the limits of all spreading factors can be set`() {
        var air = AirModel.step
        air.snrLimitsHundredths = Array(repeating: 500, count: 8)
        var world = World.parrots(2, air: air)
        world.links[a, b] = Signal(snrHundredths: 499, rssiHundredths: -9000)

        world.send([0x2E], from: 0)
        world.run(until: .seconds(1))

        #expect(world.losses(at: 1) == [.tooWeak])
    }

    /// After 100 ms the first frame is still in its preamble, after 150 ms it is not.
    @Test(arguments: [
        (100, AirModel.Relock.duringPreamble, true), (150, .duringPreamble, false), (150, .always, true),
        (100, .never, false),
    ])
    func `a modem leaves its frame for a stronger one only as long as the model lets it`(
        delay: Int, relock: AirModel.Relock, isTaken: Bool
    ) {
        var air = AirModel()
        air.relock = relock
        var world = World.parrots(3, air: air)
        world.links[a, b] = .weak

        world.send([UInt8](repeating: 1, count: 100), from: 0)
        world.run(until: .milliseconds(delay))
        world.send(Array("two".utf8), from: 2)
        world.run(until: .seconds(3))

        #expect(world.takeTold(1) == (isTaken ? ["htwo"] : ["e"]))
        #expect(world.losses(at: 1) == (isTaken ? [.collision] : [.missed, .collision]))
    }

    @Test(arguments: [(0, true), (-1, false)])
    func `a frame survives what is gone before the last five symbols of its preamble`(early: Int, isHeard: Bool) {
        var world = World.parrots(3)
        // One frame ends exactly when the other one's last five preamble symbols begin, or a microsecond later.
        let critical = TimeSpan(microseconds: 27 * airtime.symbolMicroseconds)
        let end = Instant.microseconds(airtime.microseconds(bytes: 3))

        world.send(Array("one".utf8), from: 0)
        world.run(until: end - critical + .microseconds(early))
        world.send(Array("two".utf8), from: 2)
        world.run(until: .seconds(2))

        #expect(world.takeTold(1).contains("htwo") == isHeard)
    }

    @Test func `a receiver listens again a turn-around after a transmission, and catches a preamble that goes on`() {
        for (early, isHeard) in [(0, true), (1, false)] {
            var air = AirModel()
            air.turnaround = .milliseconds(3)
            var world = World.parrots(2, air: air)
            let critical = TimeSpan(microseconds: 27 * airtime.symbolMicroseconds)
            let end = Instant.microseconds(airtime.microseconds(bytes: 1))

            world.send([0x31], from: 1)
            world.run(until: end + .milliseconds(3) - critical - .microseconds(early))
            world.send(Array("two".utf8), from: 0)
            world.run(until: .seconds(2))

            #expect(world.takeTold(1) == (isHeard ? ["d", "htwo"] : ["d"]))
            #expect(world.losses(at: 1) == (isHeard ? [] : [.halfDuplex]))
        }
    }

    @Test func `a link loses its share of frames, in its direction only, whatever else happens`() {
        var world = World.parrots(3)
        var quiet = World.parrots(3)
        for index in [0, 1] {
            var copy = index == 0 ? world : quiet
            copy.links[link: a, b] = AirLink(.strong, lossPerTenThousand: 3000)
            for frame in 0..<300 {
                copy.send([0x2E], from: 0)
                copy.run(until: .seconds(2 * frame + 1))
                if index == 0 { copy.send([0x2E], from: 1) }
                copy.run(until: .seconds(2 * frame + 2))
            }
            if index == 0 { world = copy } else { quiet = copy }
        }

        let lost = world.losses(at: 1).count { $0 == .linkLoss }
        #expect((60...120).contains(lost))
        #expect(world.losses(at: 0).isEmpty && world.losses(at: 2).isEmpty)
        #expect(quiet.losses(at: 1).count == lost, "the other traffic has moved the draws")
    }

    @Test func `links may differ by direction and change during a run, from the next frame on`() {
        var world = World.parrots(2)
        world.links[b, a] = nil

        world.send([0x31], from: 1)
        world.run(until: .milliseconds(100))
        world.links[b, a] = .strong
        world.run(until: .seconds(1))
        #expect(world.takeTold(0) == [])
        world.send([0x32], from: 1)
        world.run(until: .seconds(2))
        #expect(world.takeTold(0) == ["h2"])
        world.links.disconnect(b)
        world.send([0x33], from: 0)
        world.run(until: .seconds(3))

        #expect(world.links.linkCount == 0)
        #expect(world.takeTold(1) == [])
    }
}

@Suite struct FadingTests {
    private func strengths(seed: UInt64, from sender: Int, coherence: TimeSpan, extra: Bool = false) -> [Int] {
        var air = AirModel()
        air.fading = Fading(deviationHundredths: 300, coherence: coherence)
        var world = World.parrots(2, seed: seed, air: air)
        if extra { world.add(NodeDescription("extra", .guest { Parrot($0) })) }
        var found: [Int] = []
        for step in 0..<400 {
            world.run(until: .seconds(step))
            world.send([0x2E], from: sender)
        }
        for record in world.trace.records {
            if case .rxEnd(_, let signal) = record.event { found.append(Int(signal.snrHundredths) - 1000) }
        }
        return found
    }

    @Test func `fading has the deviation asked for, is the same in both directions, and follows from the seed alone`() {
        let there = strengths(seed: 1, from: 0, coherence: .milliseconds(700))
        let mean = there.reduce(0, +) / there.count
        let variance = there.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / there.count

        #expect(there.count >= 399)
        #expect(abs(mean) < 60)
        #expect((250 * 250...350 * 350).contains(variance))
        #expect(strengths(seed: 1, from: 1, coherence: .milliseconds(700)) == there)
        #expect(strengths(seed: 1, from: 0, coherence: .milliseconds(700), extra: true) == there)
        #expect(strengths(seed: 2, from: 0, coherence: .milliseconds(700)) != there)
    }

    @Test func `fading changes little within its coherence time`() {
        let slow = strengths(seed: 3, from: 0, coherence: .seconds(60))
        let fast = strengths(seed: 3, from: 0, coherence: .milliseconds(700))

        let step = { (values: [Int]) in zip(values, values.dropFirst()).reduce(0) { $0 + abs($1.0 - $1.1) } }

        #expect(step(slow) * 10 < step(fast))
    }
}

@Suite struct PropagationTests {
    @Test(arguments: [(1000.0, 91.2), (10_000, 111.2), (1, 31.2)])
    func `free space loses what Friis says`(metres: Double, decibels: Double) {
        #expect(abs(PathLoss.freeSpace.decibels(metres: metres, frequencyKilohertz: 869_618) - decibels) < 0.1)
    }

    @Test func `behind its reference distance the log-distance model loses ten times its exponent a decade`() {
        let model = PathLoss.logDistance(exponent: 3.5, referenceMetres: 100)
        let near = model.decibels(metres: 100, frequencyKilohertz: 869_618)

        #expect(abs(near - PathLoss.freeSpace.decibels(metres: 100, frequencyKilohertz: 869_618)) < 1e-9)
        #expect(abs(model.decibels(metres: 1000, frequencyKilohertz: 869_618) - near - 35) < 1e-9)
    }

    private func placed(_ count: Int, shadowing: Int = 0, seed: UInt64 = 1) -> World {
        var world = World(seed: Seed(seed))
        var model = Propagation(.logDistance(exponent: 4))
        model.shadowingHundredths = shadowing
        world.propagation = model
        for index in 0..<count {
            let east = Double(index * 900)
            world.add(
                NodeDescription("n\(index)", .guest { Parrot($0) }, position: PlanePosition(east: east, north: 0)))
        }
        world.connectPlacedNodes()
        return world
    }

    @Test func `links follow from positions: nearer is stronger, and what is out of the question is left out`() throws {
        let world = placed(30)
        let nodes = world.nodes

        let near = try #require(world.links[nodes[3], nodes[4]])
        let far = try #require(world.links[nodes[3], nodes[5]])

        #expect(near.rssiHundredths > far.rssiHundredths)
        #expect(abs(Int(near.rssiHundredths) - Int(far.rssiHundredths) - 1204) <= 1)
        #expect(Int(near.rssiHundredths) - Int(near.snrHundredths) == -12004, "thermal noise in 62.5 kHz and 6 dB")
        #expect(world.links[nodes[0], nodes[29]] == nil)
        #expect(world.links[nodes[4], nodes[3]] == near)
    }

    @Test func `a node that moves has the links of its new place`() throws {
        var world = placed(30)
        let nodes = world.nodes
        let before = try #require(world.links[nodes[28], nodes[29]])

        world.move(nodes[0], to: PlanePosition(east: 27_000, north: 0))

        #expect(world.links[nodes[0], nodes[1]] == nil && world.links[nodes[1], nodes[0]] == nil)
        #expect(world.links[nodes[0], nodes[29]] == before)
    }

    @Test func `shadowing is drawn once for a pair, and is the same in both directions and with more nodes`() throws {
        let world = placed(30, shadowing: 600)
        let more = placed(31, shadowing: 600)
        let plain = placed(30)
        let nodes = world.nodes

        var spread: Set<Int> = []
        for (one, other) in zip(nodes, nodes.dropFirst()) {
            guard let link = world.links[one, other], let bare = plain.links[one, other] else { continue }
            spread.insert(Int(link.rssiHundredths) - Int(bare.rssiHundredths))
            #expect(world.links[other, one] == link)
            #expect(more.links[one, other] == link)
        }
        #expect(spread.count > 15)
        #expect(spread.allSatisfy { abs($0) < 3600 })
    }

    @Test func `a sweep finds the same links as asking every pair`() {
        let swept = placed(40, shadowing: 500)
        var asked = swept
        for node in asked.nodes { asked.move(node, to: asked.position(of: node) ?? PlanePosition(east: 0, north: 0)) }

        for one in swept.nodes {
            for other in swept.nodes where other != one { #expect(swept.links[one, other] == asked.links[one, other]) }
        }
    }
}
