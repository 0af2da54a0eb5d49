import MeshWire

/// The word of the receiver of a picture: the chunks that it lacks, or that it lacks none.
///
/// It has the form of a chunk, with a total of 0. Apps of the founding protocol accept no chunk of a picture without
/// chunks, so they ignore it. The picture's number is that of the sender of the picture; the prefix is the receiver's.
struct ImageReport: Hashable, Sendable {
    /// The first bytes of the receiver's key.
    var receiver: FixedBytes<6>
    /// The number that the chunks share.
    var imageID: UInt32
    /// The chunks that the receiver has.
    var received: ChunkSet

    init(receiver: FixedBytes<6>, imageID: UInt32, received: ChunkSet) {
        self.receiver = receiver
        self.imageID = imageID
        self.received = received
    }

    /// Reads a report; `nil` for a chunk, and for what makes no sense. `chunks` is the greatest total.
    ///
    /// The index is that of the first chunk that lacks, the data are the total, and a bit for each chunk from there on.
    init?(_ chunk: ImageChunk, chunks: Int) {
        guard chunk.total == 0, chunk.data.count >= Self.headSize else { return nil }
        let total = Int(chunk.data[0]) | Int(chunk.data[1]) << 8
        let first = Int(chunk.index)
        guard (1...max(1, min(chunks, Self.chunkLimit))).contains(total), first <= total else { return nil }
        let missing = chunk.data.dropFirst(Self.headSize)
        // The first of the bits is that of a chunk that lacks; no bits stand for nothing that lacks.
        guard missing.isEmpty == (first == total), missing.count <= (total - first + 7) / 8 else { return nil }
        guard missing.first.map({ $0 & 1 == 1 }) ?? true else { return nil }
        var received = ChunkSet(total: total)
        for index in 0..<total {
            let (byte, bit) = ((index - first) / 8, (index - first) % 8)
            let lacks = index >= first && byte < missing.count && missing[missing.startIndex + byte] >> bit & 1 == 1
            if !lacks { received.insert(index) }
        }
        self.init(receiver: chunk.sender, imageID: chunk.imageID, received: received)
    }

    private static let headSize = 2
    /// The most chunks of a picture about which a report can speak in one packet.
    static let chunkLimit = 8 * (ImageChunk.standardSize - headSize)

    /// The report in the form of a chunk.
    var chunk: ImageChunk {
        let total = received.total
        let first = received.firstMissing() ?? total
        var bits = [UInt8](repeating: 0, count: (total - first + 7) / 8)
        for index in received.missing { bits[(index - first) / 8] |= 1 << ((index - first) % 8) }
        while bits.last == 0 { bits.removeLast() }
        return ImageChunk(
            sender: receiver, imageID: imageID, index: UInt16(first), total: 0,
            data: [UInt8(truncatingIfNeeded: total), UInt8(truncatingIfNeeded: total >> 8)] + bits)
    }
}
