import MeshCompanion

/// Separates answers from pushes, and finds the command of each answer.
///
/// It uses the protocol's table and the order of the commands, never the clock.
///
/// The radio answers one command after the other, so an answer belongs to the first command that can have it; commands
/// in front of that one were lost. A listing of contacts runs beside the commands that follow it.
///
/// `Command` is the caller's own name for a command.
package struct AnswerPairing<Command: Sendable>: Sendable {
    /// The role of a frame from the radio.
    package enum Role: Sendable {
        /// An answer, or a part of one; more follow unless it is the last. The lost commands get no answer any more.
        case answer(Command, isLast: Bool, lost: [Command])
        /// Sent of the radio's own accord, or of an unknown code.
        case push
        /// Looks like an answer, and no command waits for it.
        case stray
    }

    private struct Waiting: Sendable {
        let command: Command
        let frame: [UInt8]

        var code: CommandCode? { frame.first.flatMap(CommandCode.init) }
    }

    package init() {}

    private var waiting: [Waiting] = []
    /// The largest number of commands that wait for an answer; a new one replaces the oldest. No app has as many.
    static var limit: Int { 1024 }
    /// The GET_CONTACTS that is being answered.
    private(set) var listing: Command?

    /// The app sends a command. Returns the one that gets no answer any more because too many wait.
    @discardableResult
    package mutating func ask(_ command: Command, _ frame: [UInt8]) -> Command? {
        let asked = Waiting(command: command, frame: frame)
        // The radio gives up a listing when an app begins.
        if asked.code == .appStart { listing = nil }
        waiting.append(asked)
        return waiting.count > Self.limit ? waiting.removeFirst().command : nil
    }

    /// Handles a frame of the radio.
    package mutating func take(_ frame: [UInt8]) -> Role {
        guard let first = frame.first, let code = RadioCode(first) else { return .push }
        switch code {
        case .response(.err):
            // That of the first command that waits, never that of a listing that runs.
            guard !waiting.isEmpty else { return .stray }
            return .answer(waiting.removeFirst().command, isLast: true, lost: [])
        case .response(.contact):
            guard let listing else { return answer(first) ?? .stray }
            return isAskedForByKey(frame)
                ? .answer(waiting.removeFirst().command, isLast: true, lost: [])
                : .answer(listing, isLast: false, lost: [])
        case .response(.endOfContacts):
            guard let ended = listing else { return .stray }
            listing = nil
            return .answer(ended, isLast: true, lost: [])
        case .response: return answer(first) ?? .stray
        case .push: return answer(first) ?? .push
        }
    }

    /// Handles the beginning or end of a connection: open commands get no answer any more.
    ///
    /// Returns what was still open, a listing last.
    @discardableResult
    package mutating func giveUp() -> (waiting: [Command], listing: Command?) {
        defer { (waiting, listing) = ([], nil) }
        return (waiting.map(\.command), listing)
    }

    /// Matches an answer with the first command that can have it.
    private mutating func answer(_ code: UInt8) -> Role? {
        guard let place = waiting.firstIndex(where: { AnswerShape.mayAnswer($0.frame, code) }) else { return nil }
        let lost = waiting[..<place].map(\.command)
        let answered = waiting[place]
        waiting.removeFirst(place + 1)
        let isListing = answered.code == .getContacts
        if isListing { listing = answered.command }
        return .answer(answered.command, isLast: !isListing, lost: lost)
    }

    /// A contact that was asked for by its key looks like one of the listing that runs.
    private func isAskedForByKey(_ contact: [UInt8]) -> Bool {
        guard let next = waiting.first, next.code == .getContactByKey else { return false }
        return contact.dropFirst().starts(with: next.frame.dropFirst().prefix(32))
    }
}

/// The shape of answers, by the table.
enum AnswerShape {
    /// Returns whether a frame with this code may be the answer, or a part of it.
    static func mayAnswer(_ command: [UInt8], _ code: UInt8) -> Bool {
        if code == ResponseCode.err.rawValue { return true }
        guard let first = command.first, let row = CommandCode(rawValue: first)?.row, let code = RadioCode(code) else {
            return false
        }
        switch code {
        case .response: return row.mayReply(code)
        // Only the radio's own telemetry is answered with what is a push otherwise.
        case .push: return row.mayReply(code) && command.count <= 4
        }
    }

    /// Returns whether more frames of the same answer follow. A contact that was asked for by its key comes alone.
    static func goesOn(_ command: [UInt8], _ code: UInt8) -> Bool {
        switch code {
        case ResponseCode.contactsStart.rawValue: true
        case ResponseCode.contact.rawValue: command.first != CommandCode.getContactByKey.rawValue
        default: false
        }
    }

    /// Returns whether the command is answered at all.
    static func isAnswered(_ command: [UInt8]) -> Bool {
        guard let first = command.first, let row = CommandCode(rawValue: first)?.row else { return true }
        return !row.replies.isEmpty || !row.pushReplies.isEmpty
    }
}
