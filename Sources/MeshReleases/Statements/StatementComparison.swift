import MeshBoards
import MeshCompanion
import MeshCompliance
import MeshFirmware
import MeshRoleCompliance
import MeshTime

/// The statements of the suites, asked of two releases.
///
/// Both are asked what the older one promises; the newer one also what it promises itself. A difference counts when
/// the nodes of two further seeds show it as well, since some statements are about chance.
struct StatementComparison {
    /// The differences, and the extent of the comparison.
    struct Outcome {
        var findings: [ReleaseFinding] = []
        /// Statements that the older release keeps.
        var kept = 0
        /// Statements that were asked of it.
        var asked = 0
    }

    let old: ComparedRelease
    let new: ComparedRelease
    var seeds = ReleaseSeeds()
    /// The statements to ask, by their names; all when `nil`.
    var only: Set<String>?

    /// Looks beside the first one that have to show a difference, too.
    static let furtherLooks: UInt64 = 2

    private var isSameVersion: Bool { old.version == new.version }

    /// The number of verdicts of a run without differences.
    var steps: Int { ReleaseSubject.all.reduce(0) { $0 + ids(of: $1).count } * (isSameVersion ? 2 : 3) }

    private func ids(of subject: ReleaseSubject) -> [String] {
        only.map { only in subject.statementIDs.filter(only.contains) } ?? subject.statementIDs
    }

    /// Asks both; `step` is told the name of each statement that was asked.
    func perform(step: (String) -> Void = { _ in }) throws(ComplianceRun.Problem) -> Outcome {
        var outcome = Outcome()
        var changes: [Change] = []
        var gained: [String] = []
        for subject in ReleaseSubject.all where !ids(of: subject).isEmpty {
            let found = try compare(subject, step)
            outcome.kept += found.kept
            outcome.asked += found.asked
            changes += found.changes
            gained += found.gained.filter { !gained.contains($0) }
        }
        outcome.findings = findings(changes)
        if !gained.isEmpty {
            outcome.findings.append(
                ReleaseFinding(
                    weight: .gain, id: "statements/new",
                    title: "\(gained.count) statements hold in \(new.name) that are not in \(old.name)",
                    details: [gained.joined(separator: " ")]))
        }
        return outcome
    }

    // MARK: One kind of node

    /// A statement that the newer release breaks, and on which nodes.
    private struct Change {
        let subject: ReleaseSubject
        let entry: ComplianceReport.Entry
        /// The newer release breaks what it promises itself.
        let isOwn: Bool
    }

    private struct Found {
        var changes: [Change] = []
        var gained: [String] = []
        var kept = 0
        var asked = 0
    }

    private func compare(
        _ subject: ReleaseSubject, _ step: (String) -> Void
    ) throws(ComplianceRun.Problem) -> Found {
        let selection = only == nil ? Selection.all : Selection(ids(of: subject).joined(separator: ","))
        let before = try old.report(on: subject, against: old.version, selection, seeds.old, step)
        let after = try new.report(on: subject, against: old.version, selection, seeds.new, step)
        let own = isSameVersion ? after : try new.report(on: subject, against: new.version, selection, seeds.new, step)
        let kept = Set(before.entries.filter { $0.verdict == .kept }.map(\.id))
        let absent = Set(before.entries.filter(Self.isAbsent).map(\.id))
        var found = Found(kept: kept.count, asked: before.entries.count)
        let broken = try confirmed(
            after.entries.filter { kept.contains($0.id) && isChange($0) }, subject, against: old.version,
            comparesOld: true)
        found.changes = broken.map { Change(subject: subject, entry: $0, isOwn: false) }
        guard !isSameVersion else { return found }
        // What the older release breaks of its own as well is no difference.
        let known = Set(broken.map(\.id)).union(before.entries.filter(\.isBroken).map(\.id))
        let ownBroken = try confirmed(
            own.entries.filter { $0.isBroken && !known.contains($0.id) }, subject, against: new.version,
            comparesOld: false)
        found.changes += ownBroken.map { Change(subject: subject, entry: $0, isOwn: true) }
        found.gained = own.entries.filter { $0.verdict == .kept && absent.contains($0.id) }.map(\.id)
        return found
    }

    /// Tells whether a statement is broken by more than the name of the version in an answer.
    private func isChange(_ entry: ComplianceReport.Entry) -> Bool {
        guard case .broken(let lines, _) = entry.verdict else { return false }
        let namesOld = lines.contains { $0.hasPrefix("expected") && $0.contains(old.version.text) }
        return !(namesOld && lines.contains { $0.hasPrefix("got") && $0.contains(new.version.text) })
    }

    private static func isAbsent(_ entry: ComplianceReport.Entry) -> Bool {
        if case .notApplicable = entry.verdict { true } else { false }
    }

    /// The broken statements that further looks find broken, too, and kept by the older release where that is asked.
    private func confirmed(
        _ entries: [ComplianceReport.Entry], _ subject: ReleaseSubject, against version: FirmwareVersion,
        comparesOld: Bool
    ) throws(ComplianceRun.Problem) -> [ComplianceReport.Entry] {
        var entries = entries
        for look in 1...Self.furtherLooks where !entries.isEmpty {
            let selection = Selection(entries.map(\.id).joined(separator: ","))
            let moved = seeds.moved(by: look)
            let after = try new.report(on: subject, against: version, selection, moved.new)
            let broken = Set(after.entries.filter(\.isBroken).map(\.id))
            entries.removeAll { !broken.contains($0.id) }
            guard comparesOld, !entries.isEmpty else { continue }
            let before = try old.report(on: subject, against: version, selection, moved.old)
            let kept = Set(before.entries.filter { $0.verdict == .kept }.map(\.id))
            entries.removeAll { !kept.contains($0.id) }
        }
        return entries
    }

    // MARK: Findings

    /// One finding for each statement, whichever nodes show it.
    private func findings(_ changes: [Change]) -> [ReleaseFinding] {
        let known = Dictionary(
            TableDifferences(old.version, new.version).statements.map { ($0.id, $0.words) },
            uniquingKeysWith: { first, _ in first })
        var findings: [ReleaseFinding] = []
        for change in changes {
            let lines = Self.lines(change)
            if let place = findings.firstIndex(where: { $0.id == change.entry.id }) {
                findings[place].details += lines.filter { !findings[place].details.contains($0) }
                continue
            }
            let words = known[change.entry.id].map { ["by the articles: \($0)"] } ?? []
            findings.append(
                ReleaseFinding(
                    weight: Self.weight(change.entry), id: change.entry.id,
                    title: change.isOwn ? "\(new.name) breaks its own: \(change.entry.title)" : change.entry.title,
                    details: lines + words))
        }
        return findings
    }

    /// The expected answer and the one that came.
    private static func lines(_ change: Change) -> [String] {
        guard case .broken(let lines, _) = change.entry.verdict else { return [] }
        return lines.tellingLines.map { "\(change.subject.words): \($0)" }
    }

    private static func weight(_ entry: ComplianceReport.Entry) -> FindingWeight {
        guard case .broken(let lines, _) = entry.verdict else { return FindingWeight(ofBroken: entry.group, []) }
        return FindingWeight(ofBroken: entry.group, lines)
    }
}
