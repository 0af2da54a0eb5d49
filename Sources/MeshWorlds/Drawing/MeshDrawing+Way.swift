import MeshSimulator
import MeshWire

// The way of one message: over the paths that succeeded, to others who heard it, and where copies died.
extension MeshDrawing {
    /// The part of each node in the way of a message, looked up once for a picture.
    struct Way: Sendable {
        let fate: MessageFate
        /// True for the nodes that sent or heard the message.
        private(set) var hasHeard: [Bool]
        /// True for the nodes on a path that succeeded, and for the one that wrote the message.
        private(set) var onPaths: [Bool]
        /// True when there are so many paths that only nodes which forwarded the message can have a name.
        var isCrowded: Bool { fate.paths.count > 12 }
        /// True for the nodes that sent the message, as its author or as a relay.
        private(set) var hasSent: [Bool]
        /// True for the recipients that did not receive the message.
        private(set) var isMissing: [Bool]
        /// The role of each node in words, which are shown when a pointer is over it.
        private(set) var words: [String]

        init(_ fate: MessageFate) {
            self.fate = fate
            let count = fate.trace.topology.nodes.count
            hasHeard = [Bool](repeating: false, count: count)
            (onPaths, isMissing, hasSent) = (hasHeard, hasHeard, hasHeard)
            words = [String](repeating: "did not hear it", count: count)
            var losses = [Int](repeating: 0, count: count)
            for entry in fate.hops.flatMap(\.lost) {
                losses[entry.node] += 1
                words[entry.node] = "lost \(losses[entry.node]) cop\(losses[entry.node] == 1 ? "y" : "ies")"
            }
            for hop in fate.hops {
                for entry in hop.heard where !hasHeard[entry.node] {
                    hasHeard[entry.node] = true
                    words[entry.node] = "heard it in #\(hop.frame)"
                }
            }
            for hop in fate.hops {
                hasHeard[hop.sender] = true
                hasSent[hop.sender] = true
                words[hop.sender] = "sent it on"
            }
            for node in fate.reached { words[node] = "got it" }
            for node in fate.missing { isMissing[node] = true }
            for node in fate.paths.flatMap(\.nodes) { onPaths[node] = true }
            if let first = fate.hops.first {
                onPaths[first.sender] = true
                words[first.sender] = "wrote it"
            }
        }
    }

    /// Lines from sender to listener: where a node first had the message, and the last loss of those that never had it.
    var wayLines: [String] {
        guard let way = way?.fate else { return [] }
        var steps: Set<[Int]> = []
        for path in way.paths {
            for (place, hop) in path.hops.enumerated() { steps.insert([hop.sender, path.nodes[place + 1]]) }
        }
        var lines: [(order: Int, svg: String)] = []
        var isKnown = [Bool](repeating: false, count: topology.nodes.count)
        var drawn: Set<[Int]> = []
        if let first = way.hops.first { isKnown[first.sender] = true }
        for hop in way.hops {
            for entry in hop.heard {
                let step = [hop.sender, entry.node]
                let isOnPath = steps.contains(step)
                guard !isKnown[entry.node] || isOnPath, drawn.insert(step).inserted else { continue }
                isKnown[entry.node] = true
                let tip = "#\(hop.frame) at \(hop.begin): \(way.label(hop.sender)) → \(way.label(entry.node))"
                lines.append((isOnPath ? 2 : 1, arrow(hop.sender, entry.node, isOnPath ? "way" : "heard", tip)))
            }
        }
        var hasLost = [Bool](repeating: false, count: topology.nodes.count)
        for hop in way.hops.reversed() {
            for entry in hop.lost where !isKnown[entry.node] && !hasLost[entry.node] {
                hasLost[entry.node] = true
                let tip = "#\(hop.frame) at \(hop.begin): lost at \(way.label(entry.node)), \(entry.reason)"
                lines.append((0, arrow(hop.sender, entry.node, "died", tip)))
            }
        }
        return lines.enumerated().sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }
            .map(\.element.svg)
    }

    /// A line that ends before the listener's sign, with a head where it is part of a path.
    private func arrow(_ from: Int, _ to: Int, _ style: String, _ tip: String) -> String {
        let (a, b) = (points[from], points[to])
        let (dx, dy) = (b.x - a.x, b.y - a.y)
        let length = max(1e-6, (dx * dx + dy * dy).squareRoot())
        let (ux, uy) = (dx / length, dy / length)
        let gap = min(radius + 2, length / 3)
        let end = (x: b.x - ux * gap, y: b.y - uy * gap)
        let width = style == "way" ? 3 : style == "heard" ? 1.2 : 1
        var line = """
            <g><title>\(tip.xmlEscaped)</title><path class="\(style)" stroke-width="\(f(width))" \
            d="M\(f(a.x)) \(f(a.y))L\(f(end.x)) \(f(end.y))"/>
            """
        if style == "way" {
            let size = min(8, length / 3)
            let back = (x: end.x - ux * size, y: end.y - uy * size)
            line += """
                <path class="tip" d="M\(f(end.x)) \(f(end.y))L\(f(back.x - uy * size / 2)) \(f(back.y + ux * size / 2))\
                L\(f(back.x + uy * size / 2)) \(f(back.y - ux * size / 2))Z"/>
                """
        }
        return line + "</g>"
    }

    var wayKeys: [MeshLegend.Key] {
        guard let way else { return [] }
        var keys: [MeshLegend.Key] = []
        if !way.fate.paths.isEmpty { keys.append(Self.lineKey("class=\"way\" stroke-width=\"3\"", "delivered over")) }
        keys.append(Self.lineKey("class=\"heard\" stroke-width=\"1.2\"", "first heard from"))
        if way.fate.hops.contains(where: { hop in hop.lost.contains { !way.hasHeard[$0.node] } }) {
            keys.append(Self.lineKey("class=\"died\"", "every copy lost, the last from"))
        }
        return keys
    }
}
