package import MeshCompanion
package import MeshCompliance
package import MeshFirmware
import MeshReports
package import MeshTime

/// A run of the statements on repeaters, room servers and sensors against a node of one role.
///
/// The node is emulated, or somebody's with a console and an antenna beside it.
///
/// ```swift
/// let report = try RoleRun(.repeater, only: Selection("INF-102")).perform()
/// print(report.text())
/// ```
package struct RoleRun: Sendable {
    /// The role that the node has.
    package var role: ServerRole
    /// The version of the firmware that the node is checked against, and that an emulated one runs. When `nil`, a real
    /// one is checked against the version that its console tells.
    package var firmware: FirmwareVersion?
    /// A node behind a console; an emulated one otherwise.
    package var node: LinkedNode?
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
        let target: any RoleTarget =
            if let node { node.target() } else {
                EmulatedRoleTarget(
                    role, firmware: running ?? firmware ?? .standard, seed: seed, faults: mutant?.faults ?? [])
            }
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
        let version = try meet(target)
        let statements = all.filter(selection.chooses)
            .map { target.keepsState ? $0.onKeptNode(of: role) : $0 }
        var report = ComplianceReport(target: "\(target.title), \(role.words)", version: version)
        report.node = testedNode(on: target, against: report.version)
        var judge = RoleJudge(target, role, version)
        for statement in statements {
            var entry = judge.entry(for: statement)
            entry.repeatCommand = repeatCommand(statement)
            report.entries.append(entry)
            progress(entry, statements.count)
            report.abortedBecause = judge.lost ?? (isInterrupted() ? "interrupted" : nil)
            if report.abortedBecause != nil { break }
        }
        report.noteLeft(target.restore(), of: target.title)
        let broken = report.entries.filter(\.isBroken).map(\.id)
        report.versionNotes = [
            "Different from firmware \(version): " + (broken.isEmpty ? "nothing" : broken.joined(separator: ", "))
        ]
        return report
    }

    /// Asks the node for its role: one of another role is not judged. Returns the version that it is checked against.
    private func meet(_ target: any RoleTarget) throws(ComplianceRun.Problem) -> FirmwareVersion {
        // A fault may be in this very answer.
        guard mutant == nil else { return firmware ?? .standard }
        let probe = RoleProbe(target, role, firmware ?? .standard)
        let answer: String
        do {
            if target.keepsState { try target.reach() } else { try probe.begin(RoleSetup()) }
            answer = try probe.type("get role")
        } catch {
            throw ComplianceRun.Problem(description: "\(target.title) does not answer on its console: \(error)")
        }
        guard answer == "> \(role.commandName)" else {
            let other = ServerRole.allCases.first { answer == "> \($0.commandName)" }
            let what = other.map { "is a \($0.words)" } ?? "does not say its role"
            throw ComplianceRun.Problem(description: "\(target.title) \(what), and a \(role.words) was asked for")
        }
        try target.takeOver(role)
        return firmware ?? target.versionText.map { FirmwareVersion(text: $0) } ?? .standard
    }

    /// Returns the command line that repeats one statement.
    private func repeatCommand(_ statement: RoleStatement) -> String {
        var words = ["--role", role.optionName] + (node?.arguments ?? ["--target", "emulator"])
        words += ["--only", statement.id]
        if let firmware, node != nil || firmware != .standard { words += ["--firmware", firmware.name] }
        if let mutant { words += ["--mutant", mutant.name] }
        return "meshbed comply " + words.map(\.shellQuoted).joined(separator: " ")
    }
}

extension ServerRole {
    /// The word for it behind `--role`.
    package var optionName: String { self == .roomServer ? "room" : commandName }
}
