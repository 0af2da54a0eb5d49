public import MeshCompanion
public import MeshTime
import MeshWire

/// The answers to each command, and the breaches of the protocol.
public struct RecordingConversation: Sendable {
    /// A command, and when its last answer came.
    public struct Exchange: Hashable, Sendable {
        /// Places of entries, from 0.
        public var command: Int
        /// The place of the last frame of the answer.
        public var answer: Int
        /// The command's code.
        public var code: CommandCode
        /// From the command to the last frame of its answer.
        public var roundTrip: TimeSpan
    }

    /// Ordered by answers.
    public private(set) var exchanges: [Exchange] = []
    /// Ordered by entries; the first of very many.
    public private(set) var breaches: [ProtocolBreach] = []
    /// All of them.
    public private(set) var breachCount = 0
    /// The number of breaches that are kept.
    public static let breachLimit = 10_000
    /// The commands without an answer.
    public private(set) var unanswered: [Int] = []
    /// The number of frames that answer no command.
    public private(set) var pushes = 0

    private struct Asked {
        var entry: Int
        var time: TimeSpan
        /// The code of the command; `nil` for an unknown one.
        var code: CommandCode?
    }

    private var pairing = AnswerPairing<Asked>()
    private var isClosed = false
    private var seen: Set<CommandCode> = []
    /// The commands that had been sent when each snapshot was taken, by name.
    private var seenAtSnapshot: [String: Set<CommandCode>] = [:]

    /// Reads all entries; lines of the air and problems are passed over.
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
        case .turn(.snapshot(let name)): seenAtSnapshot[name] = seen
        case .turn(.restored(let name)):
            // The radio had no chance to answer: no breach.
            let open = pairing.giveUp()
            unanswered += (open.waiting + [open.listing].compactMap { $0 }).map(\.entry)
            seen = seenAtSnapshot[name] ?? []
            isClosed = true
        case .packet, .problem: break
        }
    }

    private mutating func add(_ index: Int, _ rule: ProtocolBreach.Rule, _ reason: String) {
        breachCount += 1
        guard breaches.count < Self.breachLimit else { return }
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

    /// Gives up all open commands: they get no answer any more.
    private mutating func giveUp(_ when: String) {
        let open = pairing.giveUp()
        for command in open.waiting { lose(command, when) }
        guard let listing = open.listing else { return }
        add(listing.entry, .commandUnanswered, "the listing has no end \(when)")
        unanswered.append(listing.entry)
    }

    private mutating func lose(_ command: Asked, _ when: String) {
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
        if code == .getContacts, pairing.listing != nil {
            add(index, .listing, "a second GET_CONTACTS while a listing runs, which the radio refuses")
        }
        let forgotten = pairing.ask(Asked(entry: index, time: time, code: code), bytes)
        if let forgotten { lose(forgotten, "before \(AnswerPairing<Asked>.limit) later commands") }
    }

    private mutating func takeAnswer(_ index: Int, _ time: TimeSpan, _ bytes: [UInt8]) {
        guard let code = bytes.first.flatMap(RadioCode.init) else { return }
        switch pairing.take(bytes) {
        case .answer(let command, let isLast, let lost):
            for command in lost { lose(command, "before that of a later command") }
            if isLast { close(command, index, time) }
            if code == .response(.err) { judgeRefusal(of: command, index, bytes) }
        case .push: if case .push(let push) = code { takePush(index, push) }
        case .stray: takeStray(index, code)
        }
    }

    private mutating func takeStray(_ index: Int, _ code: RadioCode) {
        switch code {
        case .response(.err): add(index, .answerWithoutCommand, "no command waits for an error")
        case .response(.contact): add(index, .listing, "a contact outside of a listing")
        case .response(.endOfContacts): add(index, .listing, "the end of a listing that did not begin")
        case .response, .push: add(index, .answerWithoutCommand, "no command waits for \(code.wireName)")
        }
    }

    private mutating func close(_ command: Asked, _ index: Int, _ time: TimeSpan) {
        guard let code = command.code else { return }
        exchanges.append(
            Exchange(command: command.entry, answer: index, code: code, roundTrip: time - command.time))
    }

    private mutating func judgeRefusal(of command: Asked, _ index: Int, _ bytes: [UInt8]) {
        guard let code = command.code, bytes.count > 1 else { return }
        let error = ErrorCode(rawValue: bytes[1])
        if !code.row.mayRefuse(error) { add(index, .refusal, "\(code.wireName) is never refused as \(error)") }
    }

    private mutating func takePush(_ index: Int, _ push: PushCode) {
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
