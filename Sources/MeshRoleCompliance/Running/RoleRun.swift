package import MeshCompanion
package import MeshCompliance
package import MeshFirmware
package import MeshTime

/// A run of the statements on repeaters, room servers and sensors against an emulated node of one role.
///
/// ```swift
/// let report = try RoleRun(.repeater, only: Selection("INF-102")).perform()
/// print(report.text())
/// ```
package struct RoleRun: Sendable {
    /// The role that the node has.
    package var role: ServerRole
    /// The version of the firmware that the node runs, and is checked against.
    package var firmware = FirmwareVersion.standard
    /// The statements that are run.
    package var selection: Selection
    /// A fault of the node.
    package var mutant: RoleMutant?
    /// The version that the node runs, where it is checked against another one.
    package var running: FirmwareVersion?
    /// The seed of the node's draws.
    package var seed = Seed(1)

    /// The identifiers of the statements on a role, in their order.
    package static func statementIDs(of role: ServerRole) -> [String] { RoleStatement.all(of: role).map(\.id) }

    /// A run of the wanted statements.
    package init(_ role: ServerRole, only selection: Selection = .all) {
        self.role = role
        self.selection = selection
    }

    /// Runs the selected statements; `progress` receives each verdict as it falls, with the number of statements.
    ///
    /// When `isInterrupted` becomes true the run ends after the current statement.
    package func perform(
        isInterrupted: () -> Bool = { false }, progress: (ComplianceReport.Entry, Int) -> Void = { _, _ in }
    ) throws(ComplianceRun.Problem) -> ComplianceReport {
        let target = EmulatedRoleTarget(
            role, firmware: running ?? firmware, seed: seed, faults: mutant?.faults ?? [])
        return try perform(on: target, isInterrupted: isInterrupted, progress: progress)
    }

    func perform(
        on target: any RoleTarget, isInterrupted: () -> Bool = { false },
        progress: (ComplianceReport.Entry, Int) -> Void = { _, _ in }
    ) throws(ComplianceRun.Problem) -> ComplianceReport {
        let all = RoleStatement.all(of: role)
        if let part = selection.parts(withoutAny: all).first {
            throw ComplianceRun.Problem(
                description: "'\(part)' is no statement on a \(role.words), and no word of their titles")
        }
        try meet(target)
        let statements = all.filter(selection.chooses)
        var report = ComplianceReport(target: "\(target.title), \(role.words)", version: firmware)
        report.node = testedNode(on: target, against: report.version)
        for statement in statements {
            let entry = judge(statement, target)
            report.entries.append(entry)
            progress(entry, statements.count)
            guard isInterrupted() else { continue }
            report.abortedBecause = "interrupted"
            break
        }
        let broken = report.entries.filter(\.isBroken).map(\.id)
        report.versionNotes = [
            "Different from firmware \(firmware): " + (broken.isEmpty ? "nothing" : broken.joined(separator: ", "))
        ]
        return report
    }

    /// Asks the node for its role: one of another role is not judged.
    private func meet(_ target: any RoleTarget) throws(ComplianceRun.Problem) {
        // A fault may be in this very answer.
        guard mutant == nil else { return }
        let probe = RoleProbe(target, role, firmware)
        let answer: String
        do {
            try probe.begin(RoleSetup())
            answer = try probe.type("get role")
        } catch {
            throw ComplianceRun.Problem(description: "\(target.title) does not answer on its console: \(error)")
        }
        guard answer != "> \(role.commandName)" else { return }
        let other = ServerRole.allCases.first { answer == "> \($0.commandName)" }
        let what = other.map { "is a \($0.words)" } ?? "does not say its role"
        throw ComplianceRun.Problem(description: "\(target.title) \(what), and a \(role.words) was asked for")
    }

    private func judge(_ statement: RoleStatement, _ target: any RoleTarget) -> ComplianceReport.Entry {
        let clock = ContinuousClock()
        let start = clock.now
        let probe = RoleProbe(target, role, firmware)
        let verdict = statement.verdictUntried(on: target, in: firmware) ?? tried(statement, probe)
        let spent = (clock.now - start).components
        var entry = ComplianceReport.Entry(
            id: statement.id, group: statement.group, title: statement.title, verdict: verdict,
            seconds: Double(spent.seconds) + Double(spent.attoseconds) / 1e18)
        if entry.isBroken { entry.evidence = probe.evidence }
        entry.repeatCommand = repeatCommand(statement)
        return entry
    }

    private func tried(_ statement: RoleStatement, _ probe: RoleProbe) -> ComplianceReport.Verdict {
        do {
            try probe.begin(statement.setup)
            try statement.body(probe)
            return .kept
        } catch let failure as Failure {
            return .broken(failure.lines, transcript: failure.transcript)
        } catch {
            let failure = probe.failure(expected: "a node that is there", got: "\(error)")
            return .broken(failure.lines, transcript: failure.transcript)
        }
    }

    /// Returns the command line that repeats one statement.
    private func repeatCommand(_ statement: RoleStatement) -> String {
        var words = ["--role", role.optionName, "--target", "emulator", "--only", statement.id]
        if firmware != .standard { words += ["--firmware", firmware.name] }
        if let mutant { words += ["--mutant", mutant.name] }
        return "meshbed comply " + words.joined(separator: " ")
    }
}

extension ServerRole {
    /// The word for it behind `--role`.
    package var optionName: String { self == .roomServer ? "room" : commandName }
}
