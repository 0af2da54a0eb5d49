import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware
@testable import MeshSimulator

/// Boards are switched on one after the other before a world begins.
@Suite struct SwitchingOnTests {
    /// Returns the times at which the nodes begin to send adverts, in milliseconds.
    private func firstFrames(_ world: World, until end: Instant) -> [String: Int64] {
        var world = world
        world.run(until: end)
        var first: [String: Int64] = [:]
        for record in world.trace.records {
            guard case .txBegin = record.event else { continue }
            let label = world.label(of: record.node)
            first[label] = first[label] ?? record.time.microseconds / 1000
        }
        return first
    }

    @Test(arguments: [1, 7, 42] as [UInt64])
    func `the nodes of a pair advert at moments of their own, sixteen seconds after each was switched on`(seed: UInt64)
    {
        let world = World(.village, seed: Seed(seed), traceCapacity: 1000)

        let first = firstFrames(world, until: .seconds(20))

        #expect(first.count == 3)
        for (label, at) in first.sorted(by: { $0.key < $1.key }) {
            // A busy channel may put one off by a second.
            let due = (World.switchingOn + .seconds(1) - world.poweredFor(label)).milliseconds
            #expect((due...(due + 1500)).contains(at), "\(label)")
        }
        #expect(Set(first.values).count == 3)
    }

    @Test func `every board has been on for less than the time of its first advert`() {
        let world = World(seed: Seed(3))
        let spans = (0..<1000).map { world.poweredFor("node-\($0)") }

        #expect(spans.allSatisfy { .zero <= $0 && $0 < World.switchingOn })
        #expect(World.switchingOn < .seconds(16))
        #expect(Set(spans).count > 990)
        #expect(spans.count { $0 < .milliseconds(7500) } > 400)
    }

    @Test func `who else is there moves nobody's start`() {
        let pair = World(.village, seed: Seed(7), traceCapacity: 1000)
        var less = WorldDescription.village
        less.nodes.removeAll { $0.label == "room1" }
        less.links.removeAll { $0.and == "room1" }

        #expect(pair.poweredFor("rep1") == World(less, seed: Seed(7)).poweredFor("rep1"))
        #expect(pair.poweredFor("rep1") != World(.village, seed: Seed(8)).poweredFor("rep1"))
        #expect(World(.solo, seed: Seed(7)).slots[0].bootedAt == .start)
        #expect(pair.slots[1].bootedAt == Instant.start - pair.poweredFor("rep1"))
    }

    @Test func `the uptime of a repeater counts what it waited for before its loop`() throws {
        let world = World(.village, seed: Seed(7))
        let node = try #require(world.node(labelled: "rep1"))
        let repeater = try #require(world.repeater(node))

        // One second in `setup`, and what it has been on for.
        let expected = 1 + world.poweredFor("rep1").milliseconds / 1000
        #expect((expected...(expected + 1)).contains(Int64(repeater.core.uptimeSeconds)))
    }

    @Test func `a board takes the delays of its setup to start again`() throws {
        var searching = BoardProfile.heltecV3
        searching.gpsSearch = .seconds(1)
        let roles: [(NodeRole, BoardProfile, Int64)] = [
            (.companion(.wifi), .heltecV3, 1500), (.companion(.wifi), searching, 2500), (.repeater, .heltecV3, 2500),
            (.sensor, searching, 3500),
        ]

        for (role, board, expected) in roles {
            var world = World(seed: Seed(1))
            let node = world.add(NodeDescription("x", role, board: board))
            world.run(until: .seconds(10))
            world.restart(node)
            world.run(until: .seconds(10) + .milliseconds(expected - 1))
            #expect(!world.isUp(node))
            world.run(until: .seconds(10) + .milliseconds(expected))
            #expect(world.isUp(node))
        }
    }
}
