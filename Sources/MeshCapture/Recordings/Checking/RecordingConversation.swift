public import MeshCompanion
public import MeshTime
import MeshWire

/// Which answer belongs to which command, and what breaks the protocol.
///
/// The radio answers one command after the other, so an answer belongs to the first command that can have it; commands
/// in front of that one were lost. A listing of contacts runs beside the commands that follow it.
public struct RecordingConversation: Sendable {
    /// A command, and when its last answer came.
    public struct Exchange: Hashable, Sendable {
        /// Places of entries, from 0.
        public var command: Int
        public var answer: Int
        public var code: CommandCode
        public var roundTrip: TimeSpan
    }

    /// Ordered by answers.
    public private(set) var exchanges: [Exchange] = []
    /// Ordered by entries.
    public private(set) var breaches: [ProtocolBreach] = []
    /// The commands without an answer.
    public private(set) var unanswered: [Int] = []
    /// The frames that nobody asked for.
    public private(set) var pushes = 0

    private struct Pending {
        var entry: Int
        var time: TimeSpan
        /// `nil` for a code that nobody knows.
        var code: CommandCode?
    }

    private var pending: [Pending] = []
    private var listing: Pending?
    private var isClosed = false
    private var seen: Set<CommandCode> = []

    public init(_ recording: Recording) {
        for (index, entry) in recording.entries.enumerated() { take(index, entry) }
        giveUp("to the end of the recording")
        breaches.sort { ($0.entry, $0.rule.rawValue) < ($1.entry, $1.rule.rawValue) }
        unanswered.sort()
    }

    private mutating func take(_ index: Int, _ entry: RecordingEntry) {
        switch entry.event {
        case .connected:
            giveUp("before the next connection")
            isClosed = false
        case .disconnected:
            giveUp("before the connection ended")
            isClosed = true
        case .frame(let direction, let bytes):
            if isClosed { add(index, .notConnected, "a frame after the connection was closed") }
            judge(index, bytes, direction)
            switch direction {
            case .toRadio: takeCommand(index, entry.time, bytes)
            case .toApp: takeAnswer(index, entry.time, bytes)
            }
        case .packet, .problem: break
        }
    }

    private mutating func add(_ index: Int, _ rule: ProtocolBreach.Rule, _ reason: String) {
        breaches.append(ProtocolBreach(entry: index, rule, reason))
    }

    /// The frame by itself.
    private mutating func judge(_ index: Int, _ bytes: [UInt8], _ direction: FrameDirection) {
        let printed = FramePrinter.printed(bytes, direction: direction)
        if let failure = printed.failure {
            if case .unknownCode = failure.reason {
                add(index, .unknownCode, "\(failure)")
            } else {
                add(index, .malformed, "\(failure)")
            }
        }
        if let objection = printed.objection, direction == .toRadio || !Self.isOfAnEarlierRelease(bytes) {
            add(index, .length, objection)
        }
    }

    /// Older firmware sends shorter frames, which break nothing.
    private static func isOfAnEarlierRelease(_ bytes: [UInt8]) -> Bool {
        switch bytes.first.flatMap(RadioCode.init) {
        case .response(let code): code.row.length.earlier.contains(bytes.count)
        case .push(let code): code.row.length.earlier.contains(bytes.count)
        case nil: false
        }
    }

    /// Whatever was asked gets no answer any more.
    private mutating func giveUp(_ when: String) {
        for command in pending { lose(command, when) }
        pending.removeAll()
        if let listing {
            add(listing.entry, .commandUnanswered, "the listing has no end \(when)")
            unanswered.append(listing.entry)
        }
        listing = nil
    }

    private mutating func lose(_ command: Pending, _ when: String) {
        // These are answered by falling silent.
        if let code = command.code, code.row.replies.isEmpty { return }
        add(command.entry, .commandUnanswered, "no answer \(when)")
        unanswered.append(command.entry)
    }
}

extension RecordingConversation {
    private mutating func takeCommand(_ index: Int, _ time: TimeSpan, _ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let code = CommandCode(rawValue: first)
        if let code { seen.insert(code) }
        if code == .getContacts, listing != nil {
            add(index, .listing, "a second GET_CONTACTS while a listing runs, which the radio refuses")
        }
        // The radio gives up a listing when an app begins.
        if code == .appStart { listing = nil }
        pending.append(Pending(entry: index, time: time, code: code))
    }

    private mutating func takeAnswer(_ index: Int, _ time: TimeSpan, _ bytes: [UInt8]) {
        guard let first = bytes.first, let code = RadioCode(first) else { return }
        switch code {
        case .push(let push): takePush(index, time, push)
        case .response(.err): takeRefusal(index, time, bytes)
        case .response(.contact) where listing != nil:
            // One that was asked for by its key looks the same.
            if pending.first?.code == .getContactByKey { answer(0, index, time) }
        case .response(.contact):
            guard !match(code, index, time) else { return }
            add(index, .listing, "a contact outside of a listing")
        case .response(.endOfContacts):
            guard let running = listing else {
                return add(index, .listing, "the end of a listing that did not begin")
            }
            listing = nil
            close(running, index, time)
        case .response:
            guard !match(code, index, time) else { return }
            add(index, .answerWithoutCommand, "no command waits for \(code.wireName)")
        }
    }

    /// Gives the frame to the first command that can have it; says whether there is one.
    private mutating func match(_ code: RadioCode, _ index: Int, _ time: TimeSpan) -> Bool {
        guard let place = pending.firstIndex(where: { $0.code?.row.mayReply(code) == true }) else { return false }
        answer(place, index, time)
        return true
    }

    private mutating func answer(_ place: Int, _ index: Int, _ time: TimeSpan) {
        for command in pending[..<place] { lose(command, "before that of a later command") }
        let command = pending[place]
        pending.removeFirst(place + 1)
        if command.code == .getContacts {
            listing = command
        } else {
            close(command, index, time)
        }
    }

    private mutating func close(_ command: Pending, _ index: Int, _ time: TimeSpan) {
        guard let code = command.code else { return }
        exchanges.append(
            Exchange(command: command.entry, answer: index, code: code, roundTrip: time - command.time))
    }

    private mutating func takeRefusal(_ index: Int, _ time: TimeSpan, _ bytes: [UInt8]) {
        guard let command = pending.first else {
            return add(index, .answerWithoutCommand, "no command waits for an error")
        }
        pending.removeFirst()
        close(command, index, time)
        guard let code = command.code, bytes.count > 1 else { return }
        let error = ErrorCode(rawValue: bytes[1])
        if !code.row.mayRefuse(error) { add(index, .refusal, "\(code.wireName) is never refused as \(error)") }
    }

    private mutating func takePush(_ index: Int, _ time: TimeSpan, _ push: PushCode) {
        if pending.first?.code?.row.mayReply(.push(push)) == true { return answer(0, index, time) }
        pushes += 1
        guard Self.caused.contains(push) else { return }
        let causes = CommandCode.allCases.filter { $0.row.later.contains(push) }
        if !causes.contains(where: { seen.contains($0) }) {
            let names = causes.map(\.wireName).joined(separator: " or ")
            add(index, .pushWithoutCause, "nobody sent \(names) before")
        }
    }

    /// The pushes that follow from commands only.
    private static let caused: Set<PushCode> = [
        .sendConfirmed, .loginSuccess, .loginFail, .statusResponse, .binaryResponse, .pathDiscoveryResponse,
    ]
}
