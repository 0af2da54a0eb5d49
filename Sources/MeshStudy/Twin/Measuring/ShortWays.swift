import MeshFirmware
import MeshSimulator
import MeshTime

/// Values without simulation: hops of shortest paths, and of a random spanning tree, over the world's links.
///
/// A model that comes no nearer to the observation than these adds nothing to the links.
struct ShortWays: Hashable, Sendable {
    /// Hops (relays) from each measured origin to each observer that it reaches.
    var shortest: [Double] = []
    var tree: [Double] = []

    init() {}

    /// The links of the world at signals that the air model decodes.
    struct Graph {
        private var listeners: [[Int]]
        private var hears: [Bool]

        init(_ topology: Topology) {
            listeners = [[Int]](repeating: [], count: topology.nodes.count)
            hears = [Bool](repeating: false, count: topology.nodes.count)
            for link in topology.links {
                // 10 dB under the noise: what SF 8 still decodes.
                if let there = link.there, there.snrHundredths >= -1000 { add(link.from, link.to) }
                if let back = link.back, back.snrHundredths >= -1000 { add(link.to, link.from) }
            }
        }

        private mutating func add(_ from: Int, _ to: Int) {
            listeners[from].append(to)
            hears[to] = true
        }

        func isHearing(_ node: Int) -> Bool { hears[node] }
        func hasOutput(_ node: Int) -> Bool { !listeners[node].isEmpty }

        /// Links from a node to each other one; nil for those out of reach.
        func depths(from start: Int) -> [Int?] {
            var depths = [Int?](repeating: nil, count: listeners.count)
            depths[start] = 0
            var waiting = [start]
            var next = 0
            while next < waiting.count {
                let node = waiting[next]
                next += 1
                for listener in listeners[node] where depths[listener] == nil {
                    depths[listener] = (depths[node] ?? 0) + 1
                    waiting.append(listener)
                }
            }
            return depths
        }

        /// The same over a tree that grows by a link drawn of all that lead out of it.
        func treeDepths(from start: Int, using stream: inout RandomStream) -> [Int?] {
            var depths = [Int?](repeating: nil, count: listeners.count)
            depths[start] = 0
            var frontier = listeners[start].map { (from: start, to: $0) }
            while !frontier.isEmpty {
                let place = Int(stream.draw(0, UInt32(frontier.count))) % frontier.count
                frontier.swapAt(place, frontier.count - 1)
                let link = frontier.removeLast()
                guard depths[link.to] == nil else { continue }
                depths[link.to] = (depths[link.from] ?? 0) + 1
                frontier += listeners[link.to].map { (from: link.to, to: $0) }
            }
            return depths
        }
    }

    mutating func measure(_ graph: Graph, from origin: Int, to observers: [Int], using stream: inout RandomStream) {
        let depths = graph.depths(from: origin)
        let tree = graph.treeDepths(from: origin, using: &stream)
        for observer in observers where observer != origin {
            if let links = depths[observer] { shortest.append(Double(links - 1)) }
            if let links = tree[observer] { self.tree.append(Double(links - 1)) }
        }
    }
}
