import MeshTime

/// Who says what when, and when the link to alice's radio is cut: drawn from the seed before anything happens.
struct HourPlan: Sendable {
    enum Target: Hashable, Sendable {
        /// A contact by its number; for a peer that is alice.
        case contact(Int)
        case channel(Int)
        case room(Int)
    }

    struct Saying: Hashable, Sendable {
        /// Since the talking began.
        var at: Duration
        /// Who says it: a peer by its number, `nil` for alice.
        var speaker: Int?
        var target: Target
        /// No two are equal.
        var text: String
    }

    struct Cut: Hashable, Sendable {
        var at: Duration
        var length: Duration
    }

    /// In the order of time.
    var alice: [Saying] = []
    /// By peer, in the order of time.
    var peers: [[Saying]]
    var cuts: [Cut] = []

    init(_ hour: StackHour, seed: Seed) {
        var stream = seed.stream("plan")
        peers = Array(repeating: [], count: hour.contacts)
        func draw(_ number: Int, _ target: Target, speaker: Int?) -> Saying {
            Saying(
                at: Self.moment(before: hour.talk, &stream), speaker: speaker, target: target,
                text: Self.text(number, from: speaker, &stream))
        }
        for number in 0..<hour.directEachWay {
            let contact = number % hour.contacts
            alice.append(draw(number, .contact(contact), speaker: nil))
            peers[contact].append(draw(number, .contact(contact), speaker: contact))
        }
        for number in 0..<hour.channelTextsEachWay {
            let target = Target.channel(number % hour.channels)
            alice.append(draw(number, target, speaker: nil))
            let speaker = number % hour.contacts
            peers[speaker].append(draw(number, target, speaker: speaker))
        }
        for number in 0..<hour.postsEachWay {
            let room = number % hour.rooms
            alice.append(draw(number, .room(room), speaker: nil))
            let members = hour.members(of: room)
            let speaker = members[number / hour.rooms % members.count]
            peers[speaker].append(draw(number, .room(room), speaker: speaker))
        }
        alice.sort { $0.at < $1.at }
        for index in peers.indices { peers[index].sort { $0.at < $1.at } }
        drawCuts(hour, &stream)
    }

    private mutating func drawCuts(_ hour: StackHour, _ stream: inout RandomStream) {
        var at = Duration.zero
        while true {
            at += Self.duration(in: hour.untilCut, &stream)
            guard at < hour.talk else { return }
            let cut = Cut(at: at, length: Self.duration(in: hour.cutLength, &stream))
            cuts.append(cut)
            at += cut.length
        }
    }

    private static func duration(in range: ClosedRange<Duration>, _ stream: inout RandomStream) -> Duration {
        range.lowerBound + moment(before: range.upperBound - range.lowerBound, &stream)
    }

    private static func moment(before end: Duration, _ stream: inout RandomStream) -> Duration {
        let limit = UInt64(max(1, end / .microseconds(1)))
        return .microseconds(Int64(stream.next() % limit))
    }

    /// Short or long, as people write, and never twice the same.
    private static func text(_ number: Int, from speaker: Int?, _ stream: inout RandomStream) -> String {
        let words = ["over", "the", "hill", "rain", "at", "noon", "bring", "rope", "see", "you", "there", "battery"]
        let count = 1 + stream.next() % 8
        let chosen = (0..<count).map { _ in words[Int(stream.next() % UInt64(words.count))] }
        let tag = String(stream.nextU32(), radix: 36)
        return "\(speaker.map { "p\($0)" } ?? "a") \(number) \(tag) " + chosen.joined(separator: " ")
    }
}
