import MeshBoards
import MeshCompanion
import MeshSimulator
import MeshTransports

/// One thing that a run can hold a radio against: a statement, a recorded conversation, or traffic for the matrix.
struct Check: SelectableCheck, Sendable {
    /// `CMP-034`, `conversation/connect`, `MATRIX-0B-longest`.
    let id: String
    /// Under which heading the summary counts it.
    let group: String
    let title: String
    let needs: Abilities
    let setup: Setup
    /// In which versions it shows something, and what the others do.
    let versions: StatementVersions
    let body: @Sendable (Probe) throws -> Void

    /// All checks of the suite: the statements in order, the conversations, the rest of the matrix, and the version
    /// probes.
    static let all: [Check] =
        Section.all.flatMap { section in section.statements.map { Check($0, in: section) } }
        + RecordedConversation.all.map { Check($0) } + MatrixCheck.all.map { Check($0) }
        + VersionProbe.all.map { Check($0) }

    /// Checks of two real radios with each other: part of a run with a peer; of other runs only on request.
    static let ofTwoRadios: [Check] = PeerCheck.all.map { Check($0) }

    /// Checks of a radio whose app leaves and returns: part of a run that asks for them; of other runs on request.
    static let ofLeaving: [Check] = LeaveCheck.all.map { Check($0) }

    /// The checks that a run has only when something asks for them.
    static let onRequest = ofTwoRadios + ofLeaving

    /// The verdict where nothing can be tried on the radio, with the reason; `nil` when it can.
    func verdictUntried(on target: any ComplianceTarget, in version: FirmwareVersion = .standard)
        -> ComplianceReport.Verdict?
    {
        guard versions.isShown(in: version) else { return .notApplicable(versions.absence(in: version)) }
        if needs.contains(.bluetooth), !target.abilities.contains(.bluetooth) {
            return .notApplicable(
                "is about Bluetooth LE, which this radio's link is not; run it with --target emulator or ble:…")
        }
        return lack(of: target).map { .notRun($0) }
    }

    /// Returns the reason why `target` cannot show this; `nil` when it can be tried there.
    private func lack(of target: any ComplianceTarget) -> String? {
        if let reason = target.abilities.reasonAgainst(needs) { return reason }
        guard let interface = setup.interface, interface != target.interface else { return nil }
        if target.abilities.contains(.freshRadio) { return nil }
        switch interface {
        case .serial: return "is about the serial line; run it with --target \(LinkAddress.serialForm)"
        case .wifi: return "is about the Wi-Fi interface; run it with --target \(LinkAddress.tcpForm)"
        case .ethernet: return "is about builds with an Ethernet module; run it with --target emulator"
        case .paced: return "needs a link that is busy between frames; run it with --target emulator"
        case .bluetooth: return "is about Bluetooth; run it with --target emulator"
        }
    }
}

extension Check {
    init(_ statement: Statement, in section: Section) {
        self.init(
            id: statement.id, group: "\(section.letter) \(section.title)", title: statement.title,
            needs: statement.needs, setup: statement.setup, versions: statement.versions, body: statement.body)
    }

    init(_ conversation: RecordedConversation) {
        self.init(
            id: "conversation/" + conversation.name, group: "Recorded conversations", title: conversation.about,
            needs: conversation.needs, setup: conversation.setup, versions: conversation.versions,
            body: conversation.play)
    }

    init(_ check: MatrixCheck) {
        self.init(
            id: check.id, group: "Matrix", title: check.title, needs: check.needs, setup: check.setup,
            versions: check.versions, body: check.body)
    }

    init(_ probe: VersionProbe) {
        self.init(
            id: probe.id, group: "Versions", title: probe.title, needs: probe.needs, setup: probe.setup,
            versions: .always, body: probe.run)
    }

    init(_ check: LeaveCheck) {
        var setup = Setup()
        setup.isAboutLeaving = true
        self.init(
            id: check.id, group: "Leave and return", title: check.title, needs: check.needs, setup: setup,
            versions: .always, body: check.body)
    }

    init(_ check: PeerCheck) {
        self.init(
            id: check.id, group: "Between two radios", title: check.title, needs: .secondRadio, setup: Setup(),
            versions: .always, body: check.body)
    }
}
