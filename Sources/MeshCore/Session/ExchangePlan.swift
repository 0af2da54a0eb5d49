import MeshCompanion

/// Decides on the role of a radio's frames for the waiting command, and on the end of its wait.
///
/// It waits for nothing and knows no caller. `MeshCoreSession` writes, delivers each frame, and has the plan woken when
/// it is due. Turns are given by the session, so one command waits at a time. A radio numbers nothing: an answer that
/// is due to a command that timed out may come as the answer to a later one. So a frame of such a kind is held until it
/// shows its command.
///
/// ```
/// command  --SET_NAME-- - - - - - - - - 5 s - - - -|         timed out; OK and ERR are owed
/// command                                            --SET_TIME--
/// radio    1                                                    --OK------OK--     the first is late, the second is it
/// radio    2                                                    --OK--- 1 s ---|   nothing else came: it is the answer
///
/// listing  --GET_CONTACTS--START--CONTACT--CONTACT--...--END     pause: from part to part; total: for all of them
/// ```
///
/// Some answers show their command (a text's SENT carries its code). Then all that are not the command's own are late,
/// in any number.
struct ExchangePlan: Sendable {
    /// The role of a frame for the command that waits.
    enum Place {
        /// A frame that answers no command.
        case nobodys
        /// An OK with a value that some firmware sends unasked.
        case noise
        /// A frame that is held, because it may be late; another one that was held until now is late.
        case held(late: ReceivedFrame?)
        /// A frame for the command to check; another one that was held until now is late.
        case candidate(late: ReceivedFrame?)
    }

    /// The steps that become due with time.
    enum Step {
        /// A frame that was held is for the command to judge: it was no late one.
        case judge(ReceivedFrame)
        /// The command waits no longer; the limit that ended it.
        case expired(after: Duration)
    }

    /// The frames that can answer a command.
    private final class Answers: Sendable {
        /// Codes that the table foresees.
        let responses: [RadioCode]
        /// All codes that can end or continue the exchange.
        let codes: [RadioCode]

        init(_ command: CommandCode) {
            let row = command.row
            responses = row.replies.map(RadioCode.response)
            // The firmware can answer with ERR where it has a reason of its own, or may be too old for the command. Others
            // are never refused when their frame is well formed, so an ERR is somebody else's.
            let canBeRefused = !row.errors.isEmpty || row.since != "1.0"
            // Radios of others refuse to say what they are, or have that switched off, and can be talked to without.
            let refusals: [ResponseCode] = command == .deviceQuery ? [.err, .disabled] : canBeRefused ? [.err] : []
            codes = responses + row.pushReplies.map(RadioCode.push) + refusals.map(RadioCode.response)
        }

        /// The answers by the number of the command, made once.
        static let all: [Answers?] = (0...255).map { CommandCode(rawValue: $0).map(Answers.init) }
    }

    private struct Waiting {
        let answers: Answers
        let limits: ExchangeLimits
        /// The end of the longest pause between two parts; by the session's time.
        ///
        /// `totalEnd` is the end of the whole; from `graceEnd` on no late answer is expected any more.
        var pauseEnd: Duration
        var totalEnd: Duration?
        var graceEnd: Duration?
        /// Codes with which a late answer to an earlier command may still come.
        var suspects: Set<RadioCode> = []
        /// A frame of a suspect code: the late answer if another follows.
        ///
        /// It is the first such frame or, where answers show their command, the last.
        var held: ReceivedFrame?
    }

    /// The time for which a late answer is possible.
    let lateAnswerWindow: Duration
    private var waiting: Waiting?
    /// Codes of answers that are still owed by commands that timed out.
    private var owed: Set<RadioCode> = []
    /// True while answers that show their command are owed.
    ///
    /// It ends with one that is not late, whichever commands were sent between.
    private var owesOwn = false

    init(lateAnswerWindow: Duration) {
        self.lateAnswerWindow = lateAnswerWindow
    }

    /// The moment of the next limit; `nil` while no command waits.
    var due: Duration? {
        waiting.map { min($0.pauseEnd, $0.totalEnd ?? $0.pauseEnd, $0.graceEnd ?? $0.pauseEnd) }
    }

    /// Begins a command that is written to the link, and waits from now on.
    mutating func begin(_ command: CommandCode, _ limits: ExchangeLimits, at now: Duration) {
        var waiting = Waiting(
            answers: Answers.all[Int(command.rawValue)] ?? Answers(command), limits: limits,
            pauseEnd: now + limits.pause, totalEnd: limits.total.map { now + $0 })
        if !limits.isTelling { waiting.suspects = owed.intersection(waiting.answers.codes) }
        if owesOwn, limits.isOwn != nil { waiting.suspects.formUnion(waiting.answers.responses) }
        if !waiting.suspects.isEmpty { waiting.graceEnd = now + lateAnswerWindow }
        owed = []
        self.waiting = waiting
    }

    /// The command has its answer, or will never have one.
    mutating func end() { waiting = nil }

    // MARK: Frames

    /// A frame came.
    mutating func place(_ frame: ReceivedFrame) -> Place {
        guard let code = frame.code, waiting?.answers.codes.contains(code) == true else { return .nobodys }
        if code == .response(.ok), frame.bytes.count > 4 { return .noise }
        guard waiting?.suspects.contains(code) == true, mayBeLate(frame) else { return .candidate(late: takeHeld()) }
        defer { waiting?.held = frame }
        return .held(late: waiting?.held)
    }

    /// A frame was a part of the answer; the next one has a pause of its own.
    mutating func notePart(at now: Duration) {
        if let pause = waiting?.limits.pause { waiting?.pauseEnd = now + pause }
    }

    /// Returns whether a frame may be late. Several commands may have gone without an answer.
    ///
    /// Where an answer shows its command, all that are not of the waiting one are late.
    private mutating func mayBeLate(_ frame: ReceivedFrame) -> Bool {
        guard let isOwn = waiting?.limits.isOwn, case .success(let coded) = frame.frame else {
            return waiting?.held == nil
        }
        let isLate = !isOwn(coded)
        // Answers come in their order: none of the earlier ones is left.
        if !isLate { owesOwn = false }
        return isLate
    }

    /// Nothing is late any more: the frame that was held.
    private mutating func takeHeld() -> ReceivedFrame? {
        defer { waiting?.held = nil }
        waiting?.suspects = []
        return waiting?.held
    }

    // MARK: Time

    /// Returns the step that is due; called again after each step, until there is none.
    mutating func next(at now: Duration) -> Step? {
        if let end = waiting?.graceEnd, end <= now {
            waiting?.graceEnd = nil
            // A link that stalls brings the late answers whenever it goes on.
            if waiting?.held != nil || waiting?.limits.isOwn == nil, let frame = takeHeld() { return .judge(frame) }
        }
        if let waiting, waiting.pauseEnd <= now { return expire(after: waiting.limits.pause) }
        return overdue(at: now)
    }

    /// Returns the step that is due before a frame is looked at.
    ///
    /// A frame at the very end of the whole comes too late, whichever side looks at the clock first.
    mutating func overdue(at now: @autoclosure () -> Duration) -> Step? {
        // Nearly no command has such an end, and a look at the clock costs as much as all else here.
        guard let total = waiting?.limits.total, let end = waiting?.totalEnd, end <= now() else { return nil }
        return expire(after: total)
    }

    private mutating func expire(after limit: Duration) -> Step {
        if let frame = takeHeld() { return .judge(frame) }
        if let waiting {
            owed.formUnion(waiting.answers.codes)
            if waiting.limits.isOwn != nil { owesOwn = true }
        }
        waiting = nil
        return .expired(after: limit)
    }
}
