import MeshFiles
import MeshWire

extension MeshSummary {
    /// The summary as JSON with sorted keys; equal runs give equal bytes.
    public var json: String {
        ((try? jsonText()) ?? "{}") + "\n"
    }

    /// The summary as people read it; the busiest nodes only.
    public var text: String {
        var lines = [
            "\(world), seed \(seed), \(Self.seconds(simulatedMilliseconds)) s: \(nodes.count) nodes, \(links) links",
            "",
            row("transmissions", transmissions, "\(Self.seconds(airtimeMilliseconds)) s on the air"),
            row("receptions", receptions, ""),
            row("lost", lost, Self.list(losses)),
            row("forwarded", forwards, ""),
            row("discarded", discards.reduce(0) { $0 + $1.count }, Self.list(discards)),
        ]
        for delivery in deliveries { lines += [""] + Self.lines(delivery) }
        lines += [""] + busiest
        if !faults.isEmpty { lines += [""] + faults.prefix(Self.mostFaults) + moreFaults }
        if !invalid.isEmpty { lines += ["", "INVALID: the run proves nothing about these faults:"] + invalid }
        lines.append("")
        if violations > 0 { lines.append("\(violations) broken rules: the trace shows them as 'violated'") }
        lines.append("digest \(digest)" + (unseed.isEmpty ? "" : ", unseed \(unseed)"))
        return lines.joinedVisibleLines + "\n"
    }

    /// The faults that are listed with what they did.
    private static let mostFaults = 50

    private var moreFaults: [String] {
        faults.count > Self.mostFaults ? ["and \((faults.count - Self.mostFaults).counted("more fault"))"] : []
    }

    private func row(_ name: String, _ count: Int, _ note: String) -> String {
        let row = name.padded(to: 14) + String(count).alignedRight(to: 9)
        return note.isEmpty ? row : row + "  " + note
    }

    private static func lines(_ delivery: Delivery) -> [String] {
        let percent = delivery.expected == 0 ? 0 : 100 * Double(delivery.delivered) / Double(delivery.expected)
        var lines = [
            "\(delivery.kind): \(delivery.sent) sent, \(delivery.delivered) of \(delivery.expected) deliveries"
                + " (\(percent.fixed(1)) %)"
                + (delivery.refused > 0 ? ", \(delivery.refused) refused by the radio" : "")
        ]
        if delivery.kind == "direct text" {
            lines[0] += ", \(delivery.acknowledged) acknowledged"
        }
        for (name, spans) in [
            ("latency", delivery.latencyMilliseconds), ("round trip", delivery.roundTripMilliseconds),
        ]
        where spans.count > 0 {
            lines.append(
                "  " + name.padded(to: 12) + "half within \(spans.p50) ms, 90 % \(spans.p90) ms, 99 % \(spans.p99) ms, "
                    + "longest \(spans.longest) ms")
        }
        return lines
    }

    /// The five nodes that sent longest.
    private var busiest: [String] {
        let sorted = nodes.enumerated().sorted {
            ($1.element.airtimeMilliseconds, $0.offset) < ($0.element.airtimeMilliseconds, $1.offset)
        }
        let shown = sorted.prefix(5).filter { $0.element.transmissions > 0 }
        guard !shown.isEmpty else { return ["nobody sent anything"] }
        let width = shown.map { $0.element.name.count }.max() ?? 0
        return ["most airtime:"]
            + shown.map { _, node in
                let seconds = Double(node.airtimeMilliseconds) / 1000
                let share = 100 * Double(node.airtimeMilliseconds) / Double(max(1, simulatedMilliseconds))
                return "  " + node.name.padded(to: width + 2)
                    + "\(seconds.fixed(1)) s (\(share.fixed(1)) %)"
                    + ", \(node.transmissions) sent, \(node.received) received, \(node.lost) lost"
            }
    }

    /// Counts that are not zero.
    private static func list(_ counts: [Count]) -> String {
        counts.filter { $0.count > 0 }.map { "\($0.name) \($0.count)" }.joined(separator: ", ")
    }

    private static func seconds(_ milliseconds: Int64) -> String {
        milliseconds % 1000 == 0 ? String(milliseconds / 1000) : (Double(milliseconds) / 1000).fixed(1)
    }
}
