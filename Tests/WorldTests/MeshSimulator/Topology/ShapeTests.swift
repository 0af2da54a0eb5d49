import MeshFirmware
import MeshSimulator
import MeshTime
import Testing

@Suite struct ShapeTests {
    /// Returns the number of nodes that each node receives.
    private func degrees(_ topology: Topology) -> [Int] { topology.linksByNode.map(\.count) }

    @Test func `a line has alice and bob at its ends and repeaters between`() {
        let line = Topology.line(10)

        #expect(line.nodes.map(\.label) == ["alice"] + (1...8).map { "r\($0)" } + ["bob"])
        #expect(line.nodes.filter { $0.role == .companion }.map(\.label) == ["alice", "bob"])
        #expect(degrees(line) == [1] + [Int](repeating: 2, count: 8) + [1])
        #expect(line.links.allSatisfy { $0.there == .benchmark && $0.back == .benchmark })
    }

    @Test func `a ring closes, with bob opposite alice`() {
        let ring = Topology.ring(10)

        #expect(degrees(ring) == [Int](repeating: 2, count: 10))
        #expect(ring.nodes[5].label == "bob")
        #expect(ring.isConnected)
    }

    @Test func `the tips of a star hear the middle only`() {
        let star = Topology.star(6)

        #expect(star.nodes.map(\.label) == ["r1", "alice", "bob", "c1", "c2", "c3"])
        #expect(degrees(star) == [5, 1, 1, 1, 1, 1])
    }

    @Test(arguments: [(10, 180), (20, 760), (30, 1740)])
    func `a square grid has four neighbours inside, three at edges, two in corners`(side: Int, links: Int) {
        let grid = Topology.grid(side, side)

        #expect(grid.nodes.count == side * side)
        #expect(grid.links.count == links)
        #expect(grid.nodes[0].label == "alice" && grid.nodes[side * side - 1].label == "bob")
        #expect(grid.nodes.filter { $0.role == .repeater }.count == side * side - 2)
        #expect(Set(degrees(grid)) == [2, 3, 4])
    }

    @Test func `a dense grid has eight neighbours inside`() {
        let dense = Topology.denseGrid(4, 3)

        #expect(degrees(dense) == [3, 5, 5, 3, 5, 8, 8, 5, 3, 5, 5, 3])
        #expect(Set(dense.links.map { [$0.from, $0.to] }).count == dense.links.count)
    }

    @Test func `places on a circle are where the C library would put them`() {
        let ring = Topology.ring(12)
        let radius = 12_000 / 6.283

        let expected = [
            (1.0, 0.0), (0.866025, 0.5), (0.5, 0.866025), (0, 1), (-0.5, 0.866025), (-0.866025, 0.5), (-1, 0),
            (-0.866025, -0.5), (-0.5, -0.866025), (0, -1), (0.5, -0.866025), (0.866025, -0.5),
        ]
        for (node, point) in zip(ring.nodes, expected) {
            #expect(abs(Double(node.place?.eastMetres ?? 0) - radius * (1 + point.0)) <= 1)
            #expect(abs(Double(node.place?.northMetres ?? 0) - radius * (1 + point.1)) <= 1)
        }
    }

    // MARK: Names

    @Test(arguments: [
        ("solo", 1), ("desk", 2), ("pair", 3), ("village", 5), ("town", 7), ("line:10", 10), ("ring:3", 3),
        ("star:8", 8),
        ("grid:10x7", 70),
        ("dense:3x3", 9),
        ("random:50", 50), ("city:60", 60),
    ])
    func `a name gives the shape that it says, and the topology has that name`(text: String, count: Int) throws {
        let name = try TopologyName(text)
        let topology = name.topology(seed: Seed(1))

        #expect(name.nodeCount == count)
        #expect(topology.nodes.count == count)
        #expect(topology.name == text)
        #expect(topology.isConnected)
        #expect(Set(topology.nodes.map(\.label)).count == count)
    }

    @Test(arguments: [
        ("grit:3x3", "no shape"), ("", "no shape"), ("line", "needs a size"), ("line:", "needs a size"),
        ("line:ten", "needs a size"), ("line:-4", "needs a size"), ("grid:10", "needs a size"),
        ("grid:10x", "needs a size"), ("grid:3x3x3", "needs a size"), ("pair:2", "has no size"),
        ("line:1", "2 to 1000000"), ("line:1000001", "2 to 1000000"), ("grid:9223372036854775807x9", "2 to 1000000"),
        ("line:99999999999999999999", "needs a size"),
    ])
    func `what is no name is refused with what would be one`(text: String, reason: String) {
        let error = #expect(throws: TopologyNameError.self) { try TopologyName(text) }
        #expect(error?.description.contains(reason) == true)
    }

    @Test(arguments: TopologyName.Shape.allCases)
    func `every shape's example is a name`(shape: TopologyName.Shape) throws {
        let size = shape.exampleSize.isEmpty ? "" : ":" + shape.exampleSize
        #expect(try TopologyName(shape.rawValue + size).nodeCount >= 1)
    }
}
