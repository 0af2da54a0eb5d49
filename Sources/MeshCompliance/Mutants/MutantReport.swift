import MeshWire

/// The result of a run of mutants: which statements noticed each of them.
public struct MutantReport: Sendable {
    /// The result of one mutant.
    public struct Entry: Sendable {
        /// The mutant that was run.
        public let mutant: Mutant
        /// The statements that name it and are broken by it: `CMP-034`.
        public let caughtBy: [String]
        /// Those that name it and have not noticed.
        public let missedBy: [String]
        /// Other checks that broke where a statement missed it, conversations among them.
        public let brokenElsewhere: [String]
        /// Real time spent, in seconds.
        public var seconds = 0.0

        /// Tells whether every statement that names it is broken by it.
        public var isCaught: Bool { missedBy.isEmpty && !caughtBy.isEmpty }
        /// Tells whether no check at all has noticed it.
        public var hasSurvived: Bool { caughtBy.isEmpty && brokenElsewhere.isEmpty }
    }

    /// One for each mutant that was run.
    public internal(set) var entries: [Entry] = []
    /// The reason why the run ended early.
    public internal(set) var abortedBecause: String?

    /// The number of mutants that every statement that names them has noticed.
    public var caught: Int { entries.count(where: \.isCaught) }

    /// The exit code of the command: 0 all caught, 1 one was not, 2 the run did not end.
    public var exitCode: Int32 {
        if abortedBecause != nil || entries.isEmpty { return 2 }
        return caught == entries.count ? 0 : 1
    }

    /// A line for each mutant, then those that were not caught, then the sum.
    public var text: String {
        let widths = (name: width(\.mutant.name), family: width(\.mutant.family.rawValue))
        var lines = entries.map { entry in
            let mutant = entry.mutant
            return mutant.name.padded(to: widths.name) + "  " + mutant.family.rawValue.padded(to: widths.family) + "  "
                + (entry.isCaught ? entry.caughtBy.joined(separator: " ") : "NOT CAUGHT")
        }
        for entry in entries where !entry.isCaught { lines += Self.lines(of: entry) }
        lines.append("")
        lines.append("\(caught) of \(entries.count) mutants caught by every statement that names them")
        if let abortedBecause { lines.append("ended early: \(abortedBecause)") }
        return lines.joined(separator: "\n")
    }

    private static func lines(of entry: Entry) -> [String] {
        var lines = ["", (entry.hasSurvived ? "SURVIVED  " : "MISSED    ") + entry.mutant.name]
        lines.append("          " + entry.mutant.summary)
        lines.append("          not noticed by " + entry.missedBy.joined(separator: ", "))
        if !entry.caughtBy.isEmpty { lines.append("          noticed by " + entry.caughtBy.joined(separator: ", ")) }
        if !entry.brokenElsewhere.isEmpty {
            lines.append("          broken elsewhere: " + entry.brokenElsewhere.joined(separator: ", "))
        }
        return lines
    }

    private func width(_ part: (Entry) -> String) -> Int { entries.map { part($0).count }.max() ?? 0 }
}
