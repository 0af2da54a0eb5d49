import MeshFirmware
import MeshRadio
import MeshSimulator
import MeshTime
import Testing

@Suite struct AirTests {
    let a = NodeID(index: 0)
    let b = NodeID(index: 1)
    let c = NodeID(index: 2)

    @Test func `a frame reaches everyone in range when its airtime is over, and nobody else`() {
        var world = World.parrots(3)
        world.links[a, c] = nil
        let airtime = Airtime(LoRaParameters()).microseconds(bytes: 2)

        world.send(Array("hi".utf8), from: 0)
        world.run(until: .microseconds(airtime - 1))
        #expect(world.takeOutputs().isEmpty)
        world.run(until: .microseconds(airtime))

        let outputs = world.takeOutputs()
        #expect(outputs.map(\.node) == [a, b])
        #expect(outputs.allSatisfy { $0.time == .microseconds(airtime) })
        #expect(world.losses(at: 2).isEmpty)
    }

    @Test func `the airtime of a 22-byte frame at default parameters is the firmware's, preamble included`() {
        var world = World.parrots(2)

        world.send([UInt8](repeating: 0x55, count: 22), from: 0)

        #expect(world.nextEventTime.milliseconds == 304)
    }

    @Test func `a node that transmits hears nothing`() {
        var world = World.parrots(2)

        world.send(Array("long frame".utf8), from: 0)
        world.run(until: .milliseconds(1))
        world.send(Array("x".utf8), from: 1)
        world.run(until: .seconds(2))

        #expect(world.takeOutputs().compactMap { $0.kind.told } == ["d", "d"])
        #expect(world.losses(at: 0) == [.halfDuplex])
        #expect(world.losses(at: 1) == [.halfDuplex])
    }

    @Test func `a frame that began while the listener was transmitting stays lost after the listener is done`() {
        var world = World.parrots(2)

        world.send(Array("x".utf8), from: 1)
        world.run(until: .milliseconds(50))
        world.send([UInt8](repeating: 1, count: 200), from: 0)
        world.run(until: .milliseconds(500))
        world.inject(.appBytes([3]), into: b)
        world.run(until: .seconds(3))

        #expect(world.losses(at: 1) == [.halfDuplex])
        #expect(world.takeTold(1) == ["d", "q"], "the modem has missed the preamble and sees a free channel")
    }

    @Test func `two frames of equal strength destroy each other, and the listener counts one bad checksum`() {
        var world = World.parrots(3)

        world.send(Array("one".utf8), from: 0)
        world.run(until: .milliseconds(2))
        world.send(Array("two".utf8), from: 2)
        world.run(until: .seconds(1))

        #expect(world.takeTold(1) == ["e"])
        #expect(world.losses(at: 1) == [.collision, .collision])
    }

    @Test(arguments: [0, 2])
    func `a frame that is stronger by the threshold survives, whether it comes first or second`(strong: Int) {
        var world = World.parrots(3)
        world.links[NodeID(index: 2 - strong), b] = .weak

        world.send(Array("one".utf8), from: 0)
        world.run(until: .milliseconds(2))
        world.send(Array("two".utf8), from: 2)
        world.run(until: .seconds(1))

        #expect(world.takeTold(1) == [strong == 0 ? "hone" : "htwo"])
        #expect(world.losses(at: 1) == [.collision])
    }

    @Test func `just below the threshold both frames are lost`() {
        var world = World.parrots(3)
        world.links[a, b] = .slightlyWeak

        world.send(Array("one".utf8), from: 0)
        world.run(until: .milliseconds(2))
        world.send(Array("two".utf8), from: 2)
        world.run(until: .seconds(1))

        #expect(world.takeTold(1) == ["e"])
    }

    @Test func `frames that touch without overlapping are both received`() {
        var world = World.parrots(3)
        let airtime = Instant.microseconds(Airtime(LoRaParameters()).microseconds(bytes: 3))

        world.send(Array("one".utf8), from: 0)
        world.run(until: airtime)
        world.send(Array("two".utf8), from: 2)
        world.run(until: .seconds(1))

        #expect(world.takeTold(1) == ["hone", "htwo"])
    }

    @Test func `the radio reports receiving from the detected preamble to the end of the frame`() {
        var world = World.parrots(2)
        let radio = Airtime(LoRaParameters())
        let detected = Instant.microseconds(4 * radio.symbolMicroseconds)
        let end = Instant.microseconds(radio.microseconds(bytes: 1))
        let moments: [Instant] = [detected - .microseconds(1), detected, end - .microseconds(1), end]

        world.send([0x2E], from: 0)
        for moment in moments {
            world.run(until: moment)
            world.inject(.appBytes([3]), into: b)
        }

        #expect(world.takeTold(1) == ["q", "r", "r", "h.", "q"])
    }

    @Test func `radios with different parameters neither hear nor disturb each other`() {
        var world = World.parrots(4)
        world.inject(.appBytes([4, 0]), into: c)

        world.send(Array("one".utf8), from: 0)
        world.send(Array("off".utf8), from: 2)
        world.run(until: .seconds(1))

        #expect(world.takeOutputs().compactMap { $0.kind.told } == ["d", "hone", "hone", "d"])
        #expect(world.losses(at: 1).isEmpty)
    }

    @Test func `a listener that tunes away in the middle of a frame has lost it`() {
        var world = World.parrots(2)

        world.send(Array("one".utf8), from: 0)
        world.run(until: .milliseconds(10))
        world.inject(.appBytes([4, 0]), into: b)
        world.run(until: .seconds(1))

        #expect(world.takeTold(1) == [])
        #expect(world.losses(at: 1) == [.retuned])
    }

    @Test func `the coding rate is in the header and may differ`() {
        var board = BoardProfile.heltecV3
        board.radio.codingRate = 8
        var world = World(seed: Seed(1))
        let sender = world.add(NodeDescription("a", .guest { Parrot($0) }))
        let listener = world.add(NodeDescription("b", .guest { Parrot($0) }, board: board))
        world.links[sender, listener] = .strong

        world.send([0x2E], from: 0)
        world.run(until: .seconds(1))

        #expect(world.takeTold(1) == ["h."])
    }
}

extension WorldOutput.Kind {
    /// The client's text, if this is one.
    var told: String? {
        guard case .appBytes(let bytes) = self else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
