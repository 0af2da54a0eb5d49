import MeshCompanion

extension ExchangePlan {
    /// The frames that can answer a command.
    final class Answers: Sendable {
        /// Codes that the table foresees.
        let responses: [RadioCode]
        /// All codes that can end or continue the exchange.
        let codes: [RadioCode]

        init(_ command: CommandCode) {
            let row = command.row
            responses = row.replies.map(RadioCode.response)
            // The firmware can answer with ERR where it has a reason of its own, or may be too old for the command.
            // Others are never refused when their frame is well formed, so an ERR is somebody else's.
            let canBeRefused = !row.errors.isEmpty || row.since != "1.0"
            // Radios of others refuse to say what they are, or have that switched off, and can be talked to without.
            let refusals: [ResponseCode] = command == .deviceQuery ? [.err, .disabled] : canBeRefused ? [.err] : []
            codes = responses + row.pushReplies.map(RadioCode.push) + refusals.map(RadioCode.response)
        }

        /// The answers by the number of the command, made once.
        static let all: [Answers?] = (0...255).map { CommandCode(rawValue: $0).map(Answers.init) }
    }

    /// The possibility that a frame is late: the answer to an earlier command.
    struct Doubt {
        /// The codes with which a late answer may still come.
        let suspects: Set<RadioCode>
        /// The end of the time in which a late answer is expected; `nil` where it may come at any time.
        var end: Duration?
        /// A frame of a suspect code: the late answer if another follows.
        ///
        /// It is the first such frame or, where answers show their command, the last.
        var held: ReceivedFrame?
    }

    /// The part of the plan that outlives each state.
    struct Ledger {
        /// The time for which a late answer is possible.
        let lateAnswerWindow: Duration
        /// The number of the last command.
        var count = 0
        /// True while answers that show their command are owed.
        ///
        /// It ends with one that is not late, whichever commands were sent between.
        var owesOwn = false
    }
}

extension ExchangePlan.Answers {
    /// Returns the role of a frame where no answer is late.
    func place(_ frame: ReceivedFrame) -> ExchangePlan.Place {
        guard let code = frame.code, codes.contains(code) else { return .nobodys }
        if code == .response(.ok), frame.bytes.count > 4 { return .noise }
        return .candidate(late: nil)
    }
}

extension ExchangePlan.Doubt {
    /// Returns whether a frame may be late. Several commands may have gone without an answer.
    ///
    /// Where an answer shows its command, all that are not of the waiting one are late.
    func covers(_ frame: ReceivedFrame, of limits: ExchangeLimits, owesOwn: inout Bool) -> Bool {
        guard let code = frame.code, suspects.contains(code) else { return false }
        guard let isOwn = limits.isOwn, case .success(let coded) = frame.frame else { return held == nil }
        let isLate = !isOwn(coded)
        // Answers come in their order: none of the earlier ones is left.
        if !isLate { owesOwn = false }
        return isLate
    }
}

extension ExchangePlan.Ledger {
    /// The owed answers after a command that timed out.
    func expired(_ exchange: Exchange) -> Self {
        var book = self
        if exchange.limits.isOwn != nil { book.owesOwn = true }
        return book
    }
}
