/// One thing that a run can hold a radio against: a statement or a recorded conversation.
struct Check: Sendable {
    /// `CMP-034`, `conversation/connect`.
    let id: String
    /// Under which heading the summary counts it.
    let group: String
    let title: String
    let needs: Capabilities
    let setup: Setup
    let proof: Statement.Proof

    init(_ statement: Statement, in section: Section) {
        id = statement.id
        group = "\(section.letter) \(section.title)"
        title = statement.title
        needs = statement.needs
        setup = statement.setup
        proof = statement.proof
    }

    init(_ conversation: Conversation) {
        id = "conversation/" + conversation.name
        group = "Recorded conversations"
        title = conversation.about
        needs = conversation.needs
        setup = conversation.setup
        proof = .run(conversation.play)
    }

    /// Everything the suite has: the conversations, then the statements in order.
    static let all: [Check] =
        Conversation.all.map { Check($0) }
        + Section.all.flatMap { section in section.statements.map { Check($0, in: section) } }

    /// Why `target` cannot show this, or `nil` when it can be tried.
    func reasonAgainst(_ target: any ComplianceTarget) -> String? {
        if case .notRun(let reason) = proof { return reason }
        if let reason = target.capabilities.reasonAgainst(needs) { return reason }
        guard let interface = setup.interface, interface != target.interface else { return nil }
        if target.capabilities.contains(.freshRadio) { return nil }
        switch interface {
        case .serial: return "is about the serial line; run it with --target serial:PATH"
        case .wifi: return "is about the Wi-Fi interface; run it with --target tcp://HOST:PORT"
        }
    }
}
