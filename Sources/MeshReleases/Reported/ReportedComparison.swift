import MeshCompanion
import MeshCompliance
import MeshFiles
import MeshReports
import MeshWire

/// The verdicts of a report beside those of a version, or of another report, on the same statements.
///
/// Nodes of the version are emulated and asked what the report was asked, against the version that it was made
/// against. A difference counts when they have one verdict on all seeds, since some statements are about chance.
struct ReportedComparison {
    /// The differences, and the extent of the comparison.
    struct Outcome {
        var findings: [ReleaseFinding] = []
        /// Statements with a verdict on both sides, and those of them that the old side keeps.
        var compared = 0
        var kept = 0
        /// Statements that both sides break.
        var brokenByBoth: [String] = []
        var uncompared: [UncomparedStatements] = []
    }

    let old: ComparedRelease
    let new: ComparedRelease
    var seeds = ReleaseSeeds()
    /// The statements to look at, by their names; all when `nil`.
    var only: Set<String>?

    /// The nodes that the reports are about.
    let subject: ReleaseSubject
    /// The version that they were checked against.
    let reference: FirmwareVersion

    /// Throws when no side has a report, or when two reports are of different roles or versions.
    init(old: ComparedRelease, new: ComparedRelease) throws(FileProblem) {
        let leading = old.reported == nil ? new : old
        guard let report = leading.reported else { throw FileProblem(line: 0, reason: "neither side has a report") }
        (self.old, self.new) = (old, new)
        (subject, reference) = (ReleaseSubject(report.node.role), leading.version)
        guard let first = old.reported, let second = new.reported else { return }
        func problem(_ reason: String) -> FileProblem { FileProblem(file: second.file, line: 0, reason: reason) }
        guard first.node.role == second.node.role else {
            throw problem(
                "is of a node asked as \(second.node.role), and \(first.file.visibleLine) of one asked as "
                    + "\(first.node.role)")
        }
        guard first.node.reference == second.node.reference else {
            throw problem(
                "was checked against \(second.node.reference), and \(first.file.visibleLine) against "
                    + "\(first.node.reference); 'comply --firmware' names the version")
        }
    }

    /// The statements in the order of the suite; behind them those that it does not have.
    private var ids: [String] {
        let known = subject.statementIDs
        var seen = Set(known)
        let others = [old, new].compactMap(\.reported).flatMap(\.report.entries).map(\.id)
            .filter { seen.insert($0).inserted }
        return (known + others).filter { only?.contains($0) ?? true }
    }

    /// The statements that a version is asked: those on which every report has a verdict.
    private var asked: [String] {
        let known = Set(subject.statementIDs)
        return ids.filter { id in
            known.contains(id)
                && [old, new].compactMap(\.reported).allSatisfy { $0.entries[id].map(\.hasVerdict) ?? false }
        }
    }

    /// The number of verdicts of a run without differences.
    var steps: Int { [old, new].contains { $0.reported == nil } ? asked.count : 0 }

    /// Asks the version, if there is one, and compares; `step` is told the name of each statement that was asked.
    func perform(step: (String) -> Void = { _ in }) throws(ComplianceRun.Problem) -> Outcome {
        var sides = [
            try Side(old, subject, against: reference, asked, seeds.old, step),
            try Side(new, subject, against: reference, asked, seeds.new, step),
        ]
        let changed = ids.filter { id in
            guard let (before, after) = Self.verdicts(id, sides) else { return false }
            return before.verdict.words != after.verdict.words
        }
        for look in 1...StatementComparison.furtherLooks {
            let moved = seeds.moved(by: look)
            try sides[0].lookAgain(at: changed, moved.old)
            try sides[1].lookAgain(at: changed, moved.new)
        }
        return outcome(sides)
    }

    private static func verdicts(_ id: String, _ sides: [Side]) -> (TestReport.Entry, TestReport.Entry)? {
        guard let before = sides[0].entry(id), let after = sides[1].entry(id) else { return nil }
        return (before, after)
    }

    private func outcome(_ sides: [Side]) -> Outcome {
        var outcome = Outcome()
        var gained: [String] = []
        var missing = UncomparedList()
        for id in ids {
            guard let (before, after) = Self.verdicts(id, sides) else {
                for side in sides { if let reason = side.reason(id) { missing.note(id, side.name, reason) } }
                continue
            }
            outcome.compared += 1
            if before.isKept { outcome.kept += 1 }
            if before.isBroken, after.isBroken { outcome.brokenByBoth.append(id) }
            if after.isKept, !before.isKept {
                gained.append(id)
            } else if after.verdict.words != before.verdict.words, !sides[1].namesItself(after) {
                outcome.findings.append(finding(before, after))
            }
        }
        outcome.uncompared = missing.list
        guard !gained.isEmpty else { return outcome }
        let title = "\(new.name) keeps \(gained.count.counted("statement")) from which \(old.name) departs"
        outcome.findings.append(
            ReleaseFinding(
                weight: .gain, id: "statements/gained", title: title, details: [gained.joined(separator: " ")]))
        return outcome
    }

    private func finding(_ before: TestReport.Entry, _ after: TestReport.Entry) -> ReleaseFinding {
        let words = [before.isKept ? nil : "\(old.name): \(before.said)", "\(new.name): \(after.said)"]
        let telling = after.details.tellingLines.map { "\(new.name): \($0)" }
        return ReleaseFinding(
            weight: after.isBroken ? FindingWeight(ofBroken: after.group, after.details) : .permitted,
            id: after.id, title: after.title,
            details: words.compactMap(\.self) + telling)
    }
}

/// Statements of which one side has no verdict, and why.
struct UncomparedStatements: Hashable, Sendable, Encodable {
    /// The name of the side.
    let side: String
    let reason: String
    fileprivate(set) var ids: [String]
}

/// Collects them by side and reason, in the order in which they first occur.
private struct UncomparedList {
    private struct Key: Hashable {
        let side: String
        let reason: String
    }

    private(set) var list: [UncomparedStatements] = []
    private var places: [Key: Int] = [:]

    mutating func note(_ id: String, _ side: String, _ reason: String) {
        let key = Key(side: side, reason: reason)
        if let place = places[key] { return list[place].ids.append(id) }
        places[key] = list.count
        list.append(UncomparedStatements(side: side, reason: reason, ids: [id]))
    }
}
