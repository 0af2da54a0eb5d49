public import MeshCompanion

/// What a compliance run found: one verdict for each statement and conversation.
public struct ComplianceReport: Sendable {
    /// Whether the radio keeps the protocol at one point.
    public enum Verdict: Sendable, Hashable {
        case kept
        /// With the lines of a report: step, sent, expected, got.
        case broken([String], transcript: [String])
        /// The radio does what the firmware would do without these quirks, with the lines of a report. The protocol asks for
        /// none of them: this is no failure of the run. Never counted as kept either.
        case differs(from: [Quirk], [String], transcript: [String])
        /// What the target lacks to show it, with the reason; another target may. Never counted as kept.
        case notRun(String)
        /// The statement is about hardware that is not there or about other versions of the firmware, with the reason. Never counted as kept either.
        case notApplicable(String)
    }

    /// The verdict on one statement or conversation.
    public struct Entry: Sendable, Hashable {
        /// `CMP-034`, `conversation/connect`.
        public let id: String
        /// The topic of the article CompanionStatements with its letter, or the conversations.
        public let group: String
        /// What the statement or conversation says.
        public let title: String
        /// What came of it.
        public let verdict: Verdict
        /// Real time spent, in seconds.
        public let seconds: Double
        /// What happened before a departure.
        var evidence: Evidence?
        /// One line for a shell that holds the radio against this entry again.
        public internal(set) var repeatCommand = ""

        /// What a statement rests on; `nil` for conversations and checks of the matrix.
        public var rationale: Rationale? { .of(id) }

        var isKept: Bool { verdict == .kept }
        var isBroken: Bool { if case .broken = verdict { true } else { false } }
        var isDifferent: Bool { if case .differs = verdict { true } else { false } }
        var isNotRun: Bool { if case .notRun = verdict { true } else { false } }
        var isNotApplicable: Bool { if case .notApplicable = verdict { true } else { false } }
    }

    /// The radio that was asked, as the user named it.
    public let target: String
    /// The version of the firmware that it was checked against.
    public internal(set) var version: FirmwareVersion
    /// The name of that version.
    public var firmware: String { version.name }
    /// One for each statement and conversation that was asked for, in their order.
    public internal(set) var entries: [Entry] = []
    /// What of the protocol's table went over the link.
    public internal(set) var matrix = CoverageMatrix()
    /// The checks during which the radio restarted by itself.
    public internal(set) var restarts: [String] = []
    /// Where the radio departs from its own version of the firmware and from the newest one, a line each.
    public internal(set) var versionNotes: [String] = []
    /// What the user should know besides the verdicts, a line each.
    public internal(set) var notes: [String] = []
    /// Why the run ended before its end: the radio went out of reach.
    public internal(set) var abortedBecause: String?

    /// Statements and conversations that the radio kept.
    public var kept: Int { entries.count(where: \.isKept) }
    /// How many failed.
    public var broken: Int { entries.count(where: \.isBroken) }
    /// How many differ from a quirk of the firmware only.
    public var different: Int { entries.count(where: \.isDifferent) }
    /// How many were left out, since the target lacks what would show them.
    public var notRun: Int { entries.count(where: \.isNotRun) }
    /// How many are about hardware that is not there.
    public var notApplicable: Int { entries.count(where: \.isNotApplicable) }

    /// What the command exits with: 0 all kept, 1 something broken, 2 could not run.
    public var exitCode: Int32 {
        if abortedBecause != nil { return 2 }
        if broken > 0 { return 1 }
        return kept > 0 ? 0 : 2
    }

    init(target: String, version: FirmwareVersion = .standard) {
        self.target = target
        self.version = version
    }

    /// Notes what a radio is not brought to although statements expect it; they show what that comes to.
    mutating func noteUnsettled(_ left: [String], of radio: String) {
        guard !left.isEmpty else { return }
        notes.append("Not as statements expect it on \(radio):")
        notes += left.map { "  " + $0 }
    }

    /// Notes what was not put back on a radio that outlives the run; a run that leaves something has not ended well.
    mutating func noteLeft(_ left: [String], of radio: String) {
        guard !left.isEmpty else { return }
        if abortedBecause == nil { abortedBecause = "not everything could be put back on \(radio)" }
        notes.append("Not put back on \(radio):")
        notes += left.map { "  " + $0 }
    }
}
