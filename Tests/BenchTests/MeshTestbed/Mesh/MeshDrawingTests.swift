import MeshSimulator
import MeshTime
import MeshWorlds
import Testing

@Suite struct MeshDrawingTests {
    /// Tells whether all elements close in order, which is most of what makes XML well-formed.
    private func isBalanced(_ svg: String) -> Bool {
        var open: [Substring] = []
        for piece in svg.split(separator: "<").dropFirst(0) {
            let tag = piece.prefix { $0 != ">" }
            if piece.first == "/" {
                guard open.popLast() == tag.dropFirst() else { return false }
            } else if tag.last != "/" {
                open.append(tag.prefix { $0 != " " && $0 != "\n" })
            }
        }
        return open.isEmpty
    }

    @Test(arguments: ["solo", "desk", "village", "town", "ring:9", "star:7", "grid:4x4", "random:30", "city:130"])
    func `every shape has a picture with all nodes and links`(name: String) throws {
        let topology = try TopologyName(name).topology(seed: Seed(1))
        let svg = MeshDrawing(topology, links: .all).svg

        #expect(isBalanced(svg))
        #expect(svg.components("<line ").count - 1 == topology.links.count)
        #expect(svg.components("<title>").count - 1 == 1 + topology.links.count + topology.nodes.count)
        #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n"))
    }

    @Test func `a mesh without places is spread by its links, and names are made harmless`() {
        var topology = Topology(name: "<b>&\"")
        topology.nodes = ["a<", "b>", "c&"].map { Topology.Node($0, .repeater) }
        topology.links = [Topology.Link(0, 1, .benchmark), Topology.Link(1, 2, there: .benchmark, back: nil)]
        let svg = MeshDrawing(topology).svg

        #expect(isBalanced(svg))
        #expect(svg.contains("&lt;b&gt;&amp;&quot;") && svg.contains("a&lt;"))
        #expect(svg.contains("stroke-dasharray"))
    }

    @Test func `a trace shows where frames were lost`() throws {
        let trace = try TraceFile(try RunFixture("grid:3x3", traffic: "flood:10s").trace)
        let svg = MeshDrawing(trace.topology, overlay: MeshDrawing.Overlay(trace)).svg

        #expect(isBalanced(svg))
        #expect(svg.contains("frames lost"))
        #expect(svg.contains("collision"))
        #expect(svg == MeshDrawing(trace.topology, overlay: MeshDrawing.Overlay(trace)).svg)
    }
}

extension String {
    fileprivate func components(_ separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}
