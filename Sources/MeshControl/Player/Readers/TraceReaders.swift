import MeshFirmware
import MeshSimulator
import MeshTime
package import MeshWorlds

// Traces of meshes, as files and as they happen.
extension PlayerDocument {
    /// A trace file.
    package init(_ trace: TraceFile) {
        self.init(.trace, title: trace.topology.name, world: PlayerWorld(trace.topology))
        span = trace.span
        facts = [Fact("World", trace.topology.name), Fact("Seed", "\(trace.seed)")]
        facts.append(Fact("Digest", trace.digest ?? "none: the trace was cut"))
        if let note = trace.restoreNote { facts.append(Fact("Left out", note)) }
        for line in trace.lines { events.add(line.time, line.node, line.content) }
    }

    /// A run that goes on, or whose lines are in memory: a piece of its log.
    ///
    /// - Parameter number: the first line that is wanted; lines that are kept no more are left out.
    /// - Parameter most: lines at most.
    package init(
        title: String, world: PlayerWorld, log: HappeningLog, from number: Int, atMost most: Int, generation: Int
    ) {
        self.init(.live, title: title, world: world)
        let from = min(max(number, log.forgotten), log.count)
        var taken = 0
        log.forEach(from: from, atMost: most) { line in
            taken += 1
            guard let content = TraceFile.Line.Content(line.happening) else { return }
            events.add(line.time, line.node.index, content)
        }
        piece = Piece(from: from, next: from + taken, count: log.count, generation: generation)
    }
}
