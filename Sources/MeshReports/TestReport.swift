/// What a run of a suite found, in the words that all reports are written from: text, JUnit XML, JSON and HTML.
///
/// The compliance suite and scenarios convert to it. A report holds no clock and no machine: the same run gives the
/// same report but for the seconds that its entries took, and for the provenance that its files get.
public struct TestReport: Sendable {
    /// Whether one thing that was to hold did.
    public enum Verdict: Hashable, Sendable {
        case kept
        /// With the lines that say why: what should have been and what was, the last line the shortest.
        case broken([String])
        /// With the reason, and the lines of a failure: the radio does not share a quirk of the reference. No failure of the
        /// run; never counted as kept.
        case differs(String, [String])
        /// With the reason; for what the target cannot have by its nature. Never counted as kept.
        case notApplicable(String)
        /// With the reason; for what another target or option would show. Never counted as kept.
        case notRun(String)
        /// With the reason; for runs that broke by themselves: nothing is known of what was to hold.
        case couldNotRun(String)
    }

    /// What kind of thing an entry is, for counting: in the order of the summary.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case statement, conversation, check, scenario, mutant
    }

    /// What a statement of a protocol says and rests on.
    public struct Rationale: Hashable, Sendable {
        /// The statement itself, in one or two sentences.
        public var sentence = ""
        /// What is sent to the radio or done to it.
        public var given = ""
        /// What must come.
        public var expected = ""
        /// Why it matters, in one sentence.
        public var reason = ""
        /// Where it was taken from.
        public var source = ""
        /// How it is known.
        public var basis = ""
        /// The article that has the statement.
        public var article = ""

        public init() {}
    }

    /// A part of what the run was about, and the verdict on it.
    public struct Entry: Hashable, Sendable {
        /// What kind of part it is.
        public var kind: Kind
        /// `CMP-034`, `conversation/connect`, `retry/flood-after-three-direct`: how the command's options name it.
        public var id: String
        /// Under which heading it is counted.
        public var group: String
        /// What it is called.
        public var title: String
        /// A paragraph that a user understands; empty where the title says it all.
        public var explanation = ""
        /// Words by which it can be picked.
        public var tags: [String] = []
        /// What a statement of the protocol rests on.
        public var rationale: Rationale?
        /// What came of it.
        public var verdict: Verdict
        /// Real time spent, in seconds.
        public var seconds = 0.0
        /// One line for a shell that runs this entry again; empty where there is none.
        public var repeatCommand = ""
        /// What went before a failure, oldest first, a line each.
        public var transcript: [String] = []
        /// What happened when, for a failure.
        public var timeline: Timeline?
        /// The name of a file beside the report that plays the failure; empty where there is none.
        package var player = ""
        /// The last frames before a failure, oldest first, field by field.
        public var frames: [DecodedFrame] = []
        /// How many frames a report shows field by field.
        package static let frameLimit = 12

        public init(kind: Kind, id: String, group: String, title: String, verdict: Verdict) {
            self.kind = kind
            self.id = id
            self.group = group
            self.title = title
            self.verdict = verdict
        }

        /// Whether it passed.
        public var isKept: Bool { verdict == .kept }
        /// Whether it failed.
        public var isBroken: Bool { if case .broken = verdict { true } else { false } }
        /// Whether it differs from a quirk of the reference only.
        public var isDifferent: Bool { if case .differs = verdict { true } else { false } }
        /// Whether it is about something that the target is not.
        public var isNotApplicable: Bool { if case .notApplicable = verdict { true } else { false } }
        /// Whether it was left out.
        public var isNotRun: Bool { if case .notRun = verdict { true } else { false } }
        /// Whether it could not be judged.
        public var isImpossible: Bool { if case .couldNotRun = verdict { true } else { false } }

        /// Why it is neither kept nor broken; `nil` for those that are.
        public var reason: String? {
            switch verdict {
            case .differs(let reason, _): reason
            case .notApplicable(let reason), .notRun(let reason), .couldNotRun(let reason): reason
            case .kept, .broken: nil
            }
        }
    }

    /// How often something worth reaching was reached in the runs of a soak.
    public struct StateCount: Hashable, Sendable {
        /// What was worth reaching.
        public var name: String
        /// 0 for a state that no run came to.
        public var count: Int

        public init(_ name: String, _ count: Int) {
            self.name = name
            self.count = count
        }
    }

    /// What stands at the top of a report: "Compliance", "Scenarios".
    public var title: String
    /// The program that made it.
    public var program: ProgramName
    /// The words of the command that made it, without the program and its options: `comply`, `scenario run`.
    public var command: String
    /// What was tested: `emulator`, `tcp://…`.
    public var target: String
    /// Which build of the tool made it, and when; `nil` until the files are written.
    public var provenance: Provenance?
    /// What all random numbers were drawn from; `nil` where none were.
    public var seed: UInt64?
    /// In the order of the run.
    public var entries: [Entry]
    /// Counts of combinations, where the suite has some.
    public var matrix: ReportMatrix?
    /// States that the runs were to reach, those never reached included.
    public var coverage: [StateCount] = []
    /// What the user should know besides the verdicts, a line each.
    public var notes: [String] = []
    /// Why the run ended before its end.
    public var abortedBecause: String?

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

    /// How many passed.
    public var kept: Int { entries.count(where: \.isKept) }
    /// How many failed.
    public var broken: Int { entries.count(where: \.isBroken) }
    /// How many differ from a quirk of the reference only.
    public var different: Int { entries.count(where: \.isDifferent) }
    /// How many are about something that the target is not.
    public var notApplicable: Int { entries.count(where: \.isNotApplicable) }
    /// How many were left out.
    public var notRun: Int { entries.count(where: \.isNotRun) }
    /// How many could not be judged.
    public var couldNotRun: Int { entries.count(where: \.isImpossible) }

    /// The headings in the order in which they first occur.
    public var groups: [String] {
        var groups: [String] = []
        for entry in entries where !groups.contains(entry.group) { groups.append(entry.group) }
        return groups
    }

    /// What the command exits with: 0 all kept, 1 something broken, 2 when a run broke by itself or nothing was kept.
    public var exitCode: Int32 {
        if abortedBecause != nil || couldNotRun > 0 { return 2 }
        if broken > 0 { return 1 }
        return kept > 0 ? 0 : 2
    }
}

extension TestReport.Kind {
    /// `1 statement`, `2 statements`.
    func counted(_ count: Int) -> String { "\(count) \(rawValue)\(count == 1 ? "" : "s")" }
}
