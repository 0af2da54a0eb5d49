import MeshCompanion
public import MeshTime

/// A recording as its replayers need it: which frames answered which command, and which came of their own accord.
public struct ReplayScript: Sendable {
    /// A frame of the radio.
    public struct Frame: Hashable, Sendable {
        /// Its place among the recording's entries.
        public let entry: Int
        /// Since the recording began.
        public let time: TimeSpan
        /// From the code on, never empty.
        public let bytes: [UInt8]
        /// The tolerance for the frame of another run.
        public let tolerance: RecordingEntry.Tolerance
    }

    /// A command and what answered it.
    public struct Exchange: Hashable, Sendable {
        /// The command's place among the recording's entries, from 0.
        public let entry: Int
        /// Counted from 0.
        public let connection: Int
        /// The time of the command, since the recording began.
        public let time: TimeSpan
        /// The command's bytes from the code on, never empty.
        public let command: [UInt8]
        /// The tolerance for another command that counts as the same.
        public let tolerance: RecordingEntry.Tolerance
        /// The replies; empty when the radio sent none: it restarted, or the answer was lost.
        public internal(set) var replies: [Frame] = []
        /// True when the link ended before anything else was sent.
        public internal(set) var endsLink = false
        /// The push that announced the message that this command fetched: a push of the recording, by its number.
        public internal(set) var announcement: Int?
    }

    /// A frame that no command asked for directly.
    public struct Push: Hashable, Sendable {
        /// The frame of the radio, with its time.
        public let frame: Frame
        /// The connection on which it came, counted from 0.
        public let connection: Int
        /// The command that it is a late answer to, by tag, key or code.
        public let cause: Int?
        /// The last command before it on its connection; `nil` before the first.
        public let predecessor: Int?
    }

    /// In the order of the commands.
    public private(set) var exchanges: [Exchange] = []
    /// In the order of the recording.
    public private(set) var pushes: [Push] = []
    /// The number of connections; frames before the first line that opens one count as one.
    public private(set) var connections = 0
    /// Replaced before it was published, and so no reason to call a command another one.
    public let scrubbed: Set<RecordingHeader.Secret>
    /// The entries that are played: those of the run that went on.
    public let history: Recording.History
    /// The time of the last entry.
    public private(set) var length = TimeSpan.zero

    /// Commands of the current connection, by their places among the exchanges.
    private var pairing = AnswerPairing<Int>()
    private var firstOfConnection = 0

    /// Pairs the recording's commands with their answers; lines of the air and problems are passed over, and so is what
    /// a run left behind when it went back.
    public init(_ recording: Recording) {
        scrubbed = recording.header.scrubbed ?? []
        history = recording.history
        for number in history.places where recording.entries[number].link != .air {
            let entry = recording.entries[number]
            length = max(length, entry.time)
            switch entry.event {
            case .connected: begin()
            case .disconnected, .turn(.restored): end()
            case .frame(let direction, let bytes):
                let frame = Frame(entry: number, time: entry.time, bytes: bytes, tolerance: entry.tolerance)
                switch direction {
                case .toRadio: take(command: frame)
                case .toApp: take(frame)
                }
            case .packet, .problem, .turn(.snapshot): break
            }
        }
        findAnnouncements()
    }

    // MARK: Building

    private mutating func begin() {
        connections += 1
        pairing.giveUp()
        firstOfConnection = exchanges.count
    }

    private mutating func end() {
        pairing.giveUp()
        guard let last = exchanges.indices.last, last >= firstOfConnection, exchanges[last].replies.isEmpty else {
            return
        }
        exchanges[last].endsLink = true
    }

    private mutating func take(command frame: Frame) {
        if connections == 0 { begin() }
        guard !frame.bytes.isEmpty else { return }
        pairing.ask(exchanges.count, frame.bytes)
        exchanges.append(
            Exchange(
                entry: frame.entry, connection: connections - 1, time: frame.time, command: frame.bytes,
                tolerance: frame.tolerance))
    }

    private mutating func take(_ frame: Frame) {
        if connections == 0 { begin() }
        guard !frame.bytes.isEmpty else { return }
        if case .answer(let index, _, _) = pairing.take(frame.bytes) {
            exchanges[index].replies.append(frame)
            return
        }
        let predecessor = exchanges.count > firstOfConnection ? exchanges.count - 1 : nil
        pushes.append(
            Push(
                frame: frame, connection: connections - 1, cause: PushCause.find(frame.bytes, in: exchanges[...]),
                predecessor: predecessor))
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
