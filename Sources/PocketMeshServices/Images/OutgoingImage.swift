import MeshWire

/// A picture on its way out: the next chunk, and the reaction to the radio's answers. Never waits itself.
///
///     write ──OK──> next chunk … ──> done
///       │ ──table full──> pause, the same chunk ──(too often)──> gave up
///       │ ──nothing─────> the same chunk ──(too often)──> gave up
///       └ ──refused─────> failed
struct OutgoingImage: Sendable {
    enum Answer: Equatable, Sendable {
        case ok
        case tableFull
        /// No OK and no refusal came in time; the radio may have accepted the chunk.
        case silence
    }

    enum Step: Equatable, Sendable {
        case write(ImageChunk)
        case pauseAndRepeat
        case done
        case gaveUp(chunk: Int)
    }

    let sender: FixedBytes<6>
    let imageID: UInt32
    let chunkBytes: Int
    private(set) var confirmed: ChunkSet
    private let data: [UInt8]
    private let tableFullRetries: Int
    private let silenceRetries: Int
    /// All chunks before this one are confirmed.
    private var position = 0
    private var refusals = 0
    private var silences = 0

    /// Begins with `confirmed`, the chunks that the radio accepted before the link went.
    init(
        _ data: [UInt8], sender: FixedBytes<6>, imageID: UInt32, chunkBytes: Int, confirmed: ChunkSet? = nil,
        tableFullRetries: Int = 60, silenceRetries: Int = 3
    ) {
        self.data = data
        self.sender = sender
        self.imageID = imageID
        self.chunkBytes = chunkBytes
        self.confirmed = confirmed ?? ChunkSet(total: Self.count(of: data.count, chunkBytes: chunkBytes))
        self.tableFullRetries = tableFullRetries
        self.silenceRetries = silenceRetries
    }

    static func count(of bytes: Int, chunkBytes: Int) -> Int { (bytes + chunkBytes - 1) / chunkBytes }

    var total: Int { confirmed.total }

    func chunk(_ index: Int) -> ImageChunk {
        let start = index * chunkBytes
        return ImageChunk(
            sender: sender, imageID: imageID, index: UInt16(index), total: UInt16(total),
            data: [UInt8](data[start..<min(start + chunkBytes, data.count)]))
    }

    /// The first step: the first chunk that is not confirmed, or the end.
    var next: Step { confirmed.firstMissing(from: position).map { .write(chunk($0)) } ?? .done }

    /// Returns the next step after the radio's answer to the chunk that was written last.
    mutating func answered(_ answer: Answer) -> Step {
        guard let index = confirmed.firstMissing(from: position) else { return .done }
        switch answer {
        case .ok:
            confirmed.insert(index)
            position = index + 1
            (refusals, silences) = (0, 0)
            return next
        case .tableFull:
            refusals += 1
            return refusals > tableFullRetries ? .gaveUp(chunk: index) : .pauseAndRepeat
        case .silence:
            silences += 1
            return silences > silenceRetries ? .gaveUp(chunk: index) : next
        }
    }
}
