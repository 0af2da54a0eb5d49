public import MeshTime

/// The messages of a run and their times: rules that draw their events from a seed, each from a stream of its own.
///
/// A further rule changes none of the others. Moments count from the beginning of the run.
public struct Traffic: Hashable, Sendable {
    /// Something that a person does with the app of a companion radio.
    public enum Message: Hashable, Sendable {
        /// A text to the public channel, without acknowledgement.
        case channelText(String)
        /// A text to one companion, acknowledged by it.
        case directText(to: Int, String)
        /// The radio's own advert, flooded.
        case advert
    }

    /// One message of one sender, a place in the topology's `nodes`.
    public struct Event: Hashable, Sendable {
        /// The time at which it is sent.
        public var at: Instant
        /// The sender, a place in the topology's `nodes`.
        public var from: Int
        /// The message that is sent.
        public var message: Message

        public init(at: Instant, from: Int, message: Message) {
            self.at = at
            self.from = from
            self.message = message
        }
    }

    /// One source of messages: who, what, when first and how often.
    public struct Rule: Hashable, Sendable {
        /// The senders that a rule chooses.
        public enum Sender: Hashable, Sendable {
            /// The node with this label.
            case node(String)
            /// A companion drawn anew for each message.
            case anybody
            /// Every companion on its own, each at an offset drawn within the interval.
            case everybody
        }

        /// The messages that a rule chooses.
        public enum Kind: Hashable, Sendable {
            /// A text on the channel of the world.
            case channelText(String)
            /// A text to the node with a label.
            case directText(to: String, String)
            /// To a companion drawn anew, or to the channel, in equal parts.
            case chat
            /// To the sender's friend: one companion, drawn once for each sender.
            case friend
            case advert
        }

        /// The senders of the messages.
        public var sender: Sender
        /// The kind of the messages.
        public var kind: Kind
        /// The time at which the first message is due.
        public var first: TimeSpan
        /// From one message to the next; `nil` for a single one.
        public var every: TimeSpan?
        /// True when the time to the next message is drawn between nothing and twice the interval.
        public var isIrregular: Bool
        /// No more messages than this; `nil` for no limit but the run's end.
        public var count: Int?

        public init(
            _ sender: Sender, _ kind: Kind, first: TimeSpan, every: TimeSpan? = nil, isIrregular: Bool = false,
            count: Int? = nil
        ) {
            self.sender = sender
            self.kind = kind
            self.first = first
            self.every = every
            self.isIrregular = isIrregular
            self.count = count
        }
    }

    /// The rules, each with random numbers of its own.
    public var rules: [Rule]

    public init(_ rules: [Rule] = []) {
        self.rules = rules
    }

    /// No run holds more messages.
    public static let mostEvents = 1_000_000

    /// The messages of a run that ends at `end`, in the order of time, and of rules where times are equal.
    ///
    /// Senders and recipients that are no companions of the topology are skipped; ask `problem(in:)` first.
    /// At most `mostEvents` are drawn for each rule.
    public func events(in topology: Topology, until end: Instant, seed: Seed) -> [Event] {
        let companions = topology.nodes.indices.filter { topology.nodes[$0].role == .companion }
        guard !companions.isEmpty else { return [] }
        var events: [Event] = []
        for (index, rule) in rules.enumerated() {
            let seed = seed.part("traffic", String(index))
            switch rule.sender {
            case .node(let label):
                guard let sender = companions.first(where: { topology.nodes[$0].label == label }) else { continue }
                events += rule.events(of: { _ in sender }, companions, topology, end, seed, seed.stream("rule"))
            case .anybody:
                let draw = { (stream: inout RandomStream) in stream.pick(companions) }
                events += rule.events(of: draw, companions, topology, end, seed, seed.stream("rule"))
            case .everybody:
                for sender in companions {
                    let stream = seed.stream("rule", topology.nodes[sender].label)
                    events += rule.events(
                        of: { _ in sender }, companions, topology, end, seed, stream, isStaggered: true)
                }
            }
        }
        // The standard library's sort is stable, which keeps the order of rules.
        events.sort { $0.at < $1.at }
        return Array(events.prefix(Self.mostEvents))
    }

    /// Returns the reason for which the rules cannot be carried out in a topology; `nil` when they can.
    public func problem(in topology: Topology) -> String? {
        for rule in rules {
            var labels: [String] = []
            if case .node(let label) = rule.sender { labels.append(label) }
            if case .directText(let label, _) = rule.kind { labels.append(label) }
            for label in labels {
                guard let node = topology.nodes.first(where: { $0.label == label }) else {
                    return "there is no node \"\(label)\""
                }
                guard node.role == .companion else { return "\"\(label)\" is a \(node.role.words), which has no app" }
            }
            if case .node(let label) = rule.sender, case .directText(label, _) = rule.kind {
                return "\"\(label)\" would send to itself, which no app does"
            }
            if rule.every == nil, let count = rule.count, count > 1 {
                return "a count of \(count) needs \"every\", the time between two of them"
            }
            if let every = rule.every, every <= .zero { return "an interval must be longer than nothing" }
        }
        return nil
    }
}

extension Traffic.Rule {
    fileprivate func events(
        of sender: (inout RandomStream) -> Int, _ companions: [Int], _ topology: Topology, _ end: Instant,
        _ seed: Seed, _ stream: RandomStream, isStaggered: Bool = false
    ) -> [Traffic.Event] {
        var stream = stream
        var events: [Traffic.Event] = []
        var time = Instant.start + first
        if isStaggered, let every { time += drawn(every, &stream) }
        while time < end, events.count < min(count ?? .max, Traffic.mostEvents) {
            let from = sender(&stream)
            if let message = message(events.count + 1, from, companions, topology, seed, &stream) {
                events.append(Traffic.Event(at: time, from: from, message: message))
            } else {
                break
            }
            guard let every, every > .zero else { break }
            time += isIrregular ? max(.milliseconds(1), drawn(every * 2, &stream)) : every
        }
        return events
    }

    /// A span between nothing and `limit`, in whole milliseconds.
    private func drawn(_ limit: TimeSpan, _ stream: inout RandomStream) -> TimeSpan {
        .milliseconds(stream.draw(0, UInt32(clamping: limit.milliseconds)))
    }

    private func message(
        _ number: Int, _ from: Int, _ companions: [Int], _ topology: Topology, _ seed: Seed,
        _ stream: inout RandomStream
    ) -> Traffic.Message? {
        switch kind {
        case .channelText(let text): return .channelText(numbered(text, number))
        case .directText(let label, let text):
            guard let to = companions.first(where: { topology.nodes[$0].label == label }), to != from else {
                return nil
            }
            return .directText(to: to, numbered(text, number))
        case .chat:
            let isDirect = stream.draw(0, 2) == 0
            let others = companions.filter { $0 != from }
            guard isDirect, !others.isEmpty else { return .channelText("chat \(number)") }
            return .directText(to: stream.pick(others), "chat \(number)")
        case .friend:
            let others = companions.filter { $0 != from }
            guard !others.isEmpty else { return nil }
            var friends = seed.stream("friend", topology.nodes[from].label)
            return .directText(to: friends.pick(others), "friend \(number)")
        case .advert: return .advert
        }
    }

    /// `NNNN` in a text becomes the number of the message, with leading zeros.
    private func numbered(_ text: String, _ number: Int) -> String {
        guard let place = text.utf8.firstRange(of: "NNNN".utf8) else { return text }
        let digits = String(number)
        let zeros = String(repeating: "0", count: max(0, 4 - digits.utf8.count))
        return text.replacingCharacters(in: place, with: zeros + digits)
    }
}

extension String {
    /// The standard library has this for collections only in Foundation's company.
    fileprivate func replacingCharacters(in range: Range<String.Index>, with other: String) -> String {
        String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
    }
}

extension RandomStream {
    fileprivate mutating func pick(_ nodes: [Int]) -> Int {
        nodes[Int(draw(0, UInt32(clamping: nodes.count)))]
    }
}
