import MeshCompanion
import MeshCompliance
import MeshFiles
import MeshFirmware
import MeshReports
import MeshStudy

/// A comparison of two releases of the firmware: statements, stored state, packets, and a mesh on the way.
///
/// ```swift
/// let comparison = FirmwareComparison(ComparedRelease(.v1_16), ComparedRelease(.v1_17_1))
/// let report = try comparison.perform()
/// print(report.text())
/// ```
package struct FirmwareComparison: Sendable {
    /// A part of the comparison, in its order.
    package enum Part: String, Hashable, Sendable, CaseIterable {
        case statements
        case state
        case air
        case mesh

        /// The unit of its progress.
        package var unit: String {
            switch self {
            case .statements: "statements"
            case .state: "nodes"
            case .air: "radios"
            case .mesh: "seeds"
            }
        }
    }

    package let old: ComparedRelease
    package let new: ComparedRelease
    package var seeds = ReleaseSeeds()
    /// The statements to ask, by their names; all when `nil`.
    package var only: Set<String>?
    package var parts = Set(Part.allCases)
    /// The network of the mesh.
    package var network = Rollout.Network()
    /// The most seeds of the mesh.
    package var meshSeeds = 1000
    /// Seeds of the mesh that run at once.
    package var jobs = 1
    /// The build that runs the seeds.
    package var build = ""

    package init(_ old: ComparedRelease, _ new: ComparedRelease) {
        (self.old, self.new) = (old, new)
    }

    /// Returns the stages of the mesh. Throws for a network that is none, before anything is run.
    package func rollout() throws -> Rollout {
        try Rollout(from: old, to: new, on: network, seeds: meshSeeds)
    }

    /// Runs all parts; `progress` receives the part, how much of it is done, the whole of it, and a note.
    package func perform(
        progress: (_ part: Part, _ done: Int, _ total: Int, _ note: String) -> Void = { _, _, _, _ in }
    ) throws -> FirmwareComparisonReport {
        if old.reported != nil || new.reported != nil { return try comparedVerdicts(progress: progress) }
        // A bad network is told before minutes have passed.
        let rollout = parts.contains(.mesh) ? try self.rollout() : nil
        var report = FirmwareComparisonReport(old: old, new: new, table: TableDifferences(old.version, new.version))
        if parts.contains(.statements) {
            var comparison = StatementComparison(old: old, new: new)
            (comparison.seeds, comparison.only) = (seeds, only)
            let steps = comparison.steps
            var done = 0
            let outcome = try comparison.perform { id in
                done += 1
                progress(.statements, min(done, steps), steps, id)
            }
            report.findings += outcome.findings
            (report.statementsKept, report.statementsAsked) = (outcome.kept, outcome.asked)
        }
        if parts.contains(.state) {
            for (index, subject) in ReleaseSubject.all.enumerated() {
                progress(.state, index, ReleaseSubject.all.count, subject.words)
                report.fates += try StateTransfer(subject: subject, old: old, new: new, seeds: seeds).perform()
            }
            report.findings += StateTransfer.findings(report.fates, old, new)
        }
        if parts.contains(.air) {
            progress(.air, 0, 1, "")
            report.findings += AirFigures(old: old, new: new, seeds: seeds).findings()
        }
        if let rollout {
            let result = try rollout.perform(jobs: jobs, version: build) { seeds, open in
                progress(.mesh, seeds, meshSeeds, "\(open) comparisons open")
            }
            report.findings += Rollout.findings(result)
            report.mesh = result
        }
        report.sort()
        return report
    }

    /// Compares verdicts alone: a report has no node that could be asked for more.
    private func comparedVerdicts(
        progress: (_ part: Part, _ done: Int, _ total: Int, _ note: String) -> Void
    ) throws -> FirmwareComparisonReport {
        let hasOneName = old.name == new.name
        var comparison = try ReportedComparison(
            old: hasOneName ? old.namedByFile : old, new: hasOneName ? new.namedByFile : new)
        (comparison.seeds, comparison.only) = (seeds, only)
        let steps = comparison.steps
        var done = 0
        let outcome = try comparison.perform { id in
            done += 1
            progress(.statements, min(done, steps), steps, id)
        }
        guard outcome.compared > 0 else {
            let file = new.reported?.file ?? old.reported?.file ?? ""
            throw FileProblem(file: file, line: 0, reason: "has no statement with a verdict on both sides")
        }
        return FirmwareComparisonReport(outcome, of: comparison, build: build)
    }
}
