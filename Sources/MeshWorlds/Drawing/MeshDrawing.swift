import MeshFirmware
public import MeshSimulator
import MeshWire

/// A picture of a mesh as SVG: nodes, links, with a trace what was lost where, and of one message which way it went.
///
/// It fits its window, follows a preference for light or dark, and says its numbers where it is pointed at. All text in
/// it is escaped, whatever a node is called. The same world and trace give the same text.
public struct MeshDrawing: Sendable {
    /// The links that are drawn.
    public enum LinkChoice: String, Hashable, Sendable, CaseIterable {
        /// Those that carry the mesh.
        case backbone
        case all
    }

    let topology: Topology
    let overlay: Overlay?
    let way: Way?
    let points: [(x: Double, y: Double)]
    private let width: Double
    private let mapHeight: Double
    /// Metres that a unit of the picture stands for; `nil` when places are made up.
    private let metresPerUnit: Double?
    /// The links that are drawn, as places in the topology's `links`.
    let shown: [Int]
    /// Frames on the drawn link that had most.
    private let busiest: Int

    static let margin = 48.0
    /// Links for each node above which a picture shows the backbone, unless all links are asked for.
    static let crowd = 4

    /// - Parameters:
    ///   - overlay: what was received and lost, from a trace of the world.
    ///   - way: the message whose way is drawn, from a trace of the world.
    ///   - links: which links are drawn; `nil` chooses the backbone for worlds of many links, and all for others.
    public init(_ topology: Topology, overlay: Overlay? = nil, way: MessageFate? = nil, links: LinkChoice? = nil) {
        self.topology = topology
        self.overlay = overlay
        self.way = way.map(Way.init)
        let layout = MeshLayout(topology)
        width = max(440, layout.width + 2 * Self.margin)
        let left = (width - layout.width) / 2
        points = layout.points.map { ($0.x + left, $0.y + Self.margin) }
        mapHeight = layout.height + 2 * Self.margin
        metresPerUnit = layout.metresPerUnit
        let isCrowded = topology.links.count > Self.crowd * topology.nodes.count
        let choice = links ?? (isCrowded ? .backbone : .all)
        let shown = choice == .all ? Array(topology.links.indices) : MeshBackbone(topology).links
        self.shown = shown
        busiest =
            shown.map { overlay?.load(between: topology.links[$0].from, topology.links[$0].to).all ?? 0 }.max() ?? 0
    }

    /// The picture, for light and dark pages alike: it brings its own paper.
    public var svg: String {
        let names = names
        let (legend, height) = legend(leftOut: names.leftOut)
        var parts = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" class="mesh" viewBox="0 0 \(f(width)) \(f(height))" \
            width="\(f(width))" height="\(f(height))" font-family="system-ui, sans-serif" \
            font-size="\(f(MeshLegend.fontSize))">
            <title>\(topology.name.xmlEscaped)</title>
            <style>\(Self.style)</style>
            <rect class="paper" width="100%" height="100%"/>
            <g stroke-linecap="round"\(way == nil ? "" : " class=\"aside\"")>
            """
        ]
        parts += linksByLoss.map(line) + ["</g>"]
        parts += wayLines
        parts += topology.nodes.indices.map(node)
        parts += names.names.map(label)
        parts += legend
        parts.append("</svg>\n")
        return parts.joined(separator: "\n")
    }

    // MARK: Links

    private func line(_ index: Int) -> String {
        let link = topology.links[index]
        let (a, b) = (points[link.from], points[link.to])
        let both = link.there != nil && link.back != nil
        var tip =
            "\(topology.nodes[link.from].label) – \(topology.nodes[link.to].label): "
            + [describe(link.there, "→"), describe(link.back, "←")].joined(separator: ", ")
        let look: String
        if let overlay, way == nil {
            let load = overlay.load(between: link.from, link.to)
            // The root spreads the quiet links, which are most of them.
            let share = (Double(load.all) / Double(max(1, busiest))).squareRoot()
            look = """
                class="load loss\(Self.lossStep(load.loss))" stroke-width="\(f(0.6 + 3.4 * share))" \
                stroke-opacity="\(f(0.4 + 0.5 * share))"
                """
            tip += ", \(load.all) frames, \(load.lost) lost"
        } else {
            let snr = [link.there, link.back].compactMap { $0?.snrHundredths }.min() ?? 0
            // −10 dB is a thread, 10 dB and more is a rope.
            let strength = min(1, max(0, (Double(snr) / 100 + 10) / 20))
            look = """
                class="link" stroke-width="\(f(0.6 + 1.6 * strength))" stroke-opacity="\(f(0.4 + 0.5 * strength))"
                """
        }
        return """
            <line x1="\(f(a.x))" y1="\(f(a.y))" x2="\(f(b.x))" y2="\(f(b.y))" \(look)\
            \(both ? "" : " stroke-dasharray=\"5 4\"")><title>\(tip.xmlEscaped)</title></line>
            """
    }

    private func describe(_ signal: Signal?, _ arrow: String) -> String {
        guard let signal else { return "\(arrow) nothing" }
        return "\(arrow) \(f(Double(signal.snrHundredths) / 100)) dB"
    }

    /// The links that are drawn; those where most was lost come last and lie on top.
    private var linksByLoss: [Int] {
        guard let overlay else { return shown }
        let lost = shown.map { overlay.load(between: topology.links[$0].from, topology.links[$0].to).lost }
        return shown.indices.sorted { (lost[$0], $0) < (lost[$1], $1) }.map { shown[$0] }
    }

    // MARK: Nodes

    var radius: Double { topology.nodes.count > 200 ? 4 : topology.nodes.count > 80 ? 5 : 8 }

    /// All nodes have a name where they are few; of a message's way only those on it.
    private func isLabelled(_ index: Int) -> Bool {
        if let way {
            if topology.nodes.count <= 40 { return true }
            if way.isCrowded { return way.onPaths[index] && way.hasSent[index] }
            return way.onPaths[index] || way.isMissing[index]
        }
        return topology.nodes.count <= 120
    }

    private func node(_ index: Int) -> String {
        let node = topology.nodes[index]
        let point = points[index]
        var tip = "\(node.label), \(node.role.words)"
        var halo = ""
        var style = ""
        if let way {
            tip += ": " + way.words[index]
            if !way.hasHeard[index] { style = " aside" }
        } else if let overlay {
            let load = overlay.nodes[index]
            tip += ": \(overlay.sent[index]) sent, \(load.received) received, \(load.lost) lost"
            if load.loss > 0 {
                // The area grows with the share that was lost.
                let outer = radius * (1 + 1.4 * load.loss.squareRoot())
                halo = """
                    <circle class="halo loss\(Self.lossStep(load.loss))" cx="\(f(point.x))" cy="\(f(point.y))" \
                    r="\(f(outer))"/>
                    """
            }
        }
        return halo + Self.shape(node.role, point.x, point.y, radius, "node" + style)
            + "<title>\(tip.xmlEscaped)</title></path>"
    }

    /// An open element with the sign of a role.
    ///
    /// Companions are discs, repeaters triangles like a mast, room servers houses, and sensors diamonds. A node of
    /// another process is a hollow disc.
    static func shape(_ role: Topology.Role, _ x: Double, _ y: Double, _ r: Double, _ style: String) -> String {
        let outline =
            switch role.serverRole {
            case nil:
                "M\(f(x - r * 0.85)) \(f(y))a\(f(r * 0.85)) \(f(r * 0.85)) 0 1 0 \(f(r * 1.7)) 0"
                    + "a\(f(r * 0.85)) \(f(r * 0.85)) 0 1 0 \(f(-r * 1.7)) 0Z"
            case .repeater:
                "M\(f(x)) \(f(y - r))L\(f(x + r * 0.95)) \(f(y + r * 0.7))L\(f(x - r * 0.95)) \(f(y + r * 0.7))Z"
            case .roomServer:
                "M\(f(x)) \(f(y - r))L\(f(x + r * 0.85)) \(f(y - r * 0.2))V\(f(y + r * 0.8))"
                    + "H\(f(x - r * 0.85))V\(f(y - r * 0.2))Z"
            case .sensor:
                "M\(f(x)) \(f(y - r))L\(f(x + r * 0.85)) \(f(y))L\(f(x)) \(f(y + r))L\(f(x - r * 0.85)) \(f(y))Z"
            }
        let kind = role == .external ? "bar" : role.rawValue
        return "<path class=\"\(style) \(kind)\" d=\"\(outline)\">"
    }

    /// The names in the picture: those of infrastructure first, which a reader looks for, then those of companions.
    private var names: MeshNames {
        let labelled = topology.nodes.indices.filter(isLabelled)
        let order =
            labelled.filter { topology.nodes[$0].role != .companion }
            + labelled.filter { topology.nodes[$0].role == .companion }
        return MeshNames(
            order.map { ($0, TextWidth.cut(topology.nodes[$0].label, to: 24)) }, points: points, radius: radius,
            width: width, height: mapHeight)
    }

    private func label(_ name: MeshNames.Name) -> String {
        let text = "<text class=\"name\" x=\"\(f(name.x))\" y=\"\(f(name.y))\">\(name.words.xmlEscaped)</text>"
        guard let lead = name.lead else { return text }
        let node = points[name.node]
        return "<path class=\"lead\" d=\"M\(f(node.x)) \(f(node.y))L\(f(lead.x)) \(f(lead.y))\"/>" + text
    }

    // MARK: Legend

    /// The legend below the map, and the height of the picture with it.
    private func legend(leftOut: Int) -> (parts: [String], height: Double) {
        var legend = MeshLegend(left: 24, right: width - 24, top: mapHeight)
        legend.add(topology.name, "bold")
        legend.add(countWords, "quiet")
        if let way {
            for line in way.fate.verdict.prefix(6) { legend.add(line, way.fate.missing.isEmpty ? "" : "alarm") }
        } else if let overlay {
            let (all, lost) = (overlay.nodes.reduce(0) { $0 + $1.all }, overlay.nodes.reduce(0) { $0 + $1.lost })
            let share = all == 0 ? 0 : 100 * Double(lost) / Double(all)
            let reasons = overlay.reasons.map { "\($0.name) \($0.count)" }.joined(separator: ", ")
            legend.add(
                "\(lost) of \(all) frames lost (\(f(share)) %)" + (reasons.isEmpty ? "" : ": \(reasons)"), "alarm")
        }
        if leftOut > 0 { legend.add("\(leftOut) names left out, for which there is no room", "quiet") }
        legend.add(keys)
        return (legend.parts, legend.bottom + 12)
    }

    private var countWords: String {
        let counts = Topology.Role.allCases.compactMap { role -> String? in
            let count = topology.nodes.count { $0.role == role }
            return count > 0 ? count.counted(role.words) : nil
        }
        let links = topology.links.count
        let words = shown.count < links ? "\(shown.count) of \(links) links drawn: the backbone" : "\(links) links"
        return (counts + [words]).joined(separator: ", ")
    }

    /// The meaning of the signs that are in the picture.
    private var keys: [MeshLegend.Key] {
        var keys = Topology.Role.allCases.filter { role in topology.nodes.contains { $0.role == role } }.map { role in
            MeshLegend.Key(
                sign: { Self.shape(role, $0, $1, 7, "node") + "</path>" }, signWidth: 14, words: role.words)
        }
        if way != nil {
            keys += wayKeys
        } else if overlay != nil {
            keys.append(Self.lossKey)
            keys.append(Self.lineKey("class=\"load loss0\" stroke-width=\"4\"", "thicker: more frames"))
        } else {
            keys.append(Self.lineKey("class=\"link\" stroke-width=\"2.2\"", "thicker: stronger signal"))
        }
        if shown.contains(where: { topology.links[$0].there == nil || topology.links[$0].back == nil }) {
            keys.append(Self.lineKey("class=\"link\" stroke-dasharray=\"5 4\"", "one way only"))
        }
        if let scale { keys.append(scale) }
        return keys
    }

    static func lineKey(_ look: String, _ words: String) -> MeshLegend.Key {
        MeshLegend.Key(
            sign: { "<path \(look) d=\"M\(f($0 - 12)) \(f($1))h24\"/>" }, signWidth: 24, words: words)
    }

    /// The scale of losses, a field for each step.
    private static var lossKey: MeshLegend.Key {
        let side = 14.0
        let width = Double(lossSteps + 1) * side
        return MeshLegend.Key(
            sign: { x, y in
                (0...lossSteps).map { step in
                    """
                    <rect class="swatch loss\(step)" x="\(f(x - width / 2 + Double(step) * side))" y="\(f(y - 5))" \
                    width="\(f(side))" height="10"/>
                    """
                }.joined()
            }, signWidth: width, words: "frames lost: none, up to 20, 40, 60, 80, 100 %")
    }

    /// A round number of metres about a sixth as long as the picture is wide.
    private var scale: MeshLegend.Key? {
        guard let metresPerUnit else { return nil }
        var best = 1.0
        for metres in [1.0, 2, 5].flatMap({ digit in (0...7).map { digit * power(10, $0) } }).sorted()
        where metres / metresPerUnit <= width / 6 {
            best = metres
        }
        let units = best / metresPerUnit
        let name = best >= 1000 ? "\(Int(wholePart: best / 1000)) km" : "\(Int(wholePart: best)) m"
        return MeshLegend.Key(
            sign: { "<path class=\"bar\" d=\"M\(f($0 - units / 2)) \(f($1 - 3))v6h\(f(units))v-6\"/>" },
            signWidth: units, words: name)
    }

    private func power(_ base: Double, _ exponent: Int) -> Double {
        (0..<exponent).reduce(1) { product, _ in product * base }
    }

    // MARK: Writing

    func f(_ number: Double) -> String { SVG.number(number) }

    static func f(_ number: Double) -> String { SVG.number(number) }
}
