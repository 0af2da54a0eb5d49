public import MeshTime

// Traffic as users type it: kinds with an interval, separated by commas.
extension Traffic {
    /// The kinds, in the order in which a list shows them.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case none
        case flood
        case direct
        case chat
        case friends
        case adverts

        /// The interval between messages when none is given.
        public var usualInterval: TimeSpan {
            switch self {
            case .none: .zero
            case .flood: .seconds(30)
            case .direct: .seconds(60)
            case .chat: .seconds(20)
            case .friends: .seconds(300)
            case .adverts: .seconds(600)
            }
        }

        /// One line for a list.
        public var summary: String {
            switch self {
            case .none: "silence, but for the adverts that repeaters send of their own accord"
            case .flood: "alice writes to the public channel at 10 s and then every 30 s"
            case .direct: "alice writes to bob at 10 s and then every 60 s, bob's radio acknowledges"
            case .chat: "somebody writes to the channel or to somebody else, every 20 s on average"
            case .friends: "every companion writes to the same other one again and again, every 300 s on average"
            case .adverts: "every companion floods its advert, each once in 600 s at a moment of its own"
            }
        }

        func rule(every interval: TimeSpan) -> Rule? {
            switch self {
            case .none: nil
            case .flood:
                Rule(
                    .node("alice"), .channelText("flood NNNN 0123456789abcdef0123"), first: .seconds(10),
                    every: interval)
            case .direct:
                Rule(.node("alice"), .directText(to: "bob", "direct NNNN"), first: .seconds(10), every: interval)
            case .chat: Rule(.anybody, .chat, first: .seconds(10), every: interval, isIrregular: true)
            case .friends: Rule(.everybody, .friend, first: .seconds(10), every: interval, isIrregular: true)
            case .adverts: Rule(.everybody, .advert, first: .seconds(1), every: interval)
            }
        }
    }

    /// Reads a list such as `flood:30s,chat:2m`.
    public init(_ text: String) throws(TrafficNameError) {
        self.init()
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pieces = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard let kind = Kind(rawValue: String(pieces.first ?? "")) else {
                throw TrafficNameError(text: String(part), reason: "is no kind of traffic")
            }
            var interval = kind.usualInterval
            if pieces.count > 1 {
                guard let span = TimeSpan(spelled: pieces[1]), span > .zero, kind != .none else {
                    throw TrafficNameError(text: String(part), reason: "needs an interval such as 30s, 500ms or 2m")
                }
                interval = span
            }
            if let rule = kind.rule(every: interval) { rules.append(rule) }
        }
    }
}

/// The reason for which a text names no traffic.
public struct TrafficNameError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text as it was given.
    public let text: String
    /// The fault of the text, in words.
    public let reason: String

    public var description: String {
        let kinds = Traffic.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        return "traffic \"\(text)\" \(reason); known are \(kinds), each with an interval behind a colon if wanted"
    }
}

extension TimeSpan {
    /// Reads `90`, `90s`, `1500ms`, `10m`, `2h` or `3d`; a number alone counts seconds. At most ten years.
    public init?(spelled text: some StringProtocol) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit: Int64
        switch text.dropFirst(digits.count) {
        case "ms": unit = 1000
        case "", "s": unit = 1_000_000
        case "m": unit = 60_000_000
        case "h": unit = 3_600_000_000
        case "d": unit = 86_400_000_000
        default: return nil
        }
        guard let count = Int64(digits), count <= 10 * 365 * 86_400_000_000 / unit else { return nil }
        self.init(microseconds: count * unit)
    }
}
