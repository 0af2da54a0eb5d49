import Foundation

/// What a sync should reach, and whether it did.
public struct SyncGoals: Sendable {
    /// A goal and what was measured for it; `isMet` is `nil` where nothing was.
    public struct Row: Hashable, Sendable {
        public let goal: String
        public let measured: String
        public let isMet: Bool?
    }

    /// Of the rate of raw inserts, in process.
    static let ofRaw = 0.5
    /// Messages per second over TCP.
    static let overTCP = 20_000.0
    /// As many times the rate of the other client.
    static let timesClient = 10.0
    /// Megabytes that a drain may add, whatever its length: SQLite's page cache has 8.
    static let growth = 16.0

    public let rows: [Row]

    public init(_ measured: [SyncBenchmark.Row]) {
        let inProcess = measured.filter { $0.link == SyncBenchmark.Link.loopback.rawValue }
        let overTCP = measured.filter { $0.link == SyncBenchmark.Link.tcp.rawValue }
        rows = [
            Self.row("in process at least 50 % of the rate of raw inserts", inProcess) {
                (String(format: "%.0f %%", $0.ofRaw * 100), $0.ofRaw >= Self.ofRaw)
            },
            Self.row("over TCP at least 20000 messages/s", overTCP) {
                (String(format: "%.0f/s", $0.rate), $0.rate >= Self.overTCP)
            },
            Self.row("over TCP at least 10 times the other client", overTCP) { row in
                row.clientRate.map { (String(format: "%.1f", row.rate / $0), row.rate >= Self.timesClient * $0) }
            },
            Self.row("memory flat: at most 16 MB more at its peak", measured) {
                let growth = $0.memoryPeak - $0.memoryBefore
                return (String(format: "%.1f MB", growth), growth <= Self.growth)
            },
        ]
    }

    /// A goal is met when every run that says something of it does.
    private static func row(
        _ goal: String, _ runs: [SyncBenchmark.Row], _ judge: (SyncBenchmark.Row) -> (text: String, isMet: Bool)?
    ) -> Row {
        let results = runs.compactMap { run in judge(run).map { (run.messages, $0) } }
        guard !results.isEmpty else { return Row(goal: goal, measured: "not measured", isMet: nil) }
        return Row(
            goal: goal, measured: results.map { "\($0): \($1.text)" }.joined(separator: ", "),
            isMet: results.allSatisfy { $1.isMet })
    }

    /// The rows as a table of three columns.
    public var table: String {
        let cells = rows.map { [$0.goal, $0.measured, $0.isMet.map { $0 ? "yes" : "no" } ?? "-"] }
        let widths = (0..<2).map { column in cells.map { $0[column].count }.max() ?? 0 }
        return ([["goal", "measured", "met"]] + cells).map { line in
            zip(line, widths).map { $0.padding(toLength: $1 + 2, withPad: " ", startingAt: 0) }.joined() + line[2]
        }.joined(separator: "\n")
    }
}
