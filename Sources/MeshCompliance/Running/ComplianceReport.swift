public import MeshCompanion
public import MeshReports

/// The result of a compliance run: one verdict for each statement and conversation.
public struct ComplianceReport: Sendable {
    /// The verdict on one check: whether the radio keeps the protocol there.
    public enum Verdict: Sendable, Hashable {
        case kept
        /// With the lines of a report: step, sent, expected, got.
        case broken([String], transcript: [String])
        /// The radio does what the firmware would do without these quirks, with the lines of a report. The protocol
        /// asks for none of them: this is no failure of the run. Never counted as kept either.
        case differs(from: [Quirk], [String], transcript: [String])
        /// The radio lacks an optional command of its level, with the reason and the lines of a report. No failure of
        /// the run, and never counted as kept.
        case lacks(String, [String], transcript: [String])
        /// An ability that the target lacks, with the reason; another target may have it. Never counted as kept.
        case notRun(String)
        /// The statement is about hardware that is not there or about other versions of the firmware, with the reason.
        /// Never counted as kept either.
        case notApplicable(String)
    }

    /// The verdict on one statement or conversation.
    public struct Entry: Sendable, Hashable {
        /// `CMP-034`, `conversation/connect`.
        public let id: String
        /// The topic of the article CompanionStatements with its letter, or the conversations.
        public let group: String
        /// The title of the statement or conversation.
        public let title: String
        /// The verdict of the check.
        public internal(set) var verdict: Verdict
        /// Real time spent, in seconds.
        public let seconds: Double
        /// Events before a departure.
        package var evidence: Evidence?
        /// The shortest end of the exchange that shows a departure, with all bytes; empty where there is none.
        public var exchange: [String] { evidence?.exchange ?? [] }
        /// One line for a shell that holds the radio against this entry again.
        public package(set) var repeatCommand = ""

        package init(id: String, group: String, title: String, verdict: Verdict, seconds: Double) {
            self.id = id
            self.group = group
            self.title = title
            self.verdict = verdict
            self.seconds = seconds
        }

        /// The rationale of a statement; `nil` for conversations and checks of the matrix.
        public var rationale: Rationale? { .of(id) }

        var isKept: Bool { verdict == .kept }
        package var isBroken: Bool { if case .broken = verdict { true } else { false } }
        var isDifferent: Bool { if case .differs = verdict { true } else { false } }
        var isLacking: Bool { if case .lacks = verdict { true } else { false } }
        var isNotRun: Bool { if case .notRun = verdict { true } else { false } }
        var isNotApplicable: Bool { if case .notApplicable = verdict { true } else { false } }
    }

    /// The radio that was asked, as the user named it.
    public let target: String
    /// The version of the firmware that it was checked against.
    public package(set) var version: FirmwareVersion
    /// The implementation, by what it says of itself.
    package var node: TestedNode
    /// The name of that version.
    public var firmware: String { version.name }
    /// One for each statement and conversation that was asked for, in their order.
    public package(set) var entries: [Entry] = []
    /// The parts of the protocol's table that went over the link.
    public internal(set) var matrix = CoverageMatrix()
    /// The checks during which the radio restarted by itself.
    public internal(set) var restarts: [String] = []
    /// Departures of the radio from its own version of the firmware and from the newest one, a line each.
    public package(set) var versionNotes: [String] = []
    /// Facts for the user besides the verdicts, a line each.
    public internal(set) var notes: [String] = []
    /// The reason why the run ended early: the radio went out of reach.
    public package(set) var abortedBecause: String?

    /// The reason why the radio was not there, for a run that may be skipped.
    public internal(set) var skippedBecause: String?

    /// Statements and conversations that the radio kept.
    public var kept: Int { entries.count(where: \.isKept) }
    /// The number of failed checks.
    public var broken: Int { entries.count(where: \.isBroken) }
    /// The number of checks that differ from a quirk of the firmware only.
    public var different: Int { entries.count(where: \.isDifferent) }
    /// The number of checks that the radio only lacks an optional command for.
    public var lacking: Int { entries.count(where: \.isLacking) }
    /// The number of checks left out, since the target lacks the ability to show them.
    public var notRun: Int { entries.count(where: \.isNotRun) }
    /// The number of checks about hardware that is not there.
    public var notApplicable: Int { entries.count(where: \.isNotApplicable) }

    /// The exit code of the command: 0 all kept, or skipped as the run allows; 1 something broken, 2 could not run.
    public var exitCode: Int32 {
        if skippedBecause != nil { return 0 }
        if abortedBecause != nil { return 2 }
        if broken > 0 { return 1 }
        return kept > 0 ? 0 : 2
    }

    package init(target: String, version: FirmwareVersion = .standard) {
        self.target = target
        self.version = version
        node = TestedNode(.companion, against: version.name)
    }

    /// Notes what a radio is not brought to although statements expect it; they show what that comes to.
    mutating func noteUnsettled(_ left: [String], of radio: String) {
        guard !left.isEmpty else { return }
        notes.append("Not as statements expect it on \(radio):")
        notes += left.map { "  " + $0 }
    }

    /// Notes what was not put back on a radio that outlives the run; a run that leaves something has not ended well.
    package mutating func noteLeft(_ left: [String], of radio: String) {
        guard !left.isEmpty else { return }
        if abortedBecause == nil { abortedBecause = "not everything could be put back on \(radio)" }
        notes.append("Not put back on \(radio):")
        notes += left.map { "  " + $0 }
    }
}
