import MeshFirmware
public import MeshSimulator

/// A picture of a mesh as SVG: nodes, links, and with a trace where frames were lost.
public struct MeshDrawing: Sendable {
    /// What a trace says about each node and each link.
    public struct Overlay: Sendable {
        /// Frames that a node received whole, by node.
        var received: [Int]
        var lost: [Int]
        var sent: [Int]
        /// Frames lost between two nodes, by sender and listener.
        var losses: [[Int]: Int] = [:]
        var reasons: [(name: String, count: Int)] = []

        public init(_ trace: TraceFile) {
            let count = trace.topology.nodes.count
            received = [Int](repeating: 0, count: count)
            lost = received
            sent = received
            var senders: [Int: Int] = [:]
            for line in trace.lines {
                switch line.content {
                case .txBegin(let frame, _, _):
                    senders[frame] = line.node
                    sent[line.node] += 1
                case .rxEnd: received[line.node] += 1
                case .rxDrop(let frame, let reason):
                    lost[line.node] += 1
                    if let sender = senders[frame] { losses[[sender, line.node], default: 0] += 1 }
                    if let place = reasons.firstIndex(where: { $0.name == reason }) {
                        reasons[place].count += 1
                    } else {
                        reasons.append((reason, 1))
                    }
                default: break
                }
            }
            reasons.sort { ($1.count, $0.name) < ($0.count, $1.name) }
        }

        /// The share of frames at a node's antenna that were lost there.
        func loss(at node: Int) -> Double {
            let all = received[node] + lost[node]
            return all == 0 ? 0 : Double(lost[node]) / Double(all)
        }
    }

    private let topology: Topology
    private let overlay: Overlay?
    private let points: [(x: Double, y: Double)]
    private let width: Double
    private let height: Double
    /// Metres that a unit of the picture stands for; `nil` when places are made up.
    private let metresPerUnit: Double?
    /// Frames lost on the link where most were.
    private var mostLost = 0

    static let margin = 60.0
    /// Room for the legend below the map.
    static let legendHeight = 92.0

    public init(_ topology: Topology, overlay: Overlay? = nil) {
        self.topology = topology
        self.overlay = overlay
        let layout = MeshLayout(topology)
        points = layout.points.map { ($0.x + Self.margin, $0.y + Self.margin) }
        let hasOthers = topology.nodes.contains { $0.role == .roomServer || $0.role == .sensor }
        width = max(hasOthers ? 480 : 420, layout.width + 2 * Self.margin)
        height = layout.height + 2 * Self.margin + Self.legendHeight
        metresPerUnit = layout.metresPerUnit
        mostLost = topology.links.map(lostFrames).max() ?? 0
    }

    /// The picture, for light and dark pages alike: it brings its own paper.
    public var svg: String {
        var parts = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(f(width)) \(f(height))" \
            width="\(f(width))" height="\(f(height))" font-family="system-ui, sans-serif" font-size="11">
            <title>\(topology.name.xmlEscaped)</title>
            <rect width="100%" height="100%" fill="#fbfaf7"/>
            """
        ]
        parts.append("<g stroke-linecap=\"round\">")
        parts += linksByLoss.map(line)
        parts.append("</g>")
        parts += topology.nodes.indices.map(node)
        if showsLabels { parts += topology.nodes.indices.map(label) }
        parts += legend
        parts.append("</svg>\n")
        return parts.joined(separator: "\n")
    }

    // MARK: Links

    private func line(_ link: Topology.Link) -> String {
        let (a, b) = (points[link.from], points[link.to])
        let snr = [link.there, link.back].compactMap { $0?.snrHundredths }.min() ?? 0
        // −10 dB is a thread, 10 dB and more is a rope.
        let strength = min(1, max(0, (Double(snr) / 100 + 10) / 20))
        let both = link.there != nil && link.back != nil
        let lost = lostFrames(link)
        let color = lost == 0 ? "#7d8b99" : "#d1495b"
        let share = Double(lost) / Double(max(1, mostLost))
        let crowd = topology.links.count > 600 ? 0.5 : 1
        let thickness = lost == 0 ? 0.6 + 1.6 * strength : 0.7 + 4 * share * crowd
        let opacity = lost == 0 ? (0.25 + 0.55 * strength) * crowd : 0.12 + 0.75 * share
        let tip =
            "\(topology.nodes[link.from].label) – \(topology.nodes[link.to].label): "
            + [describe(link.there, "→"), describe(link.back, "←")].joined(separator: ", ")
            + (lost > 0 ? ", \(lost) frames lost" : "")
        return """
            <line x1="\(f(a.x))" y1="\(f(a.y))" x2="\(f(b.x))" y2="\(f(b.y))" stroke="\(color)" \
            stroke-width="\(f(thickness))" stroke-opacity="\(f(opacity))"\(both ? "" : " stroke-dasharray=\"5 4\"")>\
            <title>\(tip.xmlEscaped)</title></line>
            """
    }

    private func describe(_ signal: Signal?, _ arrow: String) -> String {
        guard let signal else { return "\(arrow) nothing" }
        return "\(arrow) \(f(Double(signal.snrHundredths) / 100)) dB"
    }

    private func lostFrames(_ link: Topology.Link) -> Int {
        guard let overlay else { return 0 }
        return overlay.losses[[link.from, link.to], default: 0] + overlay.losses[[link.to, link.from], default: 0]
    }

    /// The links; those where most was lost come last and lie on top.
    private var linksByLoss: [Topology.Link] {
        topology.links.enumerated().map { (lost: lostFrames($0.element), index: $0.offset) }
            .sorted { ($0.lost, $0.index) < ($1.lost, $1.index) }.map { topology.links[$0.index] }
    }

    // MARK: Nodes

    private var radius: Double { topology.nodes.count > 400 ? 3.5 : topology.nodes.count > 100 ? 5 : 8 }

    private var showsLabels: Bool { topology.nodes.count <= 120 }

    private func node(_ index: Int) -> String {
        let node = topology.nodes[index]
        let point = points[index]
        var tip = "\(node.label), \(node.role.words)"
        var halo = ""
        if let overlay {
            let loss = overlay.loss(at: index)
            tip += ": \(overlay.sent[index]) sent, \(overlay.received[index]) received, \(overlay.lost[index]) lost"
            if loss > 0 {
                // The area grows with the share that was lost.
                let outer = radius * (1 + 1.6 * loss.squareRoot())
                halo = """
                    <circle cx="\(f(point.x))" cy="\(f(point.y))" r="\(f(outer))" fill="#d1495b" \
                    fill-opacity="0.35"/>
                    """
            }
        }
        return halo + shape(node.role, point) + "<title>\(tip.xmlEscaped)</title>"
            + (node.role == .companion ? "</circle>" : "</path>")
    }

    /// An open element: a disc for a companion, a triangle like a mast for a repeater, a house for a room server, a diamond
    /// for a sensor.
    private func shape(_ role: Topology.Role, _ point: (x: Double, y: Double)) -> String {
        switch role {
        case .companion:
            return """
                <circle cx="\(f(point.x))" cy="\(f(point.y))" r="\(f(radius * 0.85))" fill="#2667a8" stroke="#fff" \
                stroke-width="1">
                """
        case .repeater:
            let (r, x, y) = (radius, point.x, point.y)
            return """
                <path d="M\(f(x)) \(f(y - r))L\(f(x + r * 0.95)) \(f(y + r * 0.7))L\(f(x - r * 0.95)) \
                \(f(y + r * 0.7))Z" fill="#3a7d44" stroke="#fff" stroke-width="1">
                """
        case .roomServer:
            let (r, x, y) = (radius, point.x, point.y)
            return """
                <path d="M\(f(x)) \(f(y - r))L\(f(x + r * 0.85)) \(f(y - r * 0.2))V\(f(y + r * 0.8))\
                H\(f(x - r * 0.85))V\(f(y - r * 0.2))Z" fill="#7a4b94" stroke="#fff" stroke-width="1">
                """
        case .sensor:
            let (r, x, y) = (radius, point.x, point.y)
            return """
                <path d="M\(f(x)) \(f(y - r))L\(f(x + r * 0.85)) \(f(y))L\(f(x)) \(f(y + r))\
                L\(f(x - r * 0.85)) \(f(y))Z" fill="#b3761d" stroke="#fff" stroke-width="1">
                """
        }
    }

    private func label(_ index: Int) -> String {
        let point = points[index]
        return """
            <text x="\(f(point.x))" y="\(f(point.y + radius + 12))" text-anchor="middle" fill="#333" \
            stroke="#fbfaf7" stroke-width="3" paint-order="stroke">\(topology.nodes[index].label.xmlEscaped)</text>
            """
    }

    // MARK: Legend

    private var legend: [String] {
        let top = height - Self.legendHeight + 8
        let counts = Topology.Role.allCases.compactMap { role -> String? in
            let count = topology.nodes.count { $0.role == role }
            return count > 0 || role == .companion || role == .repeater
                ? "\(count) \(role.words)\(count == 1 ? "" : "s")" : nil
        }
        var parts = [
            text(Self.margin / 2, top, topology.name.xmlEscaped, weight: "bold"),
            text(
                Self.margin / 2, top + 16,
                (counts + ["\(topology.links.count) links"]).joined(separator: ", ")),
        ]
        if let overlay {
            let all = overlay.received.reduce(0, +) + overlay.lost.reduce(0, +)
            let lost = overlay.lost.reduce(0, +)
            let share = all == 0 ? 0 : 100 * Double(lost) / Double(all)
            let reasons = overlay.reasons.map { "\($0.name) \($0.count)" }.joined(separator: ", ")
            parts.append(
                text(
                    Self.margin / 2, top + 32,
                    "\(lost) of \(all) frames lost (\(f(share)) %)"
                        + (reasons.isEmpty ? "" : ": \(reasons.xmlEscaped)"),
                    color: "#b3303f"))
        }
        parts += keys(y: top + 56)
        if let scale { parts += self.bar(scale, y: top + 56) }
        return parts
    }

    /// What the signs mean.
    private func keys(y: Double) -> [String] {
        let left = Self.margin / 2
        var parts = [
            "<circle cx=\"\(f(left + 6))\" cy=\"\(f(y - 4))\" r=\"6\" fill=\"#2667a8\"/>",
            text(left + 18, y, "companion"),
            "<path d=\"M\(f(left + 96)) \(f(y - 11))l7 12h-14z\" fill=\"#3a7d44\"/>", text(left + 108, y, "repeater"),
            text(
                left, y + 18,
                "thick lines: strong links; broken lines: one way only"
                    + (overlay == nil ? "" : "; red: frames lost there")),
        ]
        if topology.nodes.contains(where: { $0.role == .roomServer }) {
            parts.append("<path d=\"M\(f(left + 270)) \(f(y - 11))l6 5v7h-12v-7z\" fill=\"#7a4b94\"/>")
            parts.append(text(left + 282, y, "room server"))
        }
        if topology.nodes.contains(where: { $0.role == .sensor }) {
            parts.append("<path d=\"M\(f(left + 370)) \(f(y - 11))l6 7l-6 7l-6 -7z\" fill=\"#b3761d\"/>")
            parts.append(text(left + 382, y, "sensor"))
        }
        if overlay != nil {
            parts.append(
                "<circle cx=\"\(f(left + 178))\" cy=\"\(f(y - 4))\" r=\"8\" fill=\"#d1495b\" fill-opacity=\"0.35\"/>")
            parts.append(text(left + 192, y, "share lost"))
        }
        return parts
    }

    /// A round number of metres about a sixth as long as the picture is wide.
    private var scale: (metres: Double, units: Double)? {
        guard let metresPerUnit else { return nil }
        var best = 1.0
        for metres in [1.0, 2, 5].flatMap({ digit in (0...7).map { digit * power(10, $0) } }).sorted()
        where metres / metresPerUnit <= width / 6 {
            best = metres
        }
        return (best, best / metresPerUnit)
    }

    private func power(_ base: Double, _ exponent: Int) -> Double {
        (0..<exponent).reduce(1) { product, _ in product * base }
    }

    private func bar(_ scale: (metres: Double, units: Double), y: Double) -> [String] {
        let right = width - Self.margin / 2
        let name = scale.metres >= 1000 ? "\(Int(scale.metres / 1000)) km" : "\(Int(scale.metres)) m"
        return [
            """
            <path d="M\(f(right - scale.units)) \(f(y - 6))v6h\(f(scale.units))v-6" fill="none" stroke="#333"/>
            """,
            text(right - scale.units / 2, y + 14, name, anchor: "middle"),
        ]
    }

    private func text(
        _ x: Double, _ y: Double, _ words: String, weight: String = "normal", color: String = "#333",
        anchor: String = "start"
    ) -> String {
        """
        <text x="\(f(x))" y="\(f(y))" fill="\(color)" font-weight="\(weight)" text-anchor="\(anchor)">\(words)</text>
        """
    }

    // MARK: Writing

    /// One decimal, without a zero behind the point.
    private func f(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        let whole = tenths.magnitude / 10
        let sign = tenths < 0 ? "-" : ""
        return tenths % 10 == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(tenths.magnitude % 10)"
    }
}
