import MeshCompanion
public import MeshTime

/// Plays the client of a recording against a radio, and compares the radio's frames with the recorded ones.
///
/// It sends the recorded commands in their order. Each is sent when the one before is answered by the table and the
/// pushes in between have come. Values that the radio chooses anew are carried over into later commands and
/// comparisons: expected codes, tags, times of its contacts, its key. A push may come early or late. One that does
/// not come within the limit is missing, and an unexpected one is reported at the end.
///
/// Or it follows the recording word for word, in the file `ClientReplayer+WordForWord.swift`: on a bench that
/// controls the air and the power, too.
///
/// It connects, sends, waits and hangs up by the effects that it gives; links and clocks are the caller's.
public struct ClientReplayer: Sendable {
    /// The times at which commands are sent.
    public enum Pace: Hashable, Sendable {
        /// As soon as everything before it has come.
        case asAnswered
        /// Not before it was sent in the recording; 1000 is the recorded speed, 2000 is twice as fast.
        case recorded(perMille: Int64)

        public static let recorded = Pace.recorded(perMille: 1000)
    }

    /// The times for which it waits.
    public struct Limits: Hashable, Sendable {
        /// For the whole answer to a command; word for word, for the next frame.
        public var reply = TimeSpan.seconds(5)
        /// Beyond the moment at which a push was recorded.
        public var push = TimeSpan.seconds(10)
        /// For a link to open, after a restart too, and for one to end that a command ends.
        public var link = TimeSpan.seconds(30)
        /// For packets behind the last line, word for word.
        public var air = TimeSpan.seconds(60)

        public init() {}
    }

    /// An input of the replayer: from its link, from the air of a bench, or from the clock.
    public enum Input: Hashable, Sendable {
        case connected
        /// The link that it asked for does not open, for a reason for people; the replay ends.
        case notConnected(reason: String)
        /// A frame from the radio: its bytes from the code on, without the framing of a stream.
        case frame([UInt8])
        /// The radio has begun to send a packet; looked at word for word only.
        case packet([UInt8])
        case disconnected
        case woke
    }

    /// An effect that it requests, in this order.
    public enum Effect: Hashable, Sendable {
        case connect
        /// A command for the radio: its bytes from the code on, without the framing of a stream.
        case send([UInt8])
        case disconnect
        /// The radio is to receive this packet; word for word only.
        case hear([UInt8], RecordingEntry.Signal?)
        /// Word for word only: the radio loses its power, and has it again.
        case cutPower
    }

    /// The kind of input that it needs before it continues.
    public enum Awaited: Hashable, Sendable {
        case nothing
        /// A link, or the end of one.
        case link
        /// Until `nextWake`.
        case frame
        /// Until `nextWake`.
        case packet
        /// `nextWake`.
        case time
    }

    /// A step of the replay; steps follow each other.
    enum Item: Hashable, Sendable {
        case connect
        case command(Int)
        case push(Int)
        /// An entry, word for word.
        case line(Int)
    }

    enum Phase: Hashable, Sendable {
        case begun
        case connecting
        case pausing(until: Instant)
        case awaitingReply(Int, until: Instant)
        case awaitingPush(Int, until: Instant)
        case awaitingLine(Int, until: Instant)
        case awaitingPackets(until: Instant)
        case awaitingEnd(until: Instant)
        case ended
    }

    /// The recording as exchanges and pushes.
    public let script: ReplayScript
    /// The differences from the recording that the radio may show; none, word for word.
    public let rules: DifferenceRules
    /// The times at which commands are sent; word for word, the pauses of the recording are kept.
    public let pace: Pace
    /// The times for which it waits for each kind of input.
    public let limits: Limits
    /// One for each command and each push that has had its turn, in the order of the recording; then the unexpected
    /// ones.
    public internal(set) var checks: [ReplayCheck] = []

    /// The lines of the run that went on, followed word for word; empty otherwise.
    let lines: [RecordingEntry]
    /// The places of the lines among the recording's entries.
    let linePlaces: [Int]
    let keys: PacketKeys
    /// Lines of packets that the radio has still to send, and packets that it has sent.
    var due: [Int] = []
    var onAir: [[UInt8]] = []

    private let items: [Item]
    var next = 0
    var phase = Phase.begun
    var isUp = false
    /// The beginning of the present connection, and its beginning in the recording.
    private var start = (seen: Instant.start, recorded: TimeSpan.zero)
    private var replies: [[UInt8]] = []
    /// Pushes that no step has asked for yet; word for word all frames.
    var heard: [[UInt8]] = []
    private var choices = RadioChoices()

    /// Pushes that may wait to be expected.
    private static let heardLimit = 4096

    /// Plays a recording's commands, and compares the radio's frames as far as the rules ask for it.
    public init(
        _ recording: Recording, rules: DifferenceRules = .replay, pace: Pace = .asAnswered, limits: Limits = Limits()
    ) {
        self.init(recording, rules, pace, limits, isWordForWord: false)
    }

    /// Follows the recording word for word: every line in its order, until one differs that may not.
    public init(wordForWord recording: Recording, limits: Limits = Limits()) {
        self.init(recording, .none, .recorded, limits, isWordForWord: true)
    }

    private init(
        _ recording: Recording, _ rules: DifferenceRules, _ pace: Pace, _ limits: Limits, isWordForWord: Bool
    ) {
        script = ReplayScript(recording)
        self.rules = rules
        self.pace = pace
        self.limits = limits
        linePlaces = isWordForWord ? recording.history.places : []
        lines = linePlaces.map { recording.entries[$0] }
        keys = PacketKeys(isWordForWord ? recording.header : RecordingHeader())
        items = isWordForWord ? lines.indices.map { .line($0) } : Self.items(of: script)
    }

    var isWordForWord: Bool { !lines.isEmpty }

    /// Connections, commands and pushes as they followed each other.
    private static func items(of script: ReplayScript) -> [Item] {
        var items: [Item] = []
        var push = 0
        var connection = -1
        func begin(_ number: Int) {
            guard number > connection else { return }
            connection = number
            items.append(.connect)
        }
        for (index, exchange) in script.exchanges.enumerated() {
            while push < script.pushes.count, script.pushes[push].frame.entry < exchange.entry {
                begin(script.pushes[push].connection)
                items.append(.push(push))
                push += 1
            }
            begin(exchange.connection)
            items.append(.command(index))
        }
        for rest in push..<script.pushes.count {
            begin(script.pushes[rest].connection)
            items.append(.push(rest))
        }
        return items
    }

    // MARK: Looking

    /// True when nothing more is sent or compared: the recording is played, or cannot be played on.
    public var hasEnded: Bool { phase == .ended }

    /// The moment at which it wants to be called again.
    public var nextWake: Instant {
        switch phase {
        case .begun, .connecting, .ended: .never
        case .pausing(let moment), .awaitingReply(_, let moment), .awaitingPush(_, let moment),
            .awaitingLine(_, let moment), .awaitingPackets(let moment), .awaitingEnd(let moment):
            moment
        }
    }

    /// The kind of input that it waits for now, until `nextWake`.
    public var awaits: Awaited {
        switch phase {
        case .begun, .ended: .nothing
        case .connecting, .awaitingEnd: .link
        case .pausing: .time
        case .awaitingReply, .awaitingPush, .awaitingLine: .frame
        case .awaitingPackets: .packet
        }
    }

    // MARK: Happenings

    /// Begins; called once.
    public mutating func begin(at now: Instant, into effects: inout [Effect]) {
        advance(at: now, into: &effects)
    }

    /// Handles an input, and adds the effects that are due now, in order. A link counts only while one is awaited.
    public mutating func handle(_ input: Input, at now: Instant, into effects: inout [Effect]) {
        switch input {
        case .connected:
            guard phase == .connecting else { return }
            isUp = true
            start = (now, recordedStart)
            next += 1
        case .notConnected(let reason):
            guard phase == .connecting else { return }
            checks.append(ReplayCheck(title: "connect", entry: nil, problems: [.notConnected(reason)]))
            phase = .ended
            return
        case .frame(let frame): take(frame)
        case .packet(let packet): onAir.append(packet)
        case .disconnected: lose()
        case .woke: if case .awaitingPackets(let until) = phase, now >= until { return missPackets() }
        }
        advance(at: now, into: &effects)
    }

    /// The beginning in the recording of the connection that begins now: that of its first item.
    private var recordedStart: TimeSpan {
        guard next + 1 < items.count else { return .zero }
        switch items[next + 1] {
        case .connect, .line: return .zero
        case .command(let index): return script.exchanges[index].time
        case .push(let index): return script.pushes[index].frame.time
        }
    }

    private func moment(_ recorded: TimeSpan) -> Instant {
        let since = max(0, (recorded - start.recorded).microseconds)
        switch pace {
        case .asAnswered: return start.seen
        case .recorded(let perMille): return start.seen + TimeSpan(microseconds: since * 1000 / max(1, perMille))
        }
    }

    // MARK: Going on

    private mutating func advance(at now: Instant, into effects: inout [Effect]) {
        while phase != .ended {
            switch phase {
            case .awaitingReply(let index, let until):
                guard isAnswered(index) || now >= until else { return }
                judge(index)
            case .awaitingPush(let index, let until):
                guard matchPush(index, isLate: now >= until) else { return }
            case .awaitingLine(let index, let until):
                guard matchLine(index, isLate: now >= until) else { return }
            case .awaitingPackets: return matchPackets(at: now)
            case .awaitingEnd(let until):
                guard !isUp || now >= until else { return }
                if isUp { checks[checks.count - 1].problems.append(.linkStays) }
            case .pausing(let until): guard now >= until else { return }
            case .connecting: guard isUp else { return }
            case .begun, .ended: break
            }
            guard phase != .ended else { return }
            guard next < items.count else { return isWordForWord ? matchPackets(at: now) : end(into: &effects) }
            guard step(at: now, into: &effects) else { return }
        }
    }

    /// Begins the next item; `false` when it has to be waited for from outside.
    private mutating func step(at now: Instant, into effects: inout [Effect]) -> Bool {
        switch items[next] {
        case .line(let index): return follow(index, at: now, into: &effects)
        case .connect:
            if isUp { effects.append(.disconnect) }
            isUp = false
            phase = .connecting
            effects.append(.connect)
            return false
        case .command(let index):
            let exchange = script.exchanges[index]
            let due = moment(exchange.time)
            guard now >= due else {
                phase = .pausing(until: due)
                return true
            }
            next += 1
            replies = []
            effects.append(.send(choices.applied(toCommand: exchange.command)))
            if exchange.endsLink, !AnswerShape.isAnswered(exchange.command) {
                checks.append(ReplayCheck(title: Self.name(exchange.command, .toRadio), entry: exchange.entry))
                phase = .awaitingEnd(until: now + limits.link)
            } else {
                phase = .awaitingReply(index, until: now + limits.reply)
            }
        case .push(let index):
            next += 1
            let expected = script.pushes[index].frame
            phase = .awaitingPush(index, until: max(now, moment(expected.time)) + limits.push)
        }
        return true
    }

    private mutating func end(into effects: inout [Effect]) {
        if isUp { effects.append(.disconnect) }
        isUp = false
        phase = .ended
        for frame in heard where !mayComeAndGo(frame) {
            checks.append(
                ReplayCheck(title: Self.name(frame, .toApp), entry: nil, problems: [.unexpectedPush(frame)]))
        }
        heard = []
    }

    private mutating func lose() {
        guard isUp else { return }
        isUp = false
        if case .awaitingEnd = phase { return }
        guard phase != .ended, phase != .connecting else { return }
        if case .awaitingReply(let index, _) = phase { judge(index) }
        checks.append(ReplayCheck(title: "link", entry: nil, problems: [.linkLost]))
        guard !isWordForWord else { return phase = .ended }
        while next < items.count, items[next] != .connect { next += 1 }
        phase = .begun
    }

    // MARK: Frames

    private mutating func take(_ frame: [UInt8]) {
        if isWordForWord { return heard.append(frame) }
        guard let code = frame.first else { return }
        if case .awaitingReply(let index, _) = phase,
            AnswerShape.mayAnswer(script.exchanges[index].command, code), !isAnswered(index)
        {
            replies.append(frame)
            return
        }
        if PushCode(rawValue: code) == nil {
            checks.append(
                ReplayCheck(title: Self.name(frame, .toApp), entry: nil, problems: [.unexpectedReply(frame)]))
        } else if heard.count < Self.heardLimit {
            heard.append(frame)
        }
    }

    private func isAnswered(_ index: Int) -> Bool {
        guard let code = replies.last?.first else { return false }
        return !AnswerShape.goesOn(script.exchanges[index].command, code)
    }

    private mutating func judge(_ index: Int) {
        let exchange = script.exchanges[index]
        var check = ReplayCheck(title: Self.name(exchange.command, .toRadio), entry: exchange.entry)
        let pairs = ReplyPairs(recorded: exchange.replies, seen: replies)
        for pair in pairs.pairs {
            switch pair {
            case (let recorded?, let seen?):
                choices.learn(recorded.bytes, seen, command: exchange.command)
                guard recorded.tolerance.difference(recorded.bytes, seen) != nil else { continue }
                let difference = FrameDifference(
                    recorded: choices.applied(toFrame: recorded.bytes), seen: seen, direction: .toApp)
                let fields = difference.breaches(of: rules)
                if !fields.isEmpty { check.problems.append(.differs(difference.name, fields)) }
            case (let recorded?, nil): check.problems.append(.missingReply(recorded.bytes))
            // Who hung up has not heard the answer that was on its way.
            case (nil, _?) where exchange.endsLink: break
            case (nil, let seen?): check.problems.append(.unexpectedReply(seen))
            case (nil, nil): break
            }
        }
        replies = []
        checks.append(check)
    }

    /// Looks for the push among those that came; `false` when it is still to be waited for.
    private mutating func matchPush(_ index: Int, isLate: Bool) -> Bool {
        let push = script.pushes[index]
        let tolerance = push.frame.tolerance
        let expected = choices.applied(toFrame: push.frame.bytes)
        let candidates = heard.indices.filter { heard[$0].first == expected.first }
        var check = ReplayCheck(title: Self.name(expected, .toApp), entry: push.frame.entry)
        if let found = candidates.first(where: { breaches(expected, heard[$0], tolerance).isEmpty }) {
            heard.remove(at: found)
        } else if !isLate {
            return false
        } else if let found = candidates.first {
            let name = FrameDifference(recorded: expected, seen: heard[found], direction: .toApp).name
            check.problems.append(.differs(name, breaches(expected, heard.remove(at: found), tolerance)))
        } else if !mayComeAndGo(expected) {
            check.problems.append(.missingPush(expected))
        }
        checks.append(check)
        return true
    }

    /// Returns the differences that the rules forbid.
    ///
    /// Codes and tags are the radio's to choose, but the same from its answer to its push.
    private func breaches(
        _ expected: [UInt8], _ seen: [UInt8], _ tolerance: RecordingEntry.Tolerance
    ) -> [FieldDifference] {
        guard tolerance.difference(expected, seen) != nil else { return [] }
        let difference = FrameDifference(recorded: expected, seen: seen, direction: .toApp)
        let bound: Set<String> = choices.knowsTag(in: expected) ? ["ack", "tag"] : []
        return difference.fields.filter { bound.contains($0.field) || !rules.allow($0) }
    }

    /// Returns whether the rules let such a push come or not: what a radio receives on the air is a measurement.
    private func mayComeAndGo(_ frame: [UInt8]) -> Bool {
        if frame.first == PushCode.logRxData.rawValue, rules.mayDiffer.contains(.measurement) { return true }
        return rules.fields.contains(Self.name(frame, .toApp))
    }

    static func name(_ frame: [UInt8], _ direction: FrameDirection) -> String {
        FramePrinter.printed(frame, direction: direction).name
    }
}
