import MeshBoards
import MeshCompanion
import MeshCompliance
import MeshReports

extension ReportedComparison {
    /// The verdicts of one side, from a report or of emulated nodes.
    struct Side {
        let name: String
        private let release: ComparedRelease
        private let subject: ReleaseSubject
        /// The version by whose statements both sides are judged.
        private let reference: FirmwareVersion
        private var entries: [String: TestReport.Entry] = [:]
        /// Statements on which emulated nodes have another verdict with other seeds.
        private var unsteady: Set<String> = []
        /// The statements that emulated nodes can be asked.
        private let known: Set<String>

        /// Takes the verdicts of the report, or asks emulated nodes.
        init(
            _ release: ComparedRelease, _ subject: ReleaseSubject, against reference: FirmwareVersion, _ ids: [String],
            _ seed: UInt64, _ step: (String) -> Void
        ) throws(ComplianceRun.Problem) {
            (self.release, self.subject, self.reference) = (release, subject, reference)
            name = release.name
            known = Set(subject.statementIDs)
            if let reported = release.reported {
                entries = reported.entries
            } else {
                entries = try answers(to: ids, seed, step)
            }
        }

        /// The verdicts of emulated nodes.
        private func answers(
            to ids: [String], _ seed: UInt64, _ step: (String) -> Void = { _ in }
        ) throws(ComplianceRun.Problem) -> [String: TestReport.Entry] {
            guard !ids.isEmpty else { return [:] }
            let selection = Selection(ids.joined(separator: ","))
            let report = TestReport(try release.report(on: subject, against: reference, selection, seed, step))
            return Dictionary(report.entries.map { ($0.id, $0) }) { first, _ in first }
        }

        /// Asks emulated nodes of another seed again; other verdicts than before are none.
        mutating func lookAgain(at ids: [String], _ seed: UInt64) throws(ComplianceRun.Problem) {
            guard release.reported == nil else { return }
            let steady = ids.filter { !unsteady.contains($0) }
            let again = try answers(to: steady, seed)
            unsteady.formUnion(steady.filter { again[$0]?.verdict.words != entries[$0]?.verdict.words })
        }

        /// The verdict on a statement; `nil` where there is none.
        func entry(_ id: String) -> TestReport.Entry? {
            guard let entry = entries[id], entry.hasVerdict, !unsteady.contains(id) else { return nil }
            return entry
        }

        /// The reason why there is no verdict on a statement; `nil` where there is one, or where it was not needed.
        func reason(_ id: String) -> String? {
            if unsteady.contains(id) { return "another verdict with other random numbers" }
            if let entry = entries[id] { return entry.hasVerdict ? nil : entry.said }
            if release.reported != nil { return "not in the report" }
            return known.contains(id) ? nil : "not asked of emulated nodes"
        }

        /// Tells whether a statement is broken by no more than the version in the node's own words.
        func namesItself(_ entry: TestReport.Entry) -> Bool {
            let own = release.reported?.node.version ?? release.running.text
            guard entry.isBroken, !own.isEmpty, !own.contains(reference.name) else { return false }
            return entry.details.contains { $0.hasPrefix("got") && $0.contains(own) }
                && entry.details.contains { $0.hasPrefix("expected") && $0.contains(reference.text) }
        }
    }
}

extension TestReport.Entry {
    /// Tells whether the node was judged by it.
    var hasVerdict: Bool { isKept || isBroken || isDifferent || isLacking }

    /// The weight of a departure: none, one that the protocol leaves open, a broken statement.
    var rank: Int { isBroken ? 2 : isKept ? 0 : 1 }

    /// The verdict with its reason.
    var said: String { reason.map { "\(verdict.words): \($0)" } ?? verdict.words }
}
