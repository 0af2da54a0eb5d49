import MeshBoards
import MeshWire

/// Holds mutants against the suite: each of them must break every statement that it names.
///
/// ```swift
/// let report = try MutantRun(only: "ack-*").perform()
/// print(report.text)
/// ```
public struct MutantRun: Sendable {
    /// The mutants to run, in the order of the list.
    public private(set) var mutants: [Mutant]
    private let broken: Judge

    /// Runs a selection on a mutant, and returns the checks that were broken.
    package typealias Judge = @Sendable (Mutant, Selection) throws(ComplianceRun.Problem) -> [String]

    /// Chooses the mutants that fit any part of a pattern. A part is a name, in which `*` stands for anything, a piece
    /// of a name or family, or a statement such as `CMP-151`. Commas separate parts. Throws when a part fits none.
    public init(only pattern: String? = nil) throws(ComplianceRun.Problem) {
        try self.init(of: Mutant.all, only: pattern, broken: Self.brokenCompanion)
    }

    /// The same for the mutants of another suite.
    package init(
        of all: [Mutant], only pattern: String?, broken: @escaping Judge
    ) throws(ComplianceRun.Problem) {
        self.broken = broken
        guard let pattern else {
            mutants = all
            return
        }
        let parts = pattern.split(separator: ",").map { String($0).trimmed.lowercased() }
        for part in parts where !all.contains(where: { Self.fits($0, part) }) {
            throw ComplianceRun.Problem(description: "'\(part)' fits no mutant, and no family of them")
        }
        mutants = all.filter { mutant in parts.contains { Self.fits(mutant, $0) } }
    }

    /// Keeps these alone, by their places in the list.
    package mutating func keep(_ places: Range<Int>) { mutants = Array(mutants[places]) }

    private static func fits(_ mutant: Mutant, _ part: String) -> Bool {
        if part.contains("*") { return Selection.matches([Character](mutant.name)[...], [Character](part)[...]) }
        return mutant.name.contains(part) || mutant.family.rawValue.contains(part)
            || mutant.statementIDs.contains { $0.lowercased() == part }
    }

    /// Runs every mutant; `progress` receives each verdict as it falls, with the number of mutants.
    ///
    /// When `isInterrupted` becomes true the run ends after the current mutant.
    public func perform(
        isInterrupted: () -> Bool = { false }, progress: (MutantReport.Entry, Int) -> Void = { _, _ in }
    ) throws(ComplianceRun.Problem) -> MutantReport {
        var report = MutantReport()
        for mutant in mutants {
            let entry = try Self.judge(mutant, by: broken)
            report.entries.append(entry)
            progress(entry, mutants.count)
            guard isInterrupted() else { continue }
            report.abortedBecause = "interrupted"
            break
        }
        return report
    }

    /// First the statements that name it alone; all of them only when one of those has not noticed.
    package static func judge(
        _ mutant: Mutant, by broken: Judge = brokenCompanion
    ) throws(ComplianceRun.Problem) -> MutantReport.Entry {
        let clock = ContinuousClock()
        let start = clock.now
        let named = try broken(mutant, Selection(mutant.statementIDs.joined(separator: ",")))
        let missed = mutant.statementIDs.filter { !named.contains($0) }
        let others = missed.isEmpty ? [] : try broken(mutant, .all).filter { !mutant.statementIDs.contains($0) }
        let spent = (clock.now - start).components
        return MutantReport.Entry(
            mutant: mutant, caughtBy: named, missedBy: missed, brokenElsewhere: others,
            seconds: Double(spent.seconds) + Double(spent.attoseconds) / 1e18)
    }

    @Sendable package static func brokenCompanion(
        _ mutant: Mutant, _ selection: Selection
    ) throws(ComplianceRun.Problem) -> [String] {
        var run = ComplianceRun(target: .emulator, only: selection)
        run.mutant = mutant
        run.firmware = mutant.firmware
        return try run.perform().entries.filter(\.isBroken).map(\.id)
    }
}

extension Mutant {
    /// `CMP-034`, `VERSION-P21`: the statements and probes that must be broken.
    public var statementIDs: [String] {
        if let ofOtherSuite { return ofOtherSuite.ids }
        return statements.map { Statement.id(of: $0) } + leaves.map { "LEAVE-" + $0 }
            + VersionProbe.all.filter { probes.contains($0.number) }.map(\.id)
    }
}
