import FoundationEssentials

/// The delivery of an outgoing picture, after the radio has accepted all of it. Never waits itself.
///
/// The receiver says what it lacks, and that is sent again. When it says nothing, the last chunk is sent once more: a
/// receiver that has it answers at once. One of the founding protocol never answers, and is soon left alone.
///
///     accepted ──report──> the chunks that lack ──> … ──> arrived
///        │ ──silence──> the last chunk again ──(too often)──> not confirmed, until a report comes after all
struct ImageDelivery: Sendable {
    enum Step: Equatable, Sendable {
        /// Sends these chunks, in this order.
        case send([Int])
        case arrived
        case notConfirmed
        /// The report is about another picture.
        case ignore
    }

    /// The chunks that the other end has reported.
    private(set) var arrived: ChunkSet
    /// True when the other end has said anything.
    private(set) var isAnswered: Bool
    /// True when no report is expected any more.
    private(set) var isGivenUp = false
    private let hops: Int
    private var silences = 0
    private var sentSinceReport = 0
    private var sentAgain = 0

    /// Begins with `stored`, the chunks that the other end had before a break.
    init(total: Int, stored: [UInt8] = [], hops: Int) {
        arrived = ChunkSet(total: total, stored: .init(stored))
        isAnswered = !stored.isEmpty
        self.hops = hops
    }

    /// The chunks that the other end has, for the store; empty before it has said anything.
    var known: Data { isAnswered ? arrived.bits : Data() }

    /// The greatest number of silences in a row after which the last chunk is sent again.
    private var silenceLimit: Int { isAnswered ? 30 : 3 + 2 * hops }
    /// The greatest number of chunks that are sent again: reports are not authenticated.
    private var limit: Int { 16 * arrived.total + 64 }
    /// Fewer missing chunks than this are sent more than once where many are lost.
    private static let few = 8

    /// Notes that the radio has accepted a chunk.
    mutating func sent(isAgain: Bool) {
        sentSinceReport += 1
        if isAgain { sentAgain += 1 }
    }

    /// Returns the next step after a report of the other end.
    mutating func heard(_ received: ChunkSet) -> Step {
        guard received.total == arrived.total else { return .ignore }
        let news = arrived.formUnion(received)
        let share = sentSinceReport > 0 ? 100 * news / sentSinceReport : 100
        (isAnswered, isGivenUp, sentSinceReport) = (true, false, 0)
        if news > 0 { silences = 0 }
        if arrived.isComplete { return .arrived }
        guard sentAgain < limit else { return giveUp() }
        return .send(round(share: share))
    }

    /// Returns the next step when nothing came in time.
    mutating func silence() -> Step {
        silences += 1
        guard silences <= silenceLimit, sentAgain < limit else { return giveUp() }
        return .send([arrived.missing.last ?? arrived.total - 1])
    }

    private mutating func giveUp() -> Step {
        isGivenUp = true
        return .notConfirmed
    }

    /// The missing chunks, the last one once: the other end answers it at once.
    private func round(share: Int) -> [Int] {
        let missing = arrived.missing
        let copies = missing.count > Self.few || share >= 60 ? 1 : share >= 30 ? 2 : 3
        return missing.dropLast().flatMap { Array(repeating: $0, count: copies) } + missing.suffix(1)
    }
}
