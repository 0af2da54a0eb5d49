import MeshCompanion
import MeshCompliance
import MeshReports

@testable import MeshReleases

/// The article of all pairs of versions: the table, the statements and the stored state of each.
///
/// It is printed from the tables and from nodes that were started. Meshes and the suites themselves take minutes for
/// each pair; the command runs them.
enum UpdateEffectsArticle {
    /// All pairs, the older version first.
    static let all: [(old: FirmwareVersion, new: FirmwareVersion)] = FirmwareVersion.all.indices.flatMap {
        index in FirmwareVersion.all[(index + 1)...].map { (old: FirmwareVersion.all[index], new: $0) }
    }

    /// The article in Markdown.
    static func markdown() throws -> String {
        let reports = try all.map { pair in
            var comparison = FirmwareComparison(ComparedRelease(pair.old), ComparedRelease(pair.new))
            comparison.parts = [.state, .air]
            return try comparison.perform()
        }
        return ([introduction, overview(reports)] + reports.map(section)).joined(separator: "\n\n") + "\n"
    }

    private static let introduction = """
        # What an update changes

        The five versions of the firmware, each against each: behaviour, stored state, and the way back.

        ## Overview

        This page is for operators who plan an update. After it you know what a version changes, what it does with
        stored values, and what is lost by going back.

        The tables are printed from the table of versions, from the numbered statements, and from nodes that were
        started on each other's files. A test repeats that and compares it with this page. Version 1.18 is read from
        source text and not verified. `meshbed compare-firmware` adds the suites and a mesh on its way, on your own
        network:

        ```
        meshbed compare-firmware 1.16 1.17.1 --network my-mesh.json
        ```
        """

    private static func overview(_ reports: [FirmwareComparisonReport]) -> String {
        let rows = reports.map { report in
            let lost = StateFate.Step.allCases.map { step in
                "\(report.fates.count { $0.step == step && $0.outcome.isLoss }) of "
                    + "\(report.fates.count { $0.step == step })"
            }
            return ["\(report.old.name) to \(report.new.name)", "\(report.table.switches.count)"]
                + ["\(report.table.statements.count)"] + lost
        }
        return table(
            [
                "Pair", "Differences of the table", "Statements that differ", "Values not as set after the update",
                "after a restart", "after going back",
            ], rows)
    }

    private static func section(_ report: FirmwareComparisonReport) -> String {
        var parts = ["## From \(report.old.name) to \(report.new.name)"]
        let (gone, fresh) = report.table.commands
        var rows = report.table.switches.map { [$0.name, $0.old, $0.new] }
        if !gone.isEmpty { rows.append(["commands that are gone", list(gone), ""]) }
        if !fresh.isEmpty { rows.append(["new commands", "", list(fresh)]) }
        parts.append(table(["Difference", report.old.name, report.new.name], rows))
        let statements = report.table.statements.map(\.id)
        parts.append(
            "Statements and probes that differ: " + (statements.isEmpty ? "none" : statements.joined(separator: ", "))
                + ".")
        let groups = StateTransfer.grouped(report.fates).map { place, fates in
            let missed = fates.filter(\.outcome.isLoss)
            let words = missed.map { "\($0.value.name) \($0.outcome.rawValue)" }
            return place.split(separator: "/").map { String($0) }
                + ["\(fates.count { $0.outcome == .kept }) of \(fates.count)", few(words)]
        }
        parts.append(table(["Node", "State", "Step", "Kept", "Not as set"], groups))
        let air = report.findings.filter { $0.id.hasPrefix("air/") }.flatMap(\.details)
        if !air.isEmpty { parts.append("On the air: \(air.joined(separator: "; ")).") }
        return parts.joined(separator: "\n\n")
    }

    private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }

    /// The first few of many.
    private static func few(_ words: [String]) -> String {
        let most = 6
        let rest = words.count > most ? ", and \(words.count - most) more" : ""
        return words.prefix(most).joined(separator: ", ") + rest
    }

    private static func table(_ head: [String], _ rows: [[String]]) -> String {
        let lines = [head, head.map { _ in "---" }] + rows.map { $0.map(\.markdownEscaped) }
        return lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
    }
}
