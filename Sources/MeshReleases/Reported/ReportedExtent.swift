import MeshCompanion
import MeshFirmware
import MeshReports
import MeshWire

/// The extent of a comparison in which a side is a report, and the parts that cannot be asked of one.
package struct ReportedExtent: Sendable {
    /// A part of the comparison that was left out.
    struct UnaskedPart: Hashable, Sendable, Encodable {
        let part: String
        let reason: String
    }

    let subject: ReleaseSubject
    /// The name of the version by whose statements both sides are judged.
    let reference: String
    /// The version whose nodes were emulated; `nil` where both sides are reports.
    package let emulated: String?
    let reports: [NodeReport]
    /// Statements with a verdict on both sides.
    let compared: Int
    /// Statements that both sides break.
    let brokenByBoth: [String]
    let uncompared: [UncomparedStatements]
    /// The build of this program.
    let build: String

    /// The parts that only emulated nodes can be asked, each with the reason.
    static let unasked = [
        UnaskedPart(
            part: "stored state", reason: "no build reads the files of another one's node, and a report has none"),
        UnaskedPart(
            part: "packets", reason: "their air time is measured on emulated radios, and a report has verdicts"),
        UnaskedPart(
            part: "mesh on the way", reason: "nodes of both sides have to share one air, and a report is no node"),
    ]

    /// The method, in sentences.
    var method: [String] {
        var lines = reports.map { report in
            let origin = report.report.provenance.map { " on \($0.date) by meshbed \($0.version)" } ?? ""
            return "\(report.file): \(report.report.target) was checked against \(reference)\(origin)."
        }
        if let emulated {
            lines.append(
                "Emulated nodes of \(emulated) were asked the same statements, against \(reference). A difference counts "
                    + "when they have one verdict on three seeds.")
        }
        return lines
    }

    /// The points at which the comparison says less than it seems to.
    var caveats: [String] {
        var lines: [String] = []
        for report in reports {
            if let reason = report.report.abortedBecause {
                lines.append("\(report.file) is of a run that ended early: \(reason).")
            }
            if let version = report.report.provenance?.version.description, !build.isEmpty, version != build {
                lines.append(
                    "\(report.file) was made by another build, \(version): statements may have changed since.")
            }
        }
        if !brokenByBoth.isEmpty {
            lines.append("Broken on both sides, and so no difference: \(brokenByBoth.joined(separator: " ")).")
        }
        return lines
    }
}

extension FirmwareComparisonReport {
    /// The result of a comparison of verdicts.
    init(_ outcome: ReportedComparison.Outcome, of comparison: ReportedComparison, build: String) {
        let (old, new) = (comparison.old, comparison.new)
        self.init(old: old, new: new, table: TableDifferences(comparison.reference, comparison.reference))
        findings = outcome.findings
        (statementsAsked, statementsKept) = (outcome.compared, outcome.kept)
        reported = ReportedExtent(
            subject: comparison.subject, reference: comparison.reference.name,
            emulated: [old, new].first { $0.reported == nil }?.name, reports: [old, new].compactMap(\.reported),
            compared: outcome.compared, brokenByBoth: outcome.brokenByBoth, uncompared: outcome.uncompared, build: build
        )
        sort()
    }

    /// The first sentence of such a comparison: the answer, and the evidence for it.
    func answer(_ extent: ReportedExtent, _ counts: [String]) -> String {
        let verdict =
            counts.isEmpty
            ? "\(new.name) answers as \(old.name) does: no difference that matters was found"
            : "\(new.name) departs from \(old.name): "
                + "\(counting.count.counted("difference")) (\(counts.joined(separator: ", ")))"
        return "As a \(extent.subject.words), \(verdict), by \(extent.compared.counted("statement")) with a verdict on "
            + "both sides."
    }

    /// Statements without a verdict on one side, a line for each side and reason.
    ///
    /// - Parameter most: The number of names in a line.
    func uncomparedLines(most: Int = .max) -> [String] {
        (reported?.uncompared ?? []).map { group in
            let rest = group.ids.count - most
            let names = group.ids.prefix(most).joined(separator: " ")
            return "\(group.side), \(group.reason): \(names)" + (rest > 0 ? " and \(rest) more" : "")
        }
    }

    /// The parts that were not asked, a line each; none between two versions.
    var unaskedLines: [String] {
        reported == nil ? [] : ReportedExtent.unasked.map { "\($0.part): \($0.reason)" }
    }
}
