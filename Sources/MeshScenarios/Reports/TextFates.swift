import MeshPacket
import MeshSimulator
import MeshTime
import MeshWire
import MeshWorlds

/// The fate of the texts that a broken expectation is about: how far they came, and where their copies were lost.
///
/// It counts, over all attempts, what `meshbed mesh why` prints of each. The run must have been recorded.
struct TextFates {
    let lines: [String]

    /// Places where copies were lost that a report names at most.
    static let limit = 6

    init(_ result: ScenarioResult) {
        guard case .broken(let failure) = result.verdict, !result.air.isEmpty,
            let trace = try? TraceFile(ScenarioTrace.bytes(of: result))
        else {
            lines = []
            return
        }
        lines = failure.basis.flatMap { subject -> [String] in
            if case .text(let text) = subject { Self.lines(of: text, trace, failure.people) } else { [] }
        }
    }

    private static func lines(of text: String, _ trace: TraceFile, _ people: [String]) -> [String] {
        var tally = FateTally(trace, people)
        for line in trace.lines {
            guard case .message(let number, _, let words) = line.content else { continue }
            // Each attempt is a message of its own.
            guard words == text || words.hasPrefix(text + " (attempt ") else { continue }
            do { tally.add(try MessageFate(String(number), in: trace)) } catch { tally.addUnsent(line.node) }
        }
        return tally.lines(text)
    }
}

/// Counts what the attempts of one text came to.
private struct FateTally {
    private struct Loss: Hashable {
        let node: Int
        let reason: String
        /// The frame that was in the way, without its number: several of a kind count together.
        var by: String?
    }

    private let trace: TraceFile
    /// The nodes that the expectation is about.
    private let people: [Int]
    private var frames = Counts<Int>()
    private var losses = Counts<Loss>()
    private var refusals = Counts<Loss>()
    private var unsent = Counts<Int>()
    private var unheard = Counts<Int>()
    private var reached: [(node: Int, at: Instant)] = []
    private var isAcknowledged = false
    private var sender: Int?

    init(_ trace: TraceFile, _ names: [String]) {
        self.trace = trace
        people = trace.topology.nodes.indices.filter { names.contains(trace.topology.nodes[$0].label) }
    }

    mutating func addUnsent(_ node: Int) { unsent.add(node) }

    mutating func add(_ fate: MessageFate) {
        let origin = fate.words?.from ?? fate.hops.first?.sender
        if sender == nil { sender = origin }
        if fate.acknowledged != nil { isAcknowledged = true }
        let holders = Set(fate.hops.flatMap { $0.heard.map(\.node) })
        for hop in fate.hops {
            frames.add(hop.sender)
            if hop.heard.isEmpty, hop.losses.isEmpty { unheard.add(hop.sender) }
            for node in hop.delivered where !reached.contains(where: { $0.node == node }) {
                reached.append((node, hop.end))
            }
            // Who has another copy, or wrote it, misses nothing.
            for loss in hop.losses where loss.node != origin && !holders.contains(loss.node) {
                losses.add(Loss(node: loss.node, reason: loss.reason, by: loss.by?.name(label)))
            }
            for refusal in hop.discarded where people.contains(refusal.node) && refusal.node != origin {
                refusals.add(Loss(node: refusal.node, reason: refusal.reason))
            }
        }
    }

    func lines(_ text: String) -> [String] {
        var lines = unsent.all.map { node, count in
            "\(label(node)) took \(count.counted("attempt")) of “\(text)” and transmitted none of them"
        }
        if !frames.all.isEmpty {
            let parts = frames.all.prefix(TextFates.limit).map { "\($1) by \(label($0))" }
            lines.append("“\(text)” on the air: \(parts.joined(separator: ", "))")
        }
        for (node, count) in unheard.all {
            lines.append("\(count.counted("frame")) of \(label(node)) reached nobody: nobody was in range")
        }
        lines += told(losses) { loss, count in
            "\(count.counted("frame")) lost at \(label(loss.node)), \(RxLoss.words(loss.reason, loss.by))"
        }
        lines += told(refusals) { refusal, count in
            "\(label(refusal.node)) heard \(count.counted("frame")) and took it no further: \(refusal.reason)"
        }
        let arrived = reached.filter { people.contains($0.node) }
        lines += arrived.map { "\(label($0.node))'s radio had it at \($0.at)" }
        if !isAcknowledged, let first = arrived.map(\.at).min() { lines += acknowledgements(since: first) }
        return lines
    }

    /// Describes the acknowledgements, alone and in returned paths, that were sent after a text had arrived.
    private func acknowledgements(since first: Instant) -> [String] {
        var sent: Set<Int> = []
        var lost = Counts<Loss>()
        var register = FrameRegister()
        for line in trace.lines {
            let loss = register.enter(line.time, line.node, line.content)
            guard line.time >= first else { continue }
            if case .txBegin(let frame, let bytes, _) = line.content {
                let type = (try? PacketView(bytes))?.type
                if type == .ack || type == .path { sent.insert(frame) }
            }
            guard let loss, sent.contains(loss.frame.number) else { continue }
            lost.add(Loss(node: loss.node, reason: loss.reason, by: loss.by?.name(label)))
        }
        return ["no acknowledgement came back"]
            + told(lost) { loss, count in
                "\(count.counted("acknowledgement")) lost at \(label(loss.node)), \(RxLoss.words(loss.reason, loss.by))"
            }
    }

    private func told(_ counts: Counts<Loss>, _ line: (Loss, Int) -> String) -> [String] {
        let all = counts.all
        let more = all.count > TextFates.limit ? ["and at \(all.count - TextFates.limit) more places"] : []
        return all.prefix(TextFates.limit).map { line($0, $1) } + more
    }

    private func label(_ node: Int) -> String { trace.topology.nodes[node].label }
}

/// A count of each thing, in the order of first occurrences.
private struct Counts<Thing: Hashable> {
    private(set) var all: [(thing: Thing, count: Int)] = []

    mutating func add(_ thing: Thing) {
        if let place = all.firstIndex(where: { $0.thing == thing }) {
            all[place].count += 1
        } else {
            all.append((thing, 1))
        }
    }
}

extension RxLoss {
    /// The fate of a frame at a node that lost it, after the node's name. It has the reason as a trace writes it, and
    /// the frame that was in the way.
    fileprivate static func words(_ reason: String, _ other: String?) -> String {
        switch allCases.first(where: { "\($0)" == reason }) {
        case .collision: "where \(other ?? "another frame") was on the air"
        case .halfDuplex: "which was transmitting \(other ?? "itself")"
        case .off: "which had no power"
        case .retuned: "which changed its radio parameters meanwhile"
        case .senderCut: "as their sender restarted"
        case .tooWeak: "where they were too weak"
        case .missed: "which was receiving \(other ?? "another frame")"
        case .linkLoss: "by the loss of its link"
        case .fault: "by a fault: loss or a partition"
        case .deaf: "which was deaf"
        case .corrupted: "where a fault had spoiled them"
        case .noise: "where noise had spoiled them"
        case nil: reason
        }
    }
}
