import MeshCompanion
import MeshCompliance
import MeshFirmware

/// The verdicts on the statements of a run. A check that shows two of them is run once.
struct RoleJudge {
    private let target: any RoleTarget
    private let role: ServerRole
    private let version: FirmwareVersion
    /// The verdicts so far, by the first statement of the check.
    private var verdicts: [String: (verdict: ComplianceReport.Verdict, evidence: Evidence?)] = [:]
    /// The reason why nothing more can be shown: the node, or the antenna beside it, has gone.
    private(set) var lost: String?

    init(_ target: any RoleTarget, _ role: ServerRole, _ version: FirmwareVersion) {
        self.target = target
        self.role = role
        self.version = version
    }

    /// Tries a statement, unless its check was run already.
    mutating func entry(for statement: RoleStatement) -> ComplianceReport.Entry {
        let clock = ContinuousClock()
        let start = clock.now
        let (verdict, evidence) = verdict(on: statement)
        let spent = (clock.now - start).components
        var entry = ComplianceReport.Entry(
            id: statement.id, group: statement.group, title: statement.title, verdict: verdict,
            seconds: Double(spent.seconds) + Double(spent.attoseconds) / 1e18)
        if entry.isBroken { entry.evidence = evidence }
        return entry
    }

    private mutating func verdict(on statement: RoleStatement) -> (ComplianceReport.Verdict, Evidence?) {
        if let verdict = statement.verdictUntried(on: target, in: version) { return (verdict, nil) }
        if let known = verdicts[statement.check] { return known }
        var (verdict, evidence) = tried(statement)
        // On an air that others may use packets get lost; what a node does wrong it does twice.
        if case .broken(let first, _) = verdict, target.keepsState {
            (verdict, evidence) = tried(statement)
            if case .broken(let lines, let transcript) = verdict {
                verdict = .broken(lines, transcript: first.map { "first try: " + $0 } + transcript)
            }
        }
        verdicts[statement.check] = (verdict, evidence)
        return (verdict, evidence)
    }

    private mutating func tried(_ statement: RoleStatement) -> (ComplianceReport.Verdict, Evidence?) {
        let probe = RoleProbe(target, role, version)
        do {
            try probe.begin(statement.setup)
            try statement.body(probe)
            return (.kept, nil)
        } catch let failure as Failure {
            return (.broken(failure.lines, transcript: failure.transcript), probe.evidence)
        } catch let hidden as HiddenByBuild {
            return (.notRun(hidden.reason), nil)
        } catch {
            if target.keepsState {
                lost = "\(error)"
                return (.notRun("\(error)"), nil)
            }
            let failure = probe.failure(expected: "a node that is there", got: "\(error)")
            return (.broken(failure.lines, transcript: failure.transcript), probe.evidence)
        }
    }
}

/// The error of a statement that this build, or these settings of its radio, cannot show.
struct HiddenByBuild: Error, Hashable, Sendable {
    let reason: String
}
