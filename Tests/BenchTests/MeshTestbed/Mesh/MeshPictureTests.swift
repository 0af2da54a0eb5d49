import MeshFirmware
import MeshSimulator
import MeshTime
import MeshWire
import Testing

@testable import MeshWorlds

/// Pictures of cities and of one message's way.
@Suite struct MeshPictureTests {
    private func count(_ words: String, in svg: String) -> Int { svg.ranges(of: words).count }

    /// Returns the texts of the picture, with the coordinates of each.
    private func texts(_ svg: String) -> [(left: Double, right: Double, y: Double, words: String)] {
        svg.matches(of: /<text[^>]* x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)<\/text>/).map {
            let (x, y) = (Double($0.1) ?? 0, Double($0.2) ?? 0)
            let isName = $0.0.hasPrefix("<text class=\"name\"")
            let half = Double(TextWidth.units(String($0.3))) * 0.95 / 2
            return (isName ? x - half : x, isName ? x + half : x + 2 * half, y, String($0.3))
        }
    }

    private func size(_ svg: String) throws -> (width: Double, height: Double) {
        let box = try #require(svg.firstMatch(of: /viewBox="0 0 ([\d.]+) ([\d.]+)"/))
        return (Double(box.1) ?? 0, Double(box.2) ?? 0)
    }

    // MARK: Backbone

    @Test func `the backbone connects what all links connect, with each repeater's strongest links`() throws {
        let city = try TopologyName("city:130").topology(seed: Seed(7))
        let backbone = MeshBackbone(city)

        var bare = city
        bare.links = backbone.links.map { city.links[$0] }

        #expect(bare.isConnected == city.isConnected)
        #expect(bare.links.count < city.links.count / 2)
        #expect(bare.links.count <= city.nodes.count * (1 + MeshBackbone.perRepeater))
        func strength(_ link: Topology.Link) -> Int {
            Int(min(link.there?.snrHundredths ?? .min, link.back?.snrHundredths ?? .min))
        }
        for node in city.nodes.indices where city.nodes[node].role == .repeater {
            let own = city.links.indices.filter { index in
                let link = city.links[index]
                guard link.there != nil, link.back != nil, link.from == node || link.to == node else { return false }
                return city.nodes[link.from == node ? link.to : link.from].role == .repeater
            }
            let strongest = own.max { (strength(city.links[$0]), -$0) < (strength(city.links[$1]), -$1) }
            #expect(strongest.map(backbone.links.contains) ?? true, "\(city.nodes[node].label)")
        }
    }

    @Test func `a city is drawn with its backbone and says so, a grid with all links`() throws {
        let city = try TopologyName("city:130").topology(seed: Seed(7))
        let backbone = MeshBackbone(city).links.count

        #expect(count("<line ", in: MeshDrawing(city).svg) == backbone)
        #expect(MeshDrawing(city).svg.contains("\(backbone) of \(city.links.count) links drawn: the backbone"))
        #expect(count("<line ", in: MeshDrawing(city, links: .all).svg) == city.links.count)
        let grid = try TopologyName("grid:5x5").topology(seed: Seed(7))
        #expect(count("<line ", in: MeshDrawing(grid).svg) == grid.links.count)
    }

    // MARK: Scale, size, colours

    @Test func `the scale of losses has its last step for links that lose nearly all`() {
        #expect([0, 0.01, 0.19, 0.21, 0.5, 0.79, 0.81, 1].map(MeshDrawing.lossStep) == [0, 1, 1, 2, 3, 4, 5, 5])
    }

    @Test func `a picture fits its window, follows light and dark, and has no colour of its own outside its style`()
        throws
    {
        let svg = MeshDrawing(try TopologyName("city:300").topology(seed: Seed(7))).svg
        let (width, height) = try size(svg)

        #expect(width <= 900 && height <= 1100)
        #expect(svg.contains("max-width:100%;max-height:100vh"))
        #expect(svg.contains("prefers-color-scheme:dark"))
        let style = try #require(svg.firstRange(of: "</style>"))
        #expect(svg[style.upperBound...].matches(of: /(fill|stroke)="#/).isEmpty)
    }

    @Test(arguments: ["solo", "village", "line:3", "city:130", "grid:5x5"])
    func `no text leaves the picture, and no two lines of the legend overlap`(name: String) throws {
        var topology = try TopologyName(name).topology(seed: Seed(7))
        topology.nodes[0].label = String(repeating: "long name ", count: 12)
        topology.nodes[0].role = .roomServer
        topology.nodes[topology.nodes.count - 1].role = .sensor
        let trace = try TraceFile(RunFixture("grid:3x3", traffic: "flood:10s").trace)
        var pictures = [MeshDrawing(topology).svg]
        if name == "grid:5x5" { pictures.append(MeshDrawing(trace.topology, overlay: .init(trace)).svg) }

        for svg in pictures {
            let (width, height) = try size(svg)
            let texts = texts(svg)
            #expect(texts.allSatisfy { $0.left >= 0 && $0.right <= width + 1 && $0.y < height }, "\(texts)")
            let legend = texts.filter { !$0.words.isEmpty }.sorted { ($0.y, $0.left) < ($1.y, $1.left) }
            let pairs = zip(legend, legend.dropFirst()).filter { $0.y == $1.y && $0.y > height - 160 }
            #expect(pairs.allSatisfy { $0.right <= $1.left })
        }
    }

    @Test(arguments: ["city:60", "city:120", "random:60", "grid:10x10", "town"], [1, 2, 3, 7])
    func `no name lies on another one`(name: String, seed: UInt64) throws {
        let topology = try TopologyName(name).topology(seed: Seed(seed))

        let svg = MeshDrawing(topology).svg

        let names = svg.matches(of: /<text class="name" x="([\d.]+)" y="([\d.]+)">([^<]*)<\/text>/).map {
            (x: Double($0.1) ?? 0, y: Double($0.2) ?? 0, half: Double(TextWidth.units(String($0.3))) / 2)
        }
        for (index, one) in names.enumerated() {
            let near = names[..<index].filter { abs($0.x - one.x) < $0.half + one.half && abs($0.y - one.y) < 12 }
            #expect(near.isEmpty, "\(one) and \(near)")
        }
        let leftOut = svg.firstMatch(of: />(\d+) names left out/).flatMap { Int($0.1) } ?? 0
        #expect(names.count + leftOut == topology.nodes.count)
        #expect(leftOut * 20 <= topology.nodes.count)
    }

    @Test func `names without any room are left out, and the legend counts them`() {
        let crowd = (0..<60).map { (node: $0, words: "a long name \($0)") }
        let names = MeshNames(
            crowd, points: crowd.map { _ in (x: 100, y: 100) }, radius: 8, width: 200, height: 200)

        #expect(names.names.count + names.leftOut == 60)
        #expect(names.leftOut > 20 && names.names.count > 3)
        #expect(names.names.filter { $0.lead != nil }.count > 1)
        #expect(names.names.map(\.node).contains(0), "the first in the list has the most room")
    }

    @Test func `a print is light and fits its sheet, whatever the reader prefers on a screen`() throws {
        let svg = MeshDrawing(try TopologyName("city:60").topology(seed: Seed(7))).svg

        #expect(svg.contains("@media screen and (prefers-color-scheme:dark)"))
        let print = try #require(svg.firstMatch(of: /@media print\{.*/)?.0)
        #expect(print.contains("--paper:#fff") && print.contains("max-height:95vh"))
    }

    @Test func `the legend has the signs that are in the picture, side by side`() throws {
        let grid = MeshDrawing(try TopologyName("grid:5x5").topology(seed: Seed(7))).svg
        var topology = try TopologyName("line:3").topology(seed: Seed(7))
        topology.nodes[1].role = .sensor
        let line = MeshDrawing(topology).svg

        #expect(!grid.contains(">room server</text>") && !grid.contains(">sensor</text>"))
        #expect(line.contains(">sensor</text>") && !line.contains(">repeater</text>"))
        // Between the words of one sign and the next sign is the same distance everywhere.
        let keys = texts(grid).filter { ["companion", "repeater", "thicker: stronger signal"].contains($0.words) }
        #expect(keys.count == 3)
        #expect(zip(keys, keys.dropFirst()).allSatisfy { $1.left - $0.right < 60 })
    }

    @Test func `names from outside are text in a picture, with every character that XML refuses gone`() throws {
        var topology = try TopologyName("village").topology(seed: Seed(7))
        topology.nodes[0].label = "a\u{1B}[2J\u{0}<script>\u{FFFF}"

        let svg = MeshDrawing(topology).svg

        #expect(svg.contains("&lt;script&gt;"))
        #expect(svg.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 0x20 && $0.value < 0xFFFE) })
    }

    // MARK: One message

    @Test func `a message's way is drawn over the path that succeeded, with heads, and the others in the background`()
        throws
    {
        let trace = try TraceFile(RunFixture("grid:3x3", traffic: "flood:20s").trace)
        let fate = try MessageFate("1", in: trace)
        let path = try #require(fate.paths.first)

        let svg = MeshDrawing(trace.topology, way: fate).svg

        #expect(count("<path class=\"way\"", in: svg) >= path.hops.count)
        #expect(
            count("<path class=\"tip\"", in: svg) == count("<path class=\"way\" stroke-width=\"3\" d=\"M", in: svg) - 1)
        for (place, hop) in path.hops.enumerated() {
            let (from, to) = (fate.label(hop.sender), fate.label(path.nodes[place + 1]))
            #expect(svg.contains("#\(hop.frame) at \(hop.begin): \(from) → \(to)"))
        }
        #expect(svg.contains("delivered to 1 of 1: message 1 of alice"))
        #expect(svg.contains(">delivered over</text>"))
    }

    @Test func `where every copy was lost a picture shows the last one`() throws {
        var plan = WorldPlan(.line(3), traffic: try Traffic("flood"))
        plan.silenceAdverts()
        plan.topology.links[1].lossPerTenThousand = 10_000
        let trace = try TraceFile(RunFixture(plan, seconds: 30).trace)

        let svg = MeshDrawing(trace.topology, way: try MessageFate("1", in: trace)).svg

        #expect(count("<path class=\"died\"", in: svg) == 2)
        #expect(svg.contains("lost at bob, linkLoss"))
        #expect(svg.contains("not delivered to 0 of 1"))
    }
}
