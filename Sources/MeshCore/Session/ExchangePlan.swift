import MeshCompanion

/// Decides on the role of a radio's frames for the waiting command, and on the end of its wait.
///
/// It waits for nothing and knows no caller. `MeshCoreSession` writes, delivers each frame, and has the plan woken when
/// it is due. Turns are given by the session, so one command waits at a time. A radio numbers nothing: an answer that
/// is due to a command that timed out may come as the answer to a later one. So a frame of such a kind is held until it
/// shows its command. It does not govern who may write next, nor what a command makes of its answer.
///
/// ```
/// idle --begin--> waiting   --end, expired--> idle
///   |                ^
///   |             settled
///   |                |
///   +--begin----> doubting  --end, expired--> idle       while answers are owed
///
/// command  --SET_NAME-- - - - - - - - - 5 s - - - -|         timed out; OK and ERR are owed
/// command                                            --SET_TIME--
/// radio    1                                                    --OK------OK--     the first is late, the second is it
/// radio    2                                                    --OK--- 1 s ---|   nothing else came: it is the answer
///
/// listing  --GET_CONTACTS--START--CONTACT--CONTACT--...--END     pause: from part to part; total: for all of them
/// ```
///
/// Some answers show their command (a text's SENT carries its code). Then all that are not the command's own are late,
/// in any number. At a radio that other apps may use they can also be theirs, without any command that timed out.
struct ExchangePlan: ~Copyable {
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
        case expired(Exchange, after: Duration)
    }

    /// A command that waits for its answer.
    private struct Waiting: ~Copyable {
        let exchange: Exchange
        let answers: Answers
        /// The end of the longest pause between two parts; by the session's time.
        var pauseEnd: Duration
        /// The end of the whole.
        let totalEnd: Duration?
    }

    private enum State: ~Copyable {
        /// No command waits; these codes are owed by commands that timed out.
        case idle(owed: Set<RadioCode>)
        case waiting(Waiting)
        case doubting(Waiting, Doubt)
    }

    private var book: Ledger
    private var state: State

    init(lateAnswerWindow: Duration) {
        self.init(Ledger(lateAnswerWindow: lateAnswerWindow), .idle(owed: []))
    }

    private init(_ book: Ledger, _ state: consuming State) {
        self.book = book
        self.state = state
    }

    /// The command that waits for its answer.
    var exchange: Exchange? {
        switch state {
        case .idle: nil
        case .waiting(let waiting): waiting.exchange
        case .doubting(let waiting, _): waiting.exchange
        }
    }

    /// The moment of the next limit; `nil` while no command waits.
    var due: Duration? {
        switch state {
        case .idle: nil
        case .waiting(let waiting): min(waiting.pauseEnd, waiting.totalEnd ?? waiting.pauseEnd)
        case .doubting(let waiting, let doubt):
            min(waiting.pauseEnd, waiting.totalEnd ?? waiting.pauseEnd, doubt.end ?? waiting.pauseEnd)
        }
    }

    private var owed: Set<RadioCode> {
        switch state {
        case .idle(let owed): owed
        case .waiting: []
        case .doubting: []
        }
    }

    // MARK: Commands

    /// The number of the next command.
    mutating func number() -> Int {
        book.count += 1
        return book.count
    }

    /// Begins a command that is written to the link, and waits from now on. Commands have turns, so none waits.
    mutating func begin(_ exchange: Exchange, at now: Duration) {
        let limits = exchange.limits
        let answers = Answers.all[Int(exchange.command.rawValue)] ?? Answers(exchange.command)
        let waiting = Waiting(
            exchange: exchange, answers: answers, pauseEnd: now + limits.pause,
            totalEnd: limits.total.map { now + $0 })
        var suspects = limits.isTelling ? [] : owed.intersection(answers.codes)
        if book.owesOwn, limits.isOwn != nil { suspects.formUnion(answers.responses) }
        if !suspects.isEmpty {
            state = .doubting(waiting, Doubt(suspects: suspects, end: now + book.lateAnswerWindow))
        } else if limits.isShared, limits.isOwn != nil {
            // Another app may ask at any time.
            state = .doubting(waiting, Doubt(suspects: Set(answers.responses), end: nil))
        } else {
            state = .waiting(waiting)
        }
    }

    /// Ends a command that has its answer, or will never have one; `nil` when it does not wait.
    mutating func end(_ number: Int) -> Exchange? {
        switch consume state {
        case .idle(let owed):
            self = Self(book, .idle(owed: owed))
            return nil
        case .waiting(let waiting):
            guard waiting.exchange.number == number else {
                self = Self(book, .waiting(waiting))
                return nil
            }
            self = Self(book, .idle(owed: []))
            return waiting.exchange
        case .doubting(let waiting, let doubt):
            guard waiting.exchange.number == number else {
                self = Self(book, .doubting(waiting, doubt))
                return nil
            }
            self = Self(book, .idle(owed: []))
            return waiting.exchange
        }
    }

    /// Forgets all answers that are owed, as the link has gone; returns the command that waited.
    mutating func reset() -> Exchange? {
        let last = exchange
        book.owesOwn = false
        state = .idle(owed: [])
        return last
    }

    // MARK: Frames

    /// A frame came.
    mutating func place(_ frame: ReceivedFrame) -> Place {
        var book = book
        switch consume state {
        case .idle(let owed):
            self = Self(book, .idle(owed: owed))
            return .nobodys
        case .waiting(let waiting):
            let place = waiting.answers.place(frame)
            self = Self(book, .waiting(waiting))
            return place
        case .doubting(let waiting, var doubt):
            let place = waiting.answers.place(frame)
            guard case .candidate = place else {
                self = Self(book, .doubting(waiting, doubt))
                return place
            }
            let held = doubt.held
            guard doubt.covers(frame, of: waiting.exchange.limits, owesOwn: &book.owesOwn) else {
                self = Self(book, .waiting(waiting))
                return .candidate(late: held)
            }
            doubt.held = frame
            self = Self(book, .doubting(waiting, doubt))
            return .held(late: held)
        }
    }

    /// A frame was a part of the answer; the next one has a pause of its own.
    mutating func notePart(at now: Duration) {
        switch consume state {
        case .idle(let owed): self = Self(book, .idle(owed: owed))
        case .waiting(var waiting):
            waiting.pauseEnd = now + waiting.exchange.limits.pause
            self = Self(book, .waiting(waiting))
        case .doubting(var waiting, let doubt):
            waiting.pauseEnd = now + waiting.exchange.limits.pause
            self = Self(book, .doubting(waiting, doubt))
        }
    }

    // MARK: Time

    /// Returns the step that is due; called again after each step, until there is none.
    mutating func next(at now: Duration) -> Step? {
        if let frame = settle(at: now) { return .judge(frame) }
        if let limit = exchange?.limits.pause, let end = pauseEnd, end <= now { return expire(after: limit) }
        return overdue(at: now)
    }

    private var pauseEnd: Duration? {
        switch state {
        case .idle: nil
        case .waiting(let waiting): waiting.pauseEnd
        case .doubting(let waiting, _): waiting.pauseEnd
        }
    }

    private var totalEnd: Duration? {
        switch state {
        case .idle: nil
        case .waiting(let waiting): waiting.totalEnd
        case .doubting(let waiting, _): waiting.totalEnd
        }
    }

    /// Ends a doubt whose time is over; returns the frame that was held.
    private mutating func settle(at now: Duration) -> ReceivedFrame? {
        switch consume state {
        case .idle(let owed):
            self = Self(book, .idle(owed: owed))
            return nil
        case .waiting(let waiting):
            self = Self(book, .waiting(waiting))
            return nil
        case .doubting(let waiting, var doubt):
            guard let end = doubt.end, end <= now else {
                self = Self(book, .doubting(waiting, doubt))
                return nil
            }
            // A link that stalls brings the late answers whenever it goes on.
            if doubt.held == nil, waiting.exchange.limits.isOwn != nil {
                doubt.end = nil
                self = Self(book, .doubting(waiting, doubt))
            } else {
                self = Self(book, .waiting(waiting))
            }
            return doubt.held
        }
    }

    /// Returns the step that is due before a frame is looked at.
    ///
    /// A frame at the very end of the whole comes too late, whichever side looks at the clock first.
    mutating func overdue(at now: @autoclosure () -> Duration) -> Step? {
        // Nearly no command has such an end, and a look at the clock costs as much as all else here.
        guard let end = totalEnd, let total = exchange?.limits.total, end <= now() else { return nil }
        return expire(after: total)
    }

    /// Ends the wait, unless a frame was held: it is judged first.
    private mutating func expire(after limit: Duration) -> Step? {
        switch consume state {
        case .idle(let owed):
            self = Self(book, .idle(owed: owed))
            return nil
        case .doubting(let waiting, let doubt):
            guard let held = doubt.held else {
                self = Self(book.expired(waiting.exchange), .idle(owed: Set(waiting.answers.codes)))
                return .expired(waiting.exchange, after: limit)
            }
            self = Self(book, .waiting(waiting))
            return .judge(held)
        case .waiting(let waiting):
            self = Self(book.expired(waiting.exchange), .idle(owed: Set(waiting.answers.codes)))
            return .expired(waiting.exchange, after: limit)
        }
    }
}
