import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshRadio
import MeshSimulator
import MeshTime
import MeshWire
import Testing

/// The behaviour of nodes together that none shows alone.
@Suite struct InterplayTests {
    /// The hashes of repeaters `r1`, `r2`, … in order.
    private func hashes(_ stage: MeshStage, _ repeaters: [Int], size: Int) -> [UInt8] {
        repeaters.flatMap { [UInt8](stage.key("r\($0)").prefix(size)) }
    }

    // MARK: Floods

    @Test(arguments: [2, 3, 5, 10])
    func `a channel text goes along a line, sent once by each repeater and delivered once`(count: Int) {
        var stage = MeshStage(.line(count))
        stage.writeToAll("hello", from: "alice")
        stage.run(seconds: 30)

        let air = stage.takeAir()
        #expect(air.map(\.node) == Array(0..<(count - 1)))
        #expect(air.map(\.packet.hopCount) == Array(0..<(count - 1)))
        #expect(stage.deliveries.filter { $0.type == .grpTxt }.map(\.node) == [count - 1])
        #expect(Set(air.map(\.packet.packetHash)).count == 1)
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `in rings, grids and towns nobody sends a flood on twice, nobody gets it twice`(seed: UInt64) {
        for topology in [Topology.ring(9), .grid(5, 5), .denseGrid(4, 4), .random(25, seed: Seed(seed))] {
            var stage = MeshStage(topology, seed: seed)
            stage.writeToAll("hello", from: "alice")
            stage.run(seconds: 60)

            let senders = stage.takeAir().map(\.node)
            #expect(Set(senders).count == senders.count, "\(topology.name)")
            let reached = stage.deliveries.filter { $0.type == .grpTxt }.map(\.node)
            #expect(Set(reached).count == reached.count, "\(topology.name)")
            #expect(!reached.contains(stage.node("alice")))
            #expect(stage.world.invariants.violationCount == 0)
        }
    }

    @Test func `in a star everybody hears the middle, and the middle sends once`() {
        var stage = MeshStage(.star(9))
        stage.writeToAll("hello", from: "alice")
        stage.run(seconds: 20)

        #expect(stage.takeAir().map(\.node) == [1, 0])
        #expect(stage.deliveries.filter { $0.type == .grpTxt }.map(\.node).sorted() == Array(2...8))
    }

    @Test func `two ways round a ring bring one text, by the faster way`() {
        var stage = MeshStage(.ring(6), seed: 3)
        stage.writeToAll("hello", from: "alice")
        stage.run(seconds: 30)

        #expect(stage.deliveries.filter { $0.type == .grpTxt }.map(\.node) == [stage.node("bob")])
    }

    // MARK: Direct texts

    @Test(arguments: [(1, 1), (2, 1), (4, 1), (7, 1), (1, 2), (4, 2), (1, 3), (4, 3)])
    func `a text finds its way by flood, and the next one goes along the path learned, with acknowledgements`(
        repeaters: Int, size: Int
    ) throws {
        var stage = MeshStage(.line(repeaters + 2), seed: 5)
        for label in ["alice", "bob"] { stage.tell(label, SetPathHashMode(mode: UInt8(size - 1))) }
        stage.introduce("alice", "bob")
        _ = stage.takeAir()

        stage.write("first", from: "alice", to: "bob")
        stage.run(seconds: 60)

        let first = stage.takeAir().filter { $0.packet.type == .txtMsg }
        #expect(first.map(\.packet.isFlood) == [Bool](repeating: true, count: repeaters + 1))
        #expect(first.allSatisfy { $0.packet.pathLength.hashSize == size })
        #expect(stage.confirmed.count == 1)
        let there = try #require(stage.contact("bob", of: "alice"))
        let back = try #require(stage.contact("alice", of: "bob"))
        let length = PathLength(hashSize: size, hops: repeaters)
        #expect(there.outPathLength == length && back.outPathLength == length)
        #expect(there.outPath.starts(with: hashes(stage, Array(1...repeaters), size: size)))
        #expect(back.outPath.starts(with: hashes(stage, (1...repeaters).reversed(), size: size)), "the way back")

        stage.write("second", from: "alice", to: "bob", at: 1_750_000_100)
        stage.run(seconds: 60)

        let second = stage.takeAir()
        #expect(second.allSatisfy { $0.packet.isDirect }, "nothing is flooded any more")
        let text = second.filter { $0.packet.type == .txtMsg }
        #expect(text.map(\.node) == Array(0...repeaters))
        #expect(text.map(\.packet.hopCount) == (0...repeaters).reversed())
        #expect(second.filter { $0.packet.type == .ack }.map(\.node) == (1...(repeaters + 1)).reversed())
        #expect(stage.confirmed.count == 2)
        #expect(stage.deliveries.filter { $0.type == .txtMsg }.count == 2)
    }

    @Test func `when a path has died, the app's reset makes the next text flood and find another one`() throws {
        var stage = MeshStage(.ring(6), seed: 2)
        stage.introduce("alice", "bob")
        stage.write("first", from: "alice", to: "bob")
        stage.run(seconds: 60)
        let old = try #require(stage.contact("bob", of: "alice")).outPath
        let isForward = old[0] == stage.key("r1")[0]
        stage.cut("alice", isForward ? "r1" : "r4")
        stage.write("lost", from: "alice", to: "bob", at: 1_750_000_100)
        stage.run(seconds: 60)
        #expect(stage.confirmed.count == 1)
        _ = stage.takeAir()

        stage.tell("alice", ResetPath(publicKey: stage.key("bob")))
        stage.write("second", from: "alice", to: "bob", at: 1_750_000_200)
        stage.run(seconds: 60)

        #expect(stage.takeAir().contains { $0.packet.type == .txtMsg && $0.packet.isFlood && $0.node == 0 })
        #expect(stage.confirmed.count == 2)
        let new = try #require(stage.contact("bob", of: "alice"))
        #expect(new.outPath.starts(with: hashes(stage, isForward ? [4, 3] : [1, 2], size: 1)))
    }

    // MARK: Scopes

    @Test func `a scoped flood ends at repeaters that do not know its region`() {
        var stage = MeshStage(.line(4))
        stage.tell("alice", SetFloodScopeKey(key: FixedBytes(repeatElement(7, count: 16))))
        stage.writeToAll("hello", from: "alice")
        stage.run(seconds: 30)

        let air = stage.takeAir()
        #expect(air.map(\.node) == [0])
        #expect(air.map(\.packet.route) == [.transportFlood])
        #expect(stage.deliveries.isEmpty)
    }

    @Test func `a scoped flood passes where every repeater knows its region`() throws {
        let key = MeshHash.regionKey(name: [UInt8]("europe".utf8))
        var stage = MeshStage(.line(4)) { plan in
            for index in plan.equipment.indices {
                plan.equipment[index].setup.regions.put("europe")
            }
        }
        stage.tell("alice", SetFloodScopeKey(key: key))
        stage.writeToAll("hello", from: "alice")
        stage.run(seconds: 30)

        #expect(stage.takeAir().map(\.packet.route) == [.transportFlood, .transportFlood, .transportFlood])
        #expect(stage.deliveries.map(\.node) == [3])
    }

    @Test func `between neighbours a scope is no obstacle, and replies carry the replier's own`() {
        var stage = MeshStage(.line(2))
        stage.introduce("alice", "bob")
        stage.tell("alice", SetFloodScopeKey(key: FixedBytes(repeatElement(7, count: 16))))
        stage.run(seconds: 1)
        _ = stage.takeAir()
        stage.write("scoped", from: "alice", to: "bob")
        stage.run(seconds: 10)

        let air = stage.takeAir()
        #expect(air.first { $0.packet.type == .txtMsg }?.packet.route == .transportFlood)
        #expect(air.first { $0.packet.type == .path }?.packet.route == .flood)
        #expect(stage.confirmed.count == 1)
    }

    @Test func `radios of other parameters are not in the same mesh`() {
        var stage = MeshStage(.line(3)) { $0.equipment[2].board.radio.spreadingFactor = 9 }
        stage.writeToAll("hello", from: "alice")
        stage.run(seconds: 20)

        #expect(stage.takeAir().map(\.node) == [0, 1])
        #expect(stage.deliveries.isEmpty)
    }
}
