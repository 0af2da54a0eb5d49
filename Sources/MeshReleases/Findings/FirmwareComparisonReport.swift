package import MeshStudy
import MeshWire

/// The result of a comparison of two releases.
package struct FirmwareComparisonReport: Sendable {
    package let old: ComparedRelease
    package let new: ComparedRelease
    package let table: TableDifferences
    /// The differences, the heaviest first.
    package internal(set) var findings: [ReleaseFinding] = []
    /// The fate of each stored value.
    package internal(set) var fates: [StateFate] = []
    /// Statements that the old release keeps, of those that were asked.
    package internal(set) var statementsKept = 0
    package internal(set) var statementsAsked = 0
    /// The study of the mesh; `nil` where none was run.
    package internal(set) var mesh: StudyResult?
    /// The extent of the comparison where a side is a report; `nil` between two versions.
    package internal(set) var reported: ReportedExtent?

    init(old: ComparedRelease, new: ComparedRelease, table: TableDifferences) {
        (self.old, self.new, self.table) = (old, new, table)
    }

    /// Sorts by weight; findings of one weight keep their order.
    mutating func sort() {
        findings = FindingWeight.allCases.flatMap { weight in findings.filter { $0.weight == weight } }
    }

    /// The differences that count against the new release.
    package var counting: [ReleaseFinding] { findings.filter(\.weight.matters) }

    /// The exit code of the command: 0 without a difference that matters, 1 with one.
    package var exitCode: Int32 { counting.isEmpty ? 0 : 1 }

    /// The first sentence: the answer, and the evidence for it.
    package var answer: String {
        let counts = FindingWeight.allCases.filter(\.matters).compactMap { weight -> String? in
            let count = findings.count { $0.weight == weight }
            return count == 0 ? nil : "\(count) \(weight.rawValue)"
        }
        if let reported { return answer(reported, counts) }
        let verdict =
            counts.isEmpty
            ? "\(new.name) is safe for a mesh on \(old.name): no difference that matters was found"
            : "\(new.name) is not safe for a mesh on \(old.name) without care: "
                + "\(counting.count.counted("difference")) (\(counts.joined(separator: ", ")))"
        return verdict + ", by \(evidence)."
    }

    /// The evidence in a few words.
    private var evidence: String {
        var parts: [String] = []
        if statementsAsked > 0 { parts.append("\(statementsKept.counted("kept statement"))") }
        if !fates.isEmpty { parts.append("\(fates.count.counted("stored value"))") }
        if let mesh { parts.append("\(mesh.seeds.counted("seed")) of \(mesh.plan.world)") }
        guard let last = parts.last else { return "the table of versions alone" }
        return parts.count == 1 ? last : parts.dropLast().joined(separator: ", ") + " and " + last
    }

    // MARK: Method and caveats

    /// The method, in sentences.
    var method: [String] {
        if let reported { return reported.method }
        var lines: [String] = []
        if statementsAsked > 0 {
            lines.append(
                "Emulated nodes of both releases were asked what \(old.name) promises. A difference counts when three "
                    + "seeds show it.")
        }
        if !fates.isEmpty {
            lines.append(
                "Nodes of \(old.name) were given values, \(new.name) started from their files, was given others, and "
                    + "\(old.name) started from those.")
        }
        if let mesh { lines += mesh.method }
        return lines
    }

    /// The points at which the comparison says less than it seems to.
    var caveats: [String] {
        if let reported { return reported.caveats }
        var lines = [
            "All nodes are emulated ones: builds behind the modem and nodes of others are not compared.",
            "State is compared on one board, Heltec V3; settings that it lacks are not.",
        ]
        lines += table.openQuestions.map { "Not verified: \($0)" }
        guard let mesh else { return lines + ["No mesh was run."] }
        if !mesh.isValid {
            let names = mesh.alarms.map(\.metric.name).joined(separator: ", ")
            lines.append("The control of the mesh raised an alarm in \(names): no verdict of it counts.")
        }
        let open = mesh.comparisons.filter { $0.verdict == .inconclusive }
        if !open.isEmpty {
            let names = open.map { "\($0.arm) in \($0.metric.name)" }.joined(separator: ", ")
            lines.append("Undecided after \(mesh.seeds.counted("seed")): \(names). More seeds decide more.")
        }
        return lines + mesh.caveats
    }

    // MARK: Parts of the text

    /// The table of versions in lines; none where it has no difference.
    var tableLines: [String] {
        let (gone, fresh) = table.commands
        return table.switches.map { "\($0.name): \($0.old) → \($0.new)" }
            + (gone.isEmpty ? [] : ["commands that are gone: " + gone.joined(separator: ", ")])
            + (fresh.isEmpty ? [] : ["new commands: " + fresh.joined(separator: ", ")])
    }

    /// A row for each kind of node and step: how many values became what.
    var stateRows: [[String]] {
        var rows: [[String]] = []
        for node in ReleaseSubject.all.map(\.words) {
            for step in StateFate.Step.allCases {
                let all = fates.filter { $0.node == node && $0.step == step }
                guard !all.isEmpty else { continue }
                let counts = StateFate.Outcome.allCases.map { outcome in "\(all.count { $0.outcome == outcome })" }
                rows.append([node, step.rawValue] + counts)
            }
        }
        return rows
    }

    static let stateColumns = ["node", "step"] + StateFate.Outcome.allCases.map(\.rawValue)
}
