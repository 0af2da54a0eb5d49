public import MeshFirmware
import MeshSimulator
import MeshTime

/// A run of the compliance suite against one radio.
///
/// ```swift
/// let report = try ComplianceRun(target: ComplianceTargetName("emulator")).perform()
/// print(report.text())
/// ```
public struct ComplianceRun: Sendable {
    /// Why a run could not begin.
    public struct Problem: Error, Sendable, CustomStringConvertible {
        public let description: String

        init(description: String) {
            self.description = description
        }

        /// A part of a selection that chooses nothing.
        init(unknown part: String) {
            description =
                "'\(part)' is no statement, no conversation, no check of the matrix and no word of their titles"
        }
    }

    public let target: ComplianceTargetName
    public var selection = Selection.all
    /// Allows statements that restart the radio, erase it or replace its identity.
    public var isDestructive = false
    /// Allows statements that restart the radio; `isDestructive` does too.
    public var mayRestart = false
    /// A fault of the emulated radio; radios elsewhere have their own.
    public var mutant: Mutant?

    public init(target: ComplianceTargetName, only selection: Selection = .all, isDestructive: Bool = false) {
        self.target = target
        self.selection = selection
        self.isDestructive = isDestructive
    }

    /// Runs what is selected; `progress` is told each verdict as it falls, with how many there will be.
    ///
    /// When `isInterrupted` becomes true the run ends after the current check, and puts back what it has changed.
    public func perform(
        isInterrupted: () -> Bool = { false }, progress: (ComplianceReport.Entry, Int) -> Void = { _, _ in }
    ) throws(Problem) -> ComplianceReport {
        let target: any ComplianceTarget
        do {
            target = try opened()
        } catch {
            throw Problem(description: "\(error)")
        }
        return try perform(on: target, isInterrupted: isInterrupted, progress: progress)
    }

    /// The target that the name stands for; real ones are not yet connected to, their rigs are.
    func opened() throws(TargetError) -> any ComplianceTarget {
        switch (target.kind, target.rig) {
        case (.emulator, _): EmulatorTarget(title: target.description, mutant: mutant)
        case (.ownRig(let interface), _):
            try RigTarget.started(interface, title: target.description, build: .init(mutant: mutant))
        case (.stream(let address), nil):
            StreamTarget(address, title: target.label, isDestructive: isDestructive, mayRestart: mayRestart)
        case (.stream(let address), let rig?): try RigTarget(address, title: target.description, rig: rig)
        case (.unreadable(let text), _): throw .unreachable("\"\(text)\" is no HOST:PORT")
        }
    }

    func perform(
        on target: any ComplianceTarget, isInterrupted: () -> Bool = { false },
        progress: (ComplianceReport.Entry, Int) -> Void = { _, _ in }
    ) throws(Problem) -> ComplianceReport {
        if let part = selection.parts(withoutAny: Check.all).first { throw Problem(unknown: part) }
        let checks = Check.all.filter(selection.chooses)
        let probe = Probe(target)
        defer { target.close() }
        try begin(probe)
        var report = ComplianceReport(target: target.title)
        for check in checks {
            let entry = judge(check, probe, &report)
            report.entries.append(entry)
            progress(entry, checks.count)
            if report.abortedBecause != nil {
                report.matrix = probe.recorder.matrix
                return report
            }
            guard isInterrupted() else { continue }
            report.abortedBecause = "interrupted"
            break
        }
        end(probe, &report)
        report.matrix = probe.recorder.matrix
        return report
    }

    /// Reaches the radio, and learns what will have to be put back.
    private func begin(_ probe: Probe) throws(Problem) {
        do {
            try probe.target.prepare(Setup())
            guard !probe.isAlone else { return }
            let keeper = try SettingsKeeper(of: probe)
            if keeper.contactCount == 0 { (probe.target as? StreamTarget)?.noteEmptyContacts() }
            if probe.target.capabilities.contains(.emptyContacts) { try keeper.clearContacts(through: probe) }
            try keeper.normalise(through: probe)
            probe.keeper = keeper
        } catch let failure as Failure {
            throw Problem(description: "\(probe.target.title) does not answer like a companion radio: \(failure)")
        } catch {
            throw Problem(description: "\(error)")
        }
    }

    private func judge(_ check: Check, _ probe: Probe, _ report: inout ComplianceReport) -> ComplianceReport.Entry {
        let clock = ContinuousClock()
        let start = clock.now
        var evidence: Evidence?
        let verdict = verdict(check, probe, &report, &evidence)
        let spent = (clock.now - start).components
        var entry = ComplianceReport.Entry(
            id: check.id, group: check.group, title: check.title, verdict: verdict,
            seconds: Double(spent.seconds) + Double(spent.attoseconds) / 1e18)
        if entry.isBroken { entry.evidence = evidence }
        entry.repeatCommand = repeatCommand(check)
        return entry
    }

    /// What holds the radio against one check again.
    func repeatCommand(_ check: Check) -> String {
        var words = ["meshbed", "comply"] + target.arguments + ["--only", check.id]
        if let mutant { words += ["--mutant", mutant.name] }
        if isDestructive { words.append("--destructive") }
        return words.map(\.shellQuoted).joined(separator: " ")
    }

    private func verdict(
        _ check: Check, _ probe: Probe, _ report: inout ComplianceReport, _ evidence: inout Evidence?
    ) -> ComplianceReport.Verdict {
        if let verdict = check.verdictUntried(on: probe.target) { return verdict }
        guard case .run(let body) = check.proof else { return .notRun("has no proof") }
        if check.needs.contains(.emptyContacts), hasNewContacts(probe) {
            return .notRun("other nodes were added to the contacts during the run; try again, or with --destructive")
        }
        do {
            try probe.target.prepare(check.setup)
        } catch {
            // The rest goes on where it can: an interface may be out of reach, or all of the bench.
            if (try? probe.target.prepare(Setup())) == nil { report.abortedBecause = "\(error)" }
            return .notRun("\(error)")
        }
        var verdict = ComplianceReport.Verdict.kept
        do {
            probe.begin()
            try body(probe)
            try probe.expectNothingLeft()
        } catch TargetError.rigLost(let why) {
            // No word on the radio.
            report.abortedBecause = "\(TargetError.rigLost(why))"
            return .notRun("\(TargetError.rigLost(why))")
        } catch {
            verdict = broken(error, probe)
            evidence = probe.evidence
        }
        do {
            try cleanUp(probe)
        } catch {
            report.abortedBecause = "\(error)"
        }
        return verdict
    }

    /// Whether a radio that was found with an empty table has met somebody since, who may not be removed.
    private func hasNewContacts(_ probe: Probe) -> Bool {
        guard let keeper = probe.keeper, let keys = try? probe.contacts().keys, !keys.isEmpty else { return false }
        if isDestructive { return (try? keeper.remove(keys, through: probe)) == nil }
        return true
    }

    private func broken(_ error: any Error, _ probe: Probe) -> ComplianceReport.Verdict {
        switch error {
        case let failure as Failure: return .broken(failure.lines, transcript: failure.transcript)
        case let error as TargetError:
            let failure = probe.failure(expected: "a radio that is there", got: error.description)
            return .broken(failure.lines, transcript: failure.transcript)
        default: return .broken(["the statement cannot be read: \(error)"], transcript: [])
        }
    }

    /// Leaves a radio that is not made for the statement as it was; a lost link gets one more chance.
    private func cleanUp(_ probe: Probe) throws {
        guard let keeper = probe.keeper else { return }
        do {
            try probe.resynchronise()
        } catch {
            try probe.connect()
            try probe.drain()
            try probe.resynchronise()
        }
        try keeper.restoreTouched(through: probe)
        try keeper.letQueueDrain(through: probe)
    }

    private func end(_ probe: Probe, _ report: inout ComplianceReport) {
        do {
            try probe.keeper?.restoreAll(through: probe)
        } catch {
            report.abortedBecause = "the settings could not be put back: \(error)"
        }
    }
}
