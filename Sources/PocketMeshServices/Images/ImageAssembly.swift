import MeshWire

/// Puts pictures together out of chunks in any order, within bounds. Knows neither a clock nor a store.
///
/// It decides on the number of transfers, their content and their end. Whether a sender is known is decided before.
struct ImageAssembly: Sendable {
    /// The sender and number that chunks of one picture share.
    struct Key: Hashable, Sendable {
        var sender: FixedBytes<6>
        var imageID: UInt32
    }

    struct Bounds: Hashable, Sendable {
        var transfers = 8
        var bytes = 4 << 20
        var chunks = 512
        /// The time without a chunk after which a transfer ends; a slow way gives it more.
        var expiry: Duration = .seconds(300)
        /// The time for which a complete picture is remembered, so that its chunks begin no other.
        var memory: Duration = .seconds(300)
    }

    struct Transfer: Sendable {
        let key: Key
        var received: ChunkSet
        var chunks: [Int: [UInt8]] = [:]
        var bytes = 0
        var expiresAt: Duration

        /// The bytes of memory of a transfer: the data and the set.
        var size: Int { bytes + received.bits.count }
    }

    enum DropReason: Hashable, Sendable {
        case tooManyChunks, otherTotal, badIndex, badLength, noRoom
        /// The picture is there already.
        case finished
    }

    enum Outcome: Equatable, Sendable {
        /// A chunk of a picture of which nothing was there.
        case began
        case added
        /// The chunk was there already.
        case repeated
        case dropped(DropReason)
        case complete([UInt8])
    }

    let bounds: Bounds
    /// The one of which something came last stands last.
    private(set) var transfers: [Transfer] = []
    /// Pictures that are complete, until none of their chunks can be repeated any more.
    private var finished: [(key: Key, at: Duration)] = []

    private static let finishedLimit = 64

    init(_ bounds: Bounds = Bounds()) {
        self.bounds = bounds
    }

    /// Bytes that are held in all.
    var size: Int { transfers.reduce(0) { $0 + $1.size } }

    /// The moment at which the next transfer expires without a further chunk.
    var nextExpiry: Duration? { transfers.map(\.expiresAt).min() }

    func transfer(_ key: Key) -> Transfer? { transfers.first { $0.key == key } }

    /// Returns whether a picture is complete, and its chunks begin no other.
    func isFinished(_ key: Key, at now: Duration) -> Bool {
        finished.contains { $0.key == key && $0.at + bounds.memory > now }
    }

    /// Returns the reason why a chunk cannot be accepted from any sender; nothing is kept of it then.
    func obstacle(_ chunk: ImageChunk) -> DropReason? {
        guard (1...ImageChunk.sizeLimit).contains(chunk.data.count) else { return .badLength }
        guard chunk.total > 0, Int(chunk.total) <= bounds.chunks else { return .tooManyChunks }
        guard chunk.index < chunk.total else { return .badIndex }
        if finished.contains(where: { $0.key == chunk.key }) { return .finished }
        if let known = transfer(chunk.key), known.received.total != Int(chunk.total) { return .otherTotal }
        return nil
    }

    /// Adds a chunk of a known sender; `evicted` are transfers that had to go for it.
    ///
    /// Without a further chunk the transfer ends after `patience`, or after the expiry of the bounds if that is more.
    mutating func take(
        _ chunk: ImageChunk, at now: Duration, patience: Duration = .zero
    ) -> (outcome: Outcome, evicted: [Transfer]) {
        finished.removeAll { $0.at + bounds.memory <= now }
        if let obstacle = obstacle(chunk) { return (.dropped(obstacle), []) }
        let place = transfers.firstIndex { $0.key == chunk.key }
        var transfer =
            place.map { transfers.remove(at: $0) }
            ?? Transfer(key: chunk.key, received: ChunkSet(total: Int(chunk.total)), expiresAt: now)
        transfer.expiresAt = now + max(bounds.expiry, patience)
        guard transfer.received.insert(Int(chunk.index)) else {
            transfers.append(transfer)
            return (.repeated, [])
        }
        transfer.chunks[Int(chunk.index)] = chunk.data
        transfer.bytes += chunk.data.count
        let evicted = makeRoom(for: transfer)
        if transfer.size > bounds.bytes { return (.dropped(.noRoom), evicted + [transfer]) }
        guard transfer.received.isComplete else {
            transfers.append(transfer)
            return (place == nil ? .began : .added, evicted)
        }
        finish(chunk.key, at: now)
        return (.complete((0..<transfer.received.total).flatMap { transfer.chunks[$0] ?? [] }), evicted)
    }

    /// Ends the transfers of which nothing came for too long.
    mutating func expire(at now: Duration) -> [Transfer] {
        let old = transfers.filter { $0.expiresAt <= now }
        transfers.removeAll { $0.expiresAt <= now }
        return old
    }

    mutating func removeAll() {
        transfers = []
        finished = []
    }

    /// Gives up the transfers that have been idle longest, until there is room for this one beside the others.
    private mutating func makeRoom(for transfer: Transfer) -> [Transfer] {
        var evicted: [Transfer] = []
        while !transfers.isEmpty, transfers.count >= bounds.transfers || size + transfer.size > bounds.bytes {
            evicted.append(transfers.removeFirst())
        }
        return evicted
    }

    /// Notes that a picture is complete: none of its chunks begins another.
    mutating func finish(_ key: Key, at now: Duration) {
        if finished.count == Self.finishedLimit { finished.removeFirst() }
        finished.append((key, now))
    }
}

extension ImageChunk {
    var key: ImageAssembly.Key { .init(sender: sender, imageID: imageID) }
}
