import MeshSimulator
import MeshWorlds

/// Words for people about frames that were lost to others as it happens: which, where, and to which.
///
/// In a busy mesh such losses are the ordinary case, so there is a limit; the counts at the end have them all.
struct LossTeller {
    /// Losses that are told of at most.
    static let most = 20
    /// Frames whose names are remembered: far more than are on the air at once.
    private static let remembered = 4096

    private let labels: [String]
    private var register = FrameRegister(keeping: remembered)
    private var told = 0

    init(_ labels: [String]) {
        self.labels = labels
    }

    /// Reads a line of the trace, in the order of time; returns the words for people about a loss that it completes.
    mutating func take(_ line: HappeningLog.Line) -> String? {
        guard let content = TraceFile.Line.Content(line.happening),
            let loss = register.enter(line.time, line.node.index, content), loss.by != nil, told <= Self.most
        else { return nil }
        told += 1
        guard told <= Self.most else { return "further losses are counted at the end, and --trace has them all" }
        return "\(line.time): \(loss.words { labels.indices.contains($0) ? labels[$0] : "node \($0)" })"
    }
}
