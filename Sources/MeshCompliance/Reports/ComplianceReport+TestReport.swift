import MeshCompanion
public import MeshReports
import MeshWire

extension TestReport {
    /// A compliance run as all reports are written from it.
    public init(_ report: ComplianceReport) {
        self.init(
            title: "Compliance", command: "comply", target: report.target, entries: report.entries.map(Entry.init))
        node = report.node
        notes = report.versionNotes + report.notes
        if !report.restarts.isEmpty {
            let times = report.restarts.count.counted("time")
            notes.append("The radio restarted by itself \(times), in " + report.restarts.joined(separator: ", "))
        }
        abortedBecause = report.abortedBecause
        matrix = ReportMatrix(report.matrix)
    }
}

extension TestReport.Entry {
    init(_ entry: ComplianceReport.Entry) {
        let isCheck = ["MATRIX-", "PEER-", "LEAVE-"].contains(where: entry.id.hasPrefix)
        let kind: TestReport.Kind =
            isCheck ? .check : entry.id.hasPrefix("conversation/") ? .conversation : .statement
        self.init(kind: kind, id: entry.id, group: entry.group, title: entry.title, verdict: .kept)
        seconds = entry.seconds
        rationale = entry.rationale.map(TestReport.Rationale.init)
        explanation = entry.rationale?.reason ?? ""
        repeatCommand = entry.repeatCommand
        exchange = entry.exchange
        switch entry.verdict {
        case .kept: break
        case .differs(let quirks, let lines, let before):
            verdict = .differs(Self.reason(quirks), lines)
            transcript = before
        case .lacks(let reason, let lines, let before):
            verdict = .lacks(reason, lines)
            transcript = before
        case .notRun(let reason): verdict = .notRun(reason)
        case .notApplicable(let reason): verdict = .notApplicable(reason)
        case .broken(let lines, let before):
            verdict = .broken(lines)
            transcript = before
            timeline = entry.evidence?.timeline(failure: lines)
            frames = entry.evidence?.frames ?? []
        }
    }

    private static func reason(_ quirks: [Quirk]) -> String {
        let names = quirks.map(\.rawValue).joined(separator: " and ")
        let firmware = quirks.first.map { "\($0.firmware)" } ?? ""
        return "answers as firmware \(firmware) would without its quirk \(names); the check goes no further"
    }
}

extension TestReport.Rationale {
    init(_ rationale: Rationale) {
        self.init()
        sentence = rationale.sentence
        given = rationale.given
        expected = rationale.expected
        reason = rationale.reason
        source = rationale.source
        basis = rationale.basis
        article = rationale.article
    }
}

extension ComplianceReport {
    /// The report as JSON; the shape stands with `TestReport.json`.
    public var json: String { TestReport(self).json }
    /// The report as JUnit XML.
    public var junit: String { TestReport(self).junit }
    /// One line: target, kept, broken, not run.
    public var summary: String { TestReport(self).summary }

    /// The report for people; `isVerbose` gives every statement a line.
    public func text(isVerbose: Bool = false) -> String { TestReport(self).text(isVerbose: isVerbose) }
}
