import MeshCompanion
public import MeshTime

/// Plays the radio of a recording: answers a client's commands as the radio did.
///
/// Commands are matched by their meaning, not by the clock, and need not come in the recorded order. The first one
/// gets the first answer that was recorded for it, the next one the next. A client that asks more often than was
/// recorded gets the last answer again. Late answers (a confirmation, a login) follow their command. Other pushes
/// follow the command that they followed in the recording, or come when the client has been silent for long. A
/// command that is not in the recording is refused and kept as a departure.
///
/// ```
/// app      "c---c--------c-----------"
/// recorded "-ra--r--p-----r----------"
/// replayed "-ra--r--p-----r----------"
/// ```
///
/// Frames only: framing, links and waiting are the caller's.
public struct RadioReplayer: Sendable {
    /// The time from a command to its answers.
    public enum Pace: Hashable, Sendable {
        case atOnce
        /// As recorded; 1000 is the recorded speed, 2000 is twice as fast.
        case recorded(perMille: Int64)

        /// The recorded pauses.
        public static let recorded = Pace.recorded(perMille: 1000)
    }

    /// An input of the replayer.
    public enum Input: Hashable, Sendable {
        case connected
        /// The client sends a command: its bytes from the code on; an empty one is ignored.
        case frame([UInt8])
        case disconnected
        /// The moment that it had asked for has come.
        case woke
    }

    /// An effect that it requests.
    public enum Effect: Hashable, Sendable {
        /// A frame for the client: its bytes from the code on, without the framing of a stream.
        case send([UInt8])
        /// The radio ended the link here: it restarted.
        case hangUp
    }

    /// Departures that are kept; further ones are counted.
    public static let departureLimit = 1000

    /// The recording as exchanges and pushes.
    public let script: ReplayScript
    /// The time from a command to its answers.
    public let pace: Pace
    /// After so long without a command the pushes come that wait for one.
    public let patience: TimeSpan

    /// Commands that no recorded one means, in the order in which they came: the first `departureLimit`.
    public private(set) var departures: [ReplayDeparture] = []
    /// The number of departures, those that are not kept included.
    public private(set) var departureCount = 0
    /// Commands that were answered as recorded, and those of them that had been asked before.
    public private(set) var answered = 0
    /// Of those answered: repeats, and requests for a message that had not been announced yet.
    public private(set) var repeated = 0

    private let meaning: CommandMeaning
    private var matcher: CommandMatcher
    private var echoes = EchoedValues()
    private var queue = TimedFrames()
    private var isReleased: [Bool]
    private var firstHeld = 0
    /// Pushes that follow each command.
    private let followers: [[Int]]
    private let lateAnswers: [[Int]]
    private var isConnected = false
    private var connections = 0
    /// The time of the client's last frame, or of the last push that it received.
    public private(set) var lastHeard = Instant.start

    /// Plays the radio of a recording; without a command for `patience`, pushes come that wait for one.
    public init(_ recording: Recording, pace: Pace = .recorded, patience: TimeSpan = .seconds(30)) {
        self.init(ReplayScript(recording), pace: pace, patience: patience)
    }

    public init(_ script: ReplayScript, pace: Pace = .recorded, patience: TimeSpan = .seconds(30)) {
        self.script = script
        self.pace = pace
        self.patience = patience
        meaning = CommandMeaning(scrubbed: script.scrubbed)
        matcher = CommandMatcher(script)
        isReleased = Array(repeating: false, count: script.pushes.count)
        var followers: [[Int]] = Array(repeating: [], count: script.exchanges.count)
        var lateAnswers = followers
        for (number, push) in script.pushes.enumerated() {
            if let cause = push.cause {
                lateAnswers[cause].append(number)
            } else if let predecessor = push.predecessor {
                followers[predecessor].append(number)
            }
        }
        self.followers = followers
        self.lateAnswers = lateAnswers
    }

    // MARK: Looking

    /// The moment at which it wants to be called again.
    public var nextWake: Instant {
        if let due = queue.nextDue { return due }
        return isConnected && firstHeld < isReleased.count ? lastHeard + patience : .never
    }

    /// True when all pushes of the recording have been sent.
    public var isSpent: Bool { queue.nextDue == nil && firstHeld >= isReleased.count }

    /// The recorded commands that were not sent.
    public var neverCame: [ReplayScript.Exchange] {
        script.exchanges.indices.filter { !matcher.isUsed($0) }.map { script.exchanges[$0] }
    }

    // MARK: Happenings

    /// Handles an input, and adds the effects that are due by now, in order. A disconnection drops the frames not
    /// yet sent.
    public mutating func handle(_ input: Input, at now: Instant, into effects: inout [Effect]) {
        switch input {
        case .connected: connect(at: now)
        case .frame(let frame): take(frame, at: now)
        case .disconnected: disconnect()
        case .woke: wake(at: now)
        }
        while let due = queue.take(upTo: now) {
            switch due {
            case .frame(let frame): effects.append(.send(echoes.carried(into: frame)))
            case .end: effects.append(.hangUp)
            }
        }
        skipReleased()
    }

    private mutating func connect(at now: Instant) {
        isConnected = true
        lastHeard = now
        let number = connections
        connections += 1
        matcher.connect(number)
        for (index, push) in script.pushes.enumerated()
        where push.connection == number && push.predecessor == nil && push.cause == nil && !isReleased[index] {
            release(index, at: now)
        }
    }

    private mutating func disconnect() {
        isConnected = false
        queue.removeAll()
    }

    private mutating func wake(at now: Instant) {
        guard isConnected, queue.nextDue == nil, now >= lastHeard + patience else { return }
        skipReleased()
        guard firstHeld < isReleased.count else { return }
        // One command's pushes at a time, the first at once.
        let group = script.pushes[firstHeld]
        let start = group.frame.time
        lastHeard = now
        guard let predecessor = group.predecessor, group.cause == nil else { return release(firstHeld, at: now) }
        for index in followers[predecessor] where !isReleased[index] {
            release(index, at: now + gap(from: start, to: script.pushes[index].frame.time))
        }
    }

    private mutating func skipReleased() {
        // Late answers come with their command or not at all.
        while firstHeld < isReleased.count, isReleased[firstHeld] || script.pushes[firstHeld].cause != nil {
            firstHeld += 1
        }
    }

    private mutating func release(_ push: Int, at due: Instant) {
        isReleased[push] = true
        queue.add(.frame(script.pushes[push].frame.bytes), at: due)
    }

    private func gap(from start: TimeSpan, to end: TimeSpan) -> TimeSpan {
        switch pace {
        case .atOnce: .zero
        case .recorded(let perMille):
            TimeSpan(microseconds: max(0, (end - start).microseconds) * 1000 / max(1, perMille))
        }
    }

    // MARK: Commands

    private mutating func take(_ frame: [UInt8], at now: Instant) {
        lastHeard = now
        guard !frame.isEmpty else { return }
        switch matcher.match(frame, meaning, isReleased) {
        case .exchange(let index, let isRepeat):
            if echoes.matters || script.exchanges[index].command != frame {
                echoes.learn(script.exchanges[index].command, frame)
            }
            answer(index, isRepeat: isRepeat, at: now)
        case .nothingYet:
            answered += 1
            repeated += 1
            queue.add(.frame([ResponseCode.noMoreMessages.rawValue]), at: now, inOrder: true)
        case .departure(let nearest, let fields): depart(frame, nearest, fields, at: now)
        }
    }

    private mutating func answer(_ index: Int, isRepeat: Bool, at now: Instant) {
        answered += 1
        repeated += isRepeat ? 1 : 0
        let exchange = script.exchanges[index]
        for reply in exchange.replies {
            queue.add(.frame(reply.bytes), at: now + gap(from: exchange.time, to: reply.time), inOrder: true)
        }
        for push in lateAnswers[index] {
            release(push, at: now + gap(from: exchange.time, to: script.pushes[push].frame.time))
        }
        for push in followers[index] where !isReleased[push] {
            release(push, at: now + gap(from: exchange.time, to: script.pushes[push].frame.time))
        }
        if exchange.endsLink, !AnswerShape.isAnswered(exchange.command) { queue.add(.end, at: now, inOrder: true) }
    }

    private mutating func depart(_ frame: [UInt8], _ nearest: Int?, _ fields: [String], at now: Instant) {
        departureCount += 1
        if departures.count < Self.departureLimit {
            departures.append(
                ReplayDeparture(
                    frame, at: now, nearest: nearest.map { script.exchanges[$0] }, fields: fields))
        }
        queue.add(.frame([ResponseCode.err.rawValue, Self.refusal(of: frame).rawValue]), at: now, inOrder: true)
    }

    /// Returns the radio's error for something that it does not have, where the command has such an error.
    private static func refusal(of frame: [UInt8]) -> ErrorCode {
        guard let row = frame.first.flatMap(CommandCode.init(rawValue:))?.row else { return .unsupportedCmd }
        return row.errors.contains(.notFound) ? .notFound : row.errors.first ?? .unsupportedCmd
    }
}
