/// The result of a run of a suite, from which all reports are written: text, JUnit XML, JSON and HTML.
///
/// The compliance suite and scenarios convert to it. A report holds no clock and no machine. The same run gives the
/// same report, except for the seconds of its entries and the provenance of its files.
public struct TestReport: Sendable {
    /// The verdict on one requirement.
    public enum Verdict: Hashable, Sendable {
        case kept
        /// With the lines that say why: what should have been and what was, the last line the shortest.
        case broken([String])
        /// With the reason, and the lines of a failure: the radio does not share a quirk of the reference. No failure
        /// of the run; never counted as kept.
        case differs(String, [String])
        /// With the reason, and the lines of a failure: the target lacks a part of the protocol that it may leave out.
        /// No failure of the run; never counted as kept.
        case lacks(String, [String])
        /// With the reason; for what the target cannot have by its nature. Never counted as kept.
        case notApplicable(String)
        /// With the reason; for what another target or option would show. Never counted as kept.
        case notRun(String)
        /// With the reason; for runs that broke by themselves: nothing is known of what was to hold.
        case couldNotRun(String)
        /// With a reason for each line of it: everything held, and the run proves nothing. A fault that was asked for
        /// did nothing, or a rule could not have been broken. Never counted as kept.
        case invalid([String])
    }

    /// The kind of an entry, for counting: in the order of the summary.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case statement, conversation, check, scenario, mutant
    }

    /// The content and basis of a statement of a protocol.
    public struct Rationale: Hashable, Sendable {
        /// The statement itself, in one or two sentences.
        public var sentence = ""
        /// Bytes sent to the radio or actions on it.
        public var given = ""
        /// The expected answer.
        public var expected = ""
        /// The reason why it matters, in one sentence.
        public var reason = ""
        /// The place in the source that it comes from.
        public var source = ""
        /// The kind of proof.
        public var basis = ""
        /// The article that has the statement.
        public var article = ""

        public init() {}
    }

    /// A part of what the run was about, and the verdict on it.
    public struct Entry: Hashable, Sendable {
        /// The kind of part.
        public var kind: Kind
        /// `CMP-034`, `conversation/connect`, `retry/flood-after-three-direct`: how the command's options name it.
        public var id: String
        /// Under which heading it is counted.
        public var group: String
        /// The title in reports.
        public var title: String
        /// A paragraph that a user understands; empty where the title says it all.
        public var explanation = ""
        /// Words by which it can be picked.
        public var tags: [String] = []
        /// The rationale of a statement of the protocol; `nil` for others.
        public var rationale: Rationale?
        /// The verdict on the entry.
        public var verdict: Verdict
        /// Real time spent, in seconds.
        public var seconds = 0.0
        /// One line for a shell that runs this entry again; empty where there is none.
        public var repeatCommand = ""
        /// The faults of the run and the effects of each, a line each.
        public var effects: [String] = []
        /// The lines before a failure, oldest first.
        public var transcript: [String] = []
        /// The shortest end of the exchange that shows the failure, oldest first, with all bytes.
        public var exchange: [String] = []
        /// The events of a failure in their times.
        public var timeline: Timeline?
        /// The name of a file beside the report that plays the failure; empty where there is none.
        package var player = ""
        /// The last frames before a failure, oldest first, field by field.
        public var frames: [DecodedFrame] = []
        /// The number of frames that a report shows field by field.
        package static let frameLimit = 12

        public init(kind: Kind, id: String, group: String, title: String, verdict: Verdict) {
            self.kind = kind
            self.id = id
            self.group = group
            self.title = title
            self.verdict = verdict
        }

        /// Tells whether it passed.
        public var isKept: Bool { verdict == .kept }
        /// Tells whether it failed.
        public var isBroken: Bool { if case .broken = verdict { true } else { false } }
        /// Tells whether it differs from a quirk of the reference only.
        public var isDifferent: Bool { if case .differs = verdict { true } else { false } }
        /// Tells whether the target only lacks a part that it may leave out.
        public var isLacking: Bool { if case .lacks = verdict { true } else { false } }
        /// Tells whether it is about something that the target is not.
        public var isNotApplicable: Bool { if case .notApplicable = verdict { true } else { false } }
        /// Tells whether it was left out.
        public var isNotRun: Bool { if case .notRun = verdict { true } else { false } }
        /// Tells whether it could not be judged.
        public var isImpossible: Bool { if case .couldNotRun = verdict { true } else { false } }

        /// The lines that say why it is broken, invalid, differs or lacks something; none for others.
        public var details: [String] {
            switch verdict {
            case .broken(let lines), .differs(_, let lines), .lacks(_, let lines), .invalid(let lines): lines
            case .kept, .notApplicable, .notRun, .couldNotRun: []
            }
        }

        /// Tells whether it proves nothing, although everything held.
        public var isInvalid: Bool { if case .invalid = verdict { true } else { false } }

        /// Tells whether the run fails because of it.
        var isFailure: Bool { isBroken || isImpossible || isInvalid }

        /// The reason why it is neither kept nor broken; `nil` for those that are.
        public var reason: String? {
            switch verdict {
            case .differs(let reason, _), .lacks(let reason, _): reason
            case .notApplicable(let reason), .notRun(let reason), .couldNotRun(let reason): reason
            case .invalid(let reasons): reasons.joined(separator: "; ")
            case .kept, .broken: nil
            }
        }
    }

    /// The number of runs of a soak in which a state worth reaching was reached.
    public struct StateCount: Hashable, Sendable {
        /// The state that was worth reaching.
        public var name: String
        /// 0 for a state that no run came to.
        public var count: Int

        public init(_ name: String, _ count: Int) {
            self.name = name
            self.count = count
        }
    }

    /// The title of the report: "Compliance", "Scenarios".
    public var title: String
    /// The program that made it.
    public var program: ProgramName
    /// The words of the command that made it, without the program and its options: `comply`, `scenario run`.
    public var command: String
    /// The target that was tested: `emulator`, `tcp://…`.
    public var target: String
    /// The implementation that was tested; `nil` for reports on no node.
    public var node: TestedNode?
    /// The build of the tool that made it, and the time; `nil` until the files are written.
    public var provenance: Provenance?
    /// The seed of all random numbers; `nil` where none were drawn.
    public var seed: UInt64?
    /// In the order of the run.
    public var entries: [Entry]
    /// Counts of combinations, where the suite has some.
    public var matrix: ReportMatrix?
    /// States that the runs were to reach, those never reached included.
    public var coverage: [StateCount] = []
    /// Facts for the user besides the verdicts, a line each.
    public var notes: [String] = []
    /// The reason why the run ended early.
    public var abortedBecause: String?
    /// The address of the article that has the statements; `nil` where none is known.
    package var statements: String?

    public init(
        title: String, program: ProgramName = .meshbed, command: String, target: String, entries: [Entry] = []
    ) {
        self.title = title
        self.program = program
        self.command = command
        self.target = target
        self.entries = entries
    }

    /// The command as it was called, without its options.
    public var call: String { "\(program.call) \(command)" }

    /// The number of entries that passed.
    public var kept: Int { entries.count(where: \.isKept) }
    /// The number of entries that failed.
    public var broken: Int { entries.count(where: \.isBroken) }
    /// The number of entries that differ from a quirk of the reference only.
    public var different: Int { entries.count(where: \.isDifferent) }
    /// The number of entries that the target only lacks a part for that it may leave out.
    public var lacking: Int { entries.count(where: \.isLacking) }
    /// The number of entries about something that the target is not.
    public var notApplicable: Int { entries.count(where: \.isNotApplicable) }
    /// The number of entries that were left out.
    public var notRun: Int { entries.count(where: \.isNotRun) }
    /// The number of entries that could not be judged.
    public var couldNotRun: Int { entries.count(where: \.isImpossible) }

    /// The number of entries that prove nothing.
    public var invalid: Int { entries.count(where: \.isInvalid) }

    /// The headings in the order in which they first occur.
    public var groups: [String] {
        var groups: [String] = []
        for entry in entries where !groups.contains(entry.group) { groups.append(entry.group) }
        return groups
    }

    /// The exit code of a run that proves nothing, although everything held.
    public static let invalidExitCode: Int32 = 3

    /// The exit code of the command: 0 all kept, 1 something broken, 2 when a run broke by itself or nothing was kept,
    /// 3 when a run proves nothing.
    public var exitCode: Int32 {
        if abortedBecause != nil || couldNotRun > 0 { return 2 }
        if broken > 0 { return 1 }
        if invalid > 0 { return Self.invalidExitCode }
        return kept > 0 ? 0 : 2
    }
}
