import MeshPacket
import MeshSimulator
import MeshWire

/// Finds why nodes did not get a message.
///
/// The transmissions are read once, and the links twice at most, however many nodes are asked for.
struct DeathSearch {
    /// The copies of a message at one node.
    private struct Copies {
        /// The first and the last frame that it received, as places in `hops`, with the reason why it ended there.
        var first: (hop: Int, reason: String?)?
        var last: (hop: Int, reason: String?)?
        /// The frames that it lost, as places in `hops`: their number, and the first few.
        var lostCount = 0
        var lost: [(hop: Int, loss: FrameLoss)] = []
    }

    /// Nodes that were reached from the nearest of some others, which have numbers; the lowest number wins a tie.
    private struct Reach {
        /// Hops from the nearest; `.max` where no way leads.
        var distance: [Int]
        /// The nearest's number; `.max` where no way leads.
        var origin: [Int]
    }

    /// Lost copies that a reason lists.
    private static let listed = 4

    private let fate: MessageFate
    private var copies: [Copies]
    private var isSender: [Bool]
    /// Links by node; empty until a way is searched.
    private var links: [[Int]] = []
    private var fromHolders: Reach?
    /// The copies that were lost at nodes without any, in the order of frames, and the ways from these nodes.
    private var strays: [(hop: Int, loss: FrameLoss)] = []
    private var fromStrays: Reach?
    /// Entries, nodes and links that were looked at so far: the work, as tests count it.
    private(set) var steps = 0

    init(_ fate: MessageFate) {
        self.fate = fate
        let count = fate.trace.topology.nodes.count
        copies = [Copies](repeating: Copies(), count: count)
        isSender = [Bool](repeating: false, count: count)
        for (place, hop) in fate.hops.enumerated() {
            steps += 1 + hop.discarded.count + hop.heard.count + hop.losses.count
            isSender[hop.sender] = true
            var reasons: [Int: String] = [:]
            for (node, reason) in hop.discarded where reasons[node] == nil { reasons[node] = reason }
            for (node, _) in hop.heard {
                if copies[node].first == nil { copies[node].first = (place, reasons[node]) }
                copies[node].last = (place, reasons[node])
            }
            for loss in hop.losses {
                copies[loss.node].lostCount += 1
                if copies[loss.node].lost.count < Self.listed { copies[loss.node].lost.append((place, loss)) }
            }
        }
    }

    /// The reason why a node did not get the message.
    mutating func reason(for node: Int) -> String {
        steps += 1
        let own = copies[node]
        if let first = own.first {
            return "it heard #\(fate.hops[first.hop].frame), which \(refusal(first.reason))"
        }
        guard own.lostCount > 0 else { return frontier(before: node) }
        let list = own.lost.map { lost in
            let hop = fate.hops[lost.hop]
            return "#\(hop.frame) of \(fate.label(hop.sender)) (\(lost.loss.reasonWords(fate.label)))"
        }
        let more = own.lostCount > Self.listed ? " and \(own.lostCount - Self.listed) more" : ""
        return "it lost every copy: \(list.joined(separator: ", "))\(more)"
    }

    /// The reason why a recipient that received a copy did not accept it.
    ///
    /// A node without the key handles a text or a channel message as one for others: it forwards it or drops it. The
    /// firmware's reason for that is therefore no reason of the recipient.
    private func refusal(_ reason: String?) -> String {
        let isOthers = reason.map { ["forwardingDenied", "notForUs", "pathFull"].contains($0) } ?? true
        guard isOthers else { return reason ?? "" }
        return switch fate.type {
        case .txtMsg:
            "it could not open: \(fate.words.map { fate.label($0.from) } ?? "the sender") is no contact of it, or one with "
                + "another key"
        case .grpTxt: "it could not open: it has no channel with that key"
        default: reason ?? "was not for it or did not open"
        }
    }

    // MARK: Frontiers

    private func isHolder(_ node: Int) -> Bool { isSender[node] || copies[node].first != nil }

    /// The nearest node on the way that had the message and did not send it on.
    private mutating func frontier(before node: Int) -> String {
        let reach = reachOfHolders()
        guard reach.distance[node] < .max else { return "there is no way to it" }
        let nearest = reach.origin[node]
        let hops = reach.distance[node]
        let away = hops.counted("hop") + " away"
        if isSender[nearest] {
            let next = loser(near: node)
            return "the message came as far as \(fate.label(nearest)), \(away)" + (next.isEmpty ? "" : "; \(next)")
        }
        return "it ended at \(fate.label(nearest)), \(away): \(copies[nearest].last?.reason ?? "it did not forward")"
    }

    /// The nearest of those that lost every copy.
    private mutating func loser(near node: Int) -> String {
        let reach = reachOfStrays()
        guard let first = strays.first else { return "" }
        let stray = reach.origin[node] < .max ? strays[reach.origin[node]] : first
        let hop = fate.hops[stray.hop]
        return "\(fate.label(stray.loss.node)) lost #\(hop.frame) of \(fate.label(hop.sender)): "
            + stray.loss.reasonWords(fate.label)
    }

    private mutating func reachOfHolders() -> Reach {
        if let fromHolders { return fromHolders }
        let holders = fate.trace.topology.nodes.indices.filter(isHolder).map { (node: $0, number: $0) }
        let reach = reached(from: holders)
        fromHolders = reach
        return reach
    }

    private mutating func reachOfStrays() -> Reach {
        if let fromStrays { return fromStrays }
        for (place, hop) in fate.hops.enumerated() {
            for loss in hop.losses where !isHolder(loss.node) { strays.append((place, loss)) }
            steps += hop.losses.count
        }
        // A damaged trace may have frames in any order.
        let hops = fate.hops
        let sorted = strays.enumerated().sorted { one, other in
            (hops[one.element.hop].frame, one.offset) < (hops[other.element.hop].frame, other.offset)
        }
        strays = sorted.map(\.element)
        let reach = reached(from: strays.enumerated().map { (node: $0.element.loss.node, number: $0.offset) })
        fromStrays = reach
        return reach
    }

    /// Follows open links from all origins at once, a hop a round.
    private mutating func reached(from origins: [(node: Int, number: Int)]) -> Reach {
        let topology = fate.trace.topology
        if links.isEmpty { links = topology.linksByNode }
        var reach = Reach(
            distance: [Int](repeating: .max, count: topology.nodes.count),
            origin: [Int](repeating: .max, count: topology.nodes.count))
        var ring: [Int] = []
        for (node, number) in origins {
            if reach.distance[node] == .max { ring.append(node) }
            reach.distance[node] = 0
            reach.origin[node] = min(reach.origin[node], number)
        }
        var distance = 0
        while !ring.isEmpty {
            distance += 1
            var next: [Int] = []
            for here in ring {
                steps += 1 + links[here].count
                for index in links[here] {
                    let link = topology.links[index]
                    let (other, signal) = link.from == here ? (link.to, link.there) : (link.from, link.back)
                    guard signal != nil, reach.distance[other] >= distance else { continue }
                    if reach.distance[other] == .max {
                        reach.distance[other] = distance
                        next.append(other)
                    }
                    reach.origin[other] = min(reach.origin[other], reach.origin[here])
                }
            }
            ring = next
        }
        return reach
    }
}
