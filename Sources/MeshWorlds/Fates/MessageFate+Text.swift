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

    /// The message in one line: its number, sender, recipient and text.
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
                "path to \(label(path.to)): \(path.hops.count.counted("transmission"))\(took)"
            ]
                + steps + [""]
        }
    }

    // MARK: Transmissions

    private func lines(_ hop: Hop) -> [String] {
        let from = hop.cause.map { " (heard in #\($0))" } ?? ""
        var lines = ["\(hop.begin)  \(label(hop.sender)) sends #\(hop.frame), \(hop.airtime) on the air\(from)"]
        let delivered = Set(hop.delivered)
        let refused = Set(hop.discarded.map(\.node))
        let others = hop.heard.map(\.node).filter { !delivered.contains($0) && !refused.contains($0) }
        if !hop.delivered.isEmpty { lines.append("    delivered to \(list(hop.delivered))") }
        if !others.isEmpty { lines.append("    heard by \(list(others))") }
        lines += grouped(hop.discarded).map { reason, nodes in "    not taken further by \(list(nodes)): \(reason)" }
        let lost = hop.losses.map { (node: $0.node, reason: $0.reasonWords(label)) }
        lines += grouped(lost).map { reason, nodes in "    lost at \(list(nodes)): \(reason)" }
        if hop.heard.isEmpty && hop.losses.isEmpty { lines.append("    nobody was in range, or the run ended") }
        return lines
    }

    /// Nodes by reason, in the order of their first appearance.
    private func grouped(_ entries: [(node: Int, reason: String)]) -> [(reason: String, nodes: [Int])] {
        var groups: [(reason: String, nodes: [Int])] = []
        var places: [String: Int] = [:]
        for entry in entries {
            if let place = places[entry.reason] {
                groups[place].nodes.append(entry.node)
            } else {
                places[entry.reason] = groups.count
                groups.append((entry.reason, [entry.node]))
            }
        }
        return groups
    }

    // MARK: Verdict

    /// The nodes that the message was for.
    var recipients: [Int] {
        guard let words else { return [] }
        return trace.topology.nodes.indices.filter { index in
            let node = trace.topology.nodes[index]
            return words.to.hasPrefix("#") ? node.role == .companion && index != words.from : node.label == words.to
        }
    }

    /// The nodes that the message was for and that did not receive it.
    public var missing: [Int] {
        let reached = Set(self.reached)
        return recipients.filter { !reached.contains($0) }
    }

    /// The verdict on a message's arrival, in a word.
    public enum Verdict: String, Sendable {
        case delivered
        case partlyDelivered = "partly delivered"
        case notDelivered = "not delivered"
    }

    /// The verdict: all, some or none of the recipients have received it.
    public var verdictWord: Verdict {
        if reached.isEmpty { return .notDelivered }
        return missing.isEmpty ? .delivered : .partlyDelivered
    }

    /// The progress of the message.
    package var standing: MessageStanding {
        MessageStanding(
            isTransmitted: !hops.isEmpty, isDelivered: verdictWord == .delivered, isAcknowledged: acknowledged != nil,
            end: end)
    }

    /// True when the end of the message is known: nothing more can come of it.
    private var isOver: Bool { acknowledged != nil || end != nil }

    /// True while some of it is on its way.
    var mayStillArrive: Bool { isRunning && !isOver }

    /// True when the trace was cut before the message's end.
    var isCut: Bool { trace.digest == nil && !isRunning && !isOver }

    /// Copies of acknowledgements that are listed.
    private static let mostLostAcknowledgements = 8

    /// The verdict with its reasons, and the message that it is about.
    var verdict: [String] {
        let missing = missing
        let count = recipients.isEmpty ? "" : " to \(recipients.count - missing.count) of \(recipients.count)"
        var lines = ["\(verdictWord.rawValue)\(count): \(headline)"]
        if let acknowledged {
            let span = words.map { ", \((acknowledged - $0.at)) after it was written" } ?? ""
            lines.append("acknowledged at \(acknowledged)\(span)")
        } else if let words, !words.to.hasPrefix("#") {
            lines.append("no acknowledgement came back\(mayStillArrive ? " so far" : "")")
            lines += lostAcknowledgements.prefix(Self.mostLostAcknowledgements).map { "    " + $0.words(label) }
            let more = lostAcknowledgements.count - Self.mostLostAcknowledgements
            if more > 0 { lines.append("    and \(more) more") }
        }
        var search = DeathSearch(self)
        for node in missing.prefix(20) { lines.append("\(label(node)) did not get it: \(search.reason(for: node))") }
        if missing.count > 20 { lines.append("and \(missing.count - 20) more did not get it") }
        if let end, !end.hasArrived { lines.append("given up: \(end.words)") }
        if mayStillArrive { lines.append("something of it is on its way still") }
        if isCut {
            let end = trace.lines.last.map { " at \($0.time)" } ?? ""
            lines.append("the trace was cut\(end): what came after is not known")
        }
        return lines
    }
}
