import MeshFirmware
public import MeshReports

extension TestReport {
    /// The report of a run of mutants: one is kept when every statement that names it was broken by it.
    public init(_ report: MutantReport) {
        self.init(
            title: "Mutants", command: "comply --mutants", target: "emulator", entries: report.entries.map(Entry.init))
        abortedBecause = report.abortedBecause
    }
}

extension TestReport.Entry {
    init(_ entry: MutantReport.Entry) {
        let mutant = entry.mutant
        self.init(kind: .mutant, id: mutant.name, group: mutant.family.rawValue, title: mutant.summary, verdict: .kept)
        tags = mutant.statementIDs
        seconds = entry.seconds
        explanation = entry.caughtBy.isEmpty ? "" : "Noticed by " + entry.caughtBy.joined(separator: ", ") + "."
        guard !entry.isCaught else { return }
        let suite = mutant.ofOtherSuite.map { $0.option + " " } ?? ""
        repeatCommand = "meshbed comply \(suite)--mutants --only '\(mutant.name)'"
        var lines = ["not noticed by " + entry.missedBy.joined(separator: ", ")]
        if !entry.brokenElsewhere.isEmpty {
            lines.append("broken elsewhere: " + entry.brokenElsewhere.joined(separator: ", "))
        }
        verdict = .broken(lines + [entry.hasSurvived ? "it survives" : "it is missed"])
    }
}
