import MeshSimulator
import MeshTime
import MeshWire

extension MessageFate {
    /// The fate as people read it: the verdict, the paths that succeeded, then every transmission.
    public var text: String {
        var lines = verdict + [""] + pathLines
        lines.append(hops.count == 1 ? "the transmission:" : "all \(hops.count) transmissions:")
        for hop in hops { lines += self.lines(hop) }
        return lines.joinedVisibleLines + "\n"
    }

    func label(_ node: Int) -> String { trace.topology.nodes[node].label }

    private func list(_ nodes: [Int]) -> String {
        nodes.count <= 12
            ? nodes.map(label).joined(separator: ", ")
            : nodes.prefix(10).map(label).joined(separator: ", ") + " and \(nodes.count - 10) more"
    }

    /// Which message it is.
    var headline: String {
        guard let words else { return "packet \(packet), \(type)" }
        let what = words.text.isEmpty ? "" : " \"\(words.text)\""
        return "message \(words.number) of \(label(words.from)) to \(words.to)\(what) at \(words.at), packet \(packet)"
    }

    // MARK: Paths

    /// The paths that succeeded: a line for each transmission where they are few, otherwise a line for each path.
    private var pathLines: [String] {
        let wanted = Set(recipients)
        // Repeaters take adverts in as well; who asks about a message wants to know of its recipients.
        let paths = paths.filter { wanted.isEmpty || wanted.contains($0.to) }
        if paths.isEmpty { return [] }
        if paths.count > 3 {
            let shown = paths.prefix(12).map { path in
                "    \(path.end)  " + path.nodes.map(label).joined(separator: " → ")
            }
            let rest = paths.count - shown.count
            return ["paths, by arrival:"] + shown + (rest > 0 ? ["    and \(rest) more"] : []) + [""]
        }
        return paths.flatMap { path -> [String] in
            let took = words.map { ", \(path.end - $0.at) after it was written" } ?? ""
            let nodes = path.nodes
            let steps = path.hops.enumerated().map { place, hop in
                "    \(hop.begin)  #\(hop.frame)  \(label(hop.sender)) → \(label(nodes[place + 1]))"
            }
            return [
                "path to \(label(path.to)): \(path.hops.count) transmission\(path.hops.count == 1 ? "" : "s")\(took)"
            ]
                + steps + [""]
        }
    }

    // MARK: Transmissions

    private func lines(_ hop: Hop) -> [String] {
        let from = hop.cause.map { " (heard in #\($0))" } ?? ""
        var lines = ["\(hop.begin)  \(label(hop.sender)) sends #\(hop.frame), \(hop.airtime) on the air\(from)"]
        let delivered = Set(hop.delivered)
        let refused = hop.discarded.map(\.node)
        let others = hop.heard.map(\.node).filter { !delivered.contains($0) && !refused.contains($0) }
        if !hop.delivered.isEmpty { lines.append("    delivered to \(list(hop.delivered))") }
        if !others.isEmpty { lines.append("    heard by \(list(others))") }
        lines += grouped(hop.discarded).map { reason, nodes in "    not taken further by \(list(nodes)): \(reason)" }
        lines += grouped(hop.lost).map { reason, nodes in "    lost at \(list(nodes)): \(reason)" }
        if hop.heard.isEmpty && hop.lost.isEmpty { lines.append("    nobody was in range, or the run ended") }
        return lines
    }

    /// Nodes by reason, in the order of their first appearance.
    private func grouped(_ entries: [(node: Int, reason: String)]) -> [(reason: String, nodes: [Int])] {
        var groups: [(reason: String, nodes: [Int])] = []
        for entry in entries {
            if let place = groups.firstIndex(where: { $0.reason == entry.reason }) {
                groups[place].nodes.append(entry.node)
            } else {
                groups.append((entry.reason, [entry.node]))
            }
        }
        return groups
    }

    // MARK: Verdict

    /// Whom the message was for.
    var recipients: [Int] {
        guard let words else { return [] }
        return trace.topology.nodes.indices.filter { index in
            let node = trace.topology.nodes[index]
            return words.to.hasPrefix("#") ? node.role == .companion && index != words.from : node.label == words.to
        }
    }

    /// Whom it was for and who did not get it.
    public var missing: [Int] {
        let reached = Set(self.reached)
        return recipients.filter { !reached.contains($0) }
    }

    /// Whether the message arrived, in a word.
    public enum Verdict: String, Sendable {
        case delivered
        case partlyDelivered = "partly delivered"
        case notDelivered = "not delivered"
    }

    /// Whether all, some or none of those who were meant have got it.
    public var verdictWord: Verdict {
        if reached.isEmpty { return .notDelivered }
        return missing.isEmpty ? .delivered : .partlyDelivered
    }

    /// The verdict with its reasons, and which message it is about.
    var verdict: [String] {
        let missing = missing
        let count = recipients.isEmpty ? "" : " to \(recipients.count - missing.count) of \(recipients.count)"
        var lines = ["\(verdictWord.rawValue)\(count): \(headline)"]
        if let acknowledged {
            let span = words.map { ", \((acknowledged - $0.at)) after it was written" } ?? ""
            lines.append("acknowledged at \(acknowledged)\(span)")
        } else if let words, !words.to.hasPrefix("#") {
            lines.append("no acknowledgement came back")
        }
        lines += missing.prefix(20).map { "\(label($0)) did not get it: \(death(before: $0))" }
        if missing.count > 20 { lines.append("and \(missing.count - 20) more did not get it") }
        if trace.digest == nil {
            let end = trace.lines.last.map { " at \($0.time)" } ?? ""
            lines.append("the trace was cut\(end): what came after is not known")
        }
        return lines
    }

    /// Why a node did not get the message.
    func death(before node: Int) -> String {
        let losses = hops.flatMap { hop in hop.lost.filter { $0.node == node }.map { (hop, $0.reason) } }
        let heard = hops.filter { hop in hop.heard.contains { $0.node == node } }
        if let hop = heard.first {
            let reason = hop.discarded.first { $0.node == node }?.reason ?? "was not for it or did not open"
            return "it heard #\(hop.frame), which \(reason)"
        }
        if !losses.isEmpty {
            let list = losses.prefix(4).map { "#\($0.0.frame) of \(label($0.0.sender)) (\($0.1))" }
            let more = losses.count > 4 ? " and \(losses.count - 4) more" : ""
            return "it lost every copy: \(list.joined(separator: ", "))\(more)"
        }
        return frontier(before: node)
    }

    /// The nearest node on the way that had the message and did not send it on.
    private func frontier(before node: Int) -> String {
        let senders = Set(hops.map(\.sender))
        let holders = Set(hops.flatMap { $0.heard.map(\.node) }).union(senders)
        let distance = distances(from: node)
        let nearest = holders.filter { distance[$0] < .max }.min { (distance[$0], $0) < (distance[$1], $1) }
        guard let nearest else { return "there is no way to it" }
        let hopsAway = "\(distance[nearest]) hop\(distance[nearest] == 1 ? "" : "s") away"
        if senders.contains(nearest) {
            let next = losers(near: node, distance)
            return "the message came as far as \(label(nearest)), \(hopsAway)" + (next.isEmpty ? "" : "; \(next)")
        }
        let last = hops.last { hop in hop.heard.contains { $0.node == nearest } }
        let why = last?.discarded.first { $0.node == nearest }?.reason ?? "it did not forward"
        return "it ended at \(label(nearest)), \(hopsAway): \(why)"
    }

    /// Those nearest to a node that lost every copy.
    private func losers(near node: Int, _ distance: [Int]) -> String {
        let holders = Set(hops.flatMap { $0.heard.map(\.node) }).union(hops.map(\.sender))
        let lost = hops.flatMap { hop in hop.lost.map { (hop, $0) } }.filter { !holders.contains($0.1.node) }
        let nearest = lost.min { (distance[$0.1.node], $0.0.frame) < (distance[$1.1.node], $1.0.frame) }
        guard let nearest else { return "" }
        return "\(label(nearest.1.node)) lost #\(nearest.0.frame) of \(label(nearest.0.sender)): \(nearest.1.reason)"
    }

    /// Hops from each node to one, over links towards it.
    private func distances(from node: Int) -> [Int] {
        let topology = trace.topology
        let lists = topology.linksByNode
        var distance = [Int](repeating: .max, count: topology.nodes.count)
        distance[node] = 0
        var ring = [node]
        while !ring.isEmpty {
            var next: [Int] = []
            for here in ring {
                for index in lists[here] {
                    let link = topology.links[index]
                    let other = link.from == here ? link.to : link.from
                    let isOpen = link.from == other ? link.there != nil : link.back != nil
                    guard isOpen, distance[other] == .max else { continue }
                    distance[other] = distance[here] + 1
                    next.append(other)
                }
            }
            ring = next
        }
        return distance
    }
}
