import MeshCompanion

/// The evidence that two handles of a connection are those of a companion radio, when no discovery was seen.
///
/// Every value that goes one way is scored by the table of the companion protocol. One unmistakable frame, or three
/// commands with their answers in order, and hardly a value that is no frame: then the pair is believed.
struct HandleEvidence {
    struct Verdict: Equatable {
        var rx: UInt16
        var tx: UInt16
        /// The side that the radio is.
        var radio: LinkSide
    }

    private struct Candidate {
        var handle: UInt16
        /// The side that sent the values.
        var side: LinkSide
        var values = 0
        /// The number of them that have the shape of a frame.
        var frames = 0
        /// One of them can be nothing else.
        var isUnmistakable = false
        /// The last command, until it is answered.
        var asked: CommandCode?
        /// The app has introduced itself.
        var hasStarted = false
        /// Bytes that a frame cut into several values still owes.
        var owed = 0
    }

    /// Commands and answers between two candidates.
    private struct Answers {
        var count = 0
        /// The number of answers with more content than yes, no or nothing.
        var telling = 0
        var wrong = 0
    }

    private var writes: [Candidate] = []
    private var notifications: [Candidate] = []
    private var answers: [Answers] = []
    /// Handles by which notifications were switched.
    private var switches: [UInt16] = []

    /// The number of handles of each kind that are looked at.
    private static let limit = 16

    /// Handles of the only companion radio that is known so far: less has to speak for them.
    var hint: NordicHandles?

    /// A value was written by this side. Returns whether that could change the verdict.
    mutating func write(_ side: LinkSide, _ handle: UInt16, _ value: ArraySlice<UInt8>) -> Bool {
        if value.count == 2, let first = value.first, first <= 1, value.last == 0, !isWritten(handle) {
            if !switches.contains(handle), switches.count < Self.limit { switches.append(handle) }
            return false
        }
        guard let index = Self.index(of: handle, side, in: &writes) else { return false }
        grow()
        writes[index].values += 1
        guard FrameShape.isCommand(value), let first = value.first else { return false }
        writes[index].frames += 1
        writes[index].asked = CommandCode(rawValue: first)
        if writes[index].asked == .appStart { writes[index].hasStarted = true }
        return hint?.rx == handle
    }

    /// A value was notified by this side. Returns whether that could change the verdict.
    mutating func notification(_ side: LinkSide, _ handle: UInt16, _ value: ArraySlice<UInt8>) -> Bool {
        guard let index = Self.index(of: handle, side, in: &notifications), let first = value.first else {
            return false
        }
        grow()
        if notifications[index].owed > 0 {
            notifications[index].owed = max(0, notifications[index].owed - value.count)
            return false
        }
        notifications[index].values += 1
        let shape = FrameShape.bounds(first)
        if value.count >= 20, value.count < shape.shortest {
            notifications[index].owed = shape.shortest - value.count
            return false
        }
        guard FrameShape.isFromRadio(value), let code = RadioCode(first) else { return false }
        notifications[index].frames += 1
        var isNews = hint?.tx == handle
        let hasStarted = writes.contains { $0.side != side && $0.hasStarted }
        if FrameShape.isUnmistakable(value, afterAppStart: hasStarted) {
            notifications[index].isUnmistakable = true
            isNews = true
        }
        if case .response(let code) = code { isNews = answer(index, side, code) || isNews }
        return isNews || notifications[index].isUnmistakable
    }

    /// Counts a response as the answer to the last command of every write candidate.
    private mutating func answer(_ notification: Int, _ side: LinkSide, _ code: ResponseCode) -> Bool {
        var isNews = false
        for write in writes.indices where writes[write].side != side {
            guard let asked = writes[write].asked else { continue }
            let pair = write * Self.limit + notification
            if code == .err || asked.row.replies.contains(code) {
                answers[pair].count += 1
                if ![.ok, .err, .noMoreMessages, .disabled].contains(code) { answers[pair].telling += 1 }
                isNews = isNews || answers[pair].count >= 3
            } else {
                answers[pair].wrong += 1
            }
            if asked != .getContacts || code == .endOfContacts { writes[write].asked = nil }
        }
        return isNews
    }

    /// The pair that is believed, if there is one.
    var verdict: Verdict? {
        for (n, tx) in notifications.enumerated() where Self.isClean(tx) {
            for (w, rx) in writes.enumerated() where rx.side != tx.side && Self.isClean(rx) {
                guard rx.handle != tx.handle, abs(Int(rx.handle) - Int(tx.handle)) <= 8,
                    !switches.contains(tx.handle), !switches.contains(rx.handle)
                else {
                    continue
                }
                let talk = answers[w * Self.limit + n]
                let hasAnswered = talk.count >= 3 && talk.telling >= 1 && talk.wrong == 0
                let isHinted =
                    hint.map { $0.rx == rx.handle && $0.tx == tx.handle } == true && rx.frames + tx.frames >= 3
                if tx.isUnmistakable || hasAnswered || isHinted {
                    return Verdict(rx: rx.handle, tx: tx.handle, radio: tx.side)
                }
            }
        }
        return nil
    }

    /// At most one value in ten may be no frame.
    private static func isClean(_ candidate: Candidate) -> Bool {
        candidate.frames > 0 && (candidate.values - candidate.frames) * 10 <= candidate.values
    }

    private func isWritten(_ handle: UInt16) -> Bool { writes.contains { $0.handle == handle && $0.frames > 0 } }

    private mutating func grow() {
        if answers.isEmpty { answers = Array(repeating: Answers(), count: Self.limit * Self.limit) }
    }

    private static func index(of handle: UInt16, _ side: LinkSide, in list: inout [Candidate]) -> Int? {
        if let index = list.firstIndex(where: { $0.handle == handle && $0.side == side }) { return index }
        guard list.count < limit else { return nil }
        list.append(Candidate(handle: handle, side: side))
        return list.count - 1
    }
}
