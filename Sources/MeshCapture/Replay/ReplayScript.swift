import MeshCompanion
public import MeshTime

/// A recording as its replayers need it: which frames answered which command, and which came of their own accord.
///
/// Answers are told from pushes by the protocol's table and the order of the commands, never by the clock.
public struct ReplayScript: Sendable {
    /// A frame of the radio.
    public struct Frame: Hashable, Sendable {
        /// Its place among the recording's entries.
        public let entry: Int
        public let time: TimeSpan
        public let bytes: [UInt8]
    }

    /// A command and what answered it.
    public struct Exchange: Hashable, Sendable {
        public let entry: Int
        /// Counted from 0.
        public let connection: Int
        public let time: TimeSpan
        public let command: [UInt8]
        /// Empty when the radio said nothing: it restarted, or the answer was lost.
        public internal(set) var replies: [Frame] = []
        /// Whether the link ended before anything else was said.
        public internal(set) var endsLink = false
        /// The push that announced what this command fetched: a push of the recording, by its number.
        public internal(set) var announcement: Int?
    }

    /// A frame that no command asked for directly.
    public struct Push: Hashable, Sendable {
        public let frame: Frame
        public let connection: Int
        /// The command that it is a late answer to, by tag, key or code.
        public let cause: Int?
        /// The last command before it on its connection; `nil` before the first.
        public let predecessor: Int?
    }

    public private(set) var exchanges: [Exchange] = []
    public private(set) var pushes: [Push] = []
    public private(set) var connections = 0
    /// Replaced before it was published, and so no reason to call a command another one.
    public let scrubbed: Set<RecordingHeader.Secret>
    /// When the last entry was made.
    public private(set) var length = TimeSpan.zero

    /// Commands of the current connection whose answer is still to come.
    private var open: [Int] = []
    private var firstOfConnection = 0

    public init(_ recording: Recording) {
        scrubbed = recording.header.scrubbed ?? []
        for (number, entry) in recording.entries.enumerated() where entry.link != .air {
            length = max(length, entry.time)
            switch entry.event {
            case .connected: begin()
            case .disconnected: end()
            case .frame(.toRadio, let bytes): take(command: bytes, at: entry.time, number)
            case .frame(.toApp, let bytes): take(Frame(entry: number, time: entry.time, bytes: bytes))
            case .packet, .problem: break
            }
        }
        open = []
        findAnnouncements()
    }

    // MARK: Building

    private mutating func begin() {
        connections += 1
        open = []
        firstOfConnection = exchanges.count
    }

    private mutating func end() {
        guard let last = exchanges.indices.last, last >= firstOfConnection, exchanges[last].replies.isEmpty else {
            return open = []
        }
        exchanges[last].endsLink = true
        open = []
    }

    private mutating func take(command bytes: [UInt8], at time: TimeSpan, _ entry: Int) {
        if connections == 0 { begin() }
        guard !bytes.isEmpty else { return }
        open.append(exchanges.count)
        exchanges.append(Exchange(entry: entry, connection: connections - 1, time: time, command: bytes))
    }

    private mutating func take(_ frame: Frame) {
        if connections == 0 { begin() }
        guard let code = frame.bytes.first else { return }
        if let place = open.firstIndex(where: { mayAnswer(exchanges[$0], code) }) {
            exchanges[open[place]].replies.append(frame)
            if !AnswerShape.goesOn(exchanges[open[place]].command, code) { open.remove(at: place) }
            return
        }
        let predecessor = exchanges.count > firstOfConnection ? exchanges.count - 1 : nil
        pushes.append(
            Push(
                frame: frame, connection: connections - 1, cause: PushCause.find(frame.bytes, in: exchanges[...]),
                predecessor: predecessor))
    }

    private func mayAnswer(_ exchange: Exchange, _ code: UInt8) -> Bool {
        // A refusal in the middle of a listing is that of a command behind it.
        if code == ResponseCode.err.rawValue, !exchange.replies.isEmpty { return false }
        return AnswerShape.mayAnswer(exchange.command, code)
    }

    /// A message that was fetched after the queue had been seen empty had been announced in between.
    private mutating func findAnnouncements() {
        let waiting = pushes.indices.filter { pushes[$0].frame.bytes.first == PushCode.msgWaiting.rawValue }
        var next = waiting.startIndex
        var latest: Int?
        var sawEmpty: Int?
        for index in exchanges.indices where exchanges[index].command.first == CommandCode.syncNextMessage.rawValue {
            guard let reply = exchanges[index].replies.first else { continue }
            while next < waiting.endIndex, pushes[waiting[next]].frame.entry < exchanges[index].entry {
                latest = waiting[next]
                next += 1
            }
            if reply.bytes.first == ResponseCode.noMoreMessages.rawValue {
                sawEmpty = reply.entry
            } else if let empty = sawEmpty {
                if let latest, pushes[latest].frame.entry > empty { exchanges[index].announcement = latest }
                sawEmpty = nil
            }
        }
    }
}

/// How answers look, by the table.
enum AnswerShape {
    /// Whether a frame with this code may be the answer, or a part of it.
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

    /// Whether more frames of the same answer follow. A contact that was asked for by its key comes alone.
    static func goesOn(_ command: [UInt8], _ code: UInt8) -> Bool {
        switch code {
        case ResponseCode.contactsStart.rawValue: true
        case ResponseCode.contact.rawValue: command.first != CommandCode.getContactByKey.rawValue
        default: false
        }
    }

    /// Whether the command is answered at all.
    static func isAnswered(_ command: [UInt8]) -> Bool {
        guard let first = command.first, let row = CommandCode(rawValue: first)?.row else { return true }
        return !row.replies.isEmpty || !row.pushReplies.isEmpty
    }
}
