import MeshWire

/// A message between apps beside the chunks of a picture, in the form of a chunk with a total of 0.
///
/// Apps of the founding protocol accept no chunk of a picture without chunks, so they ignore it. The data begin with
/// the kind, a number, and the total of the picture. The number is another one each time: nodes pass on no packet that
/// they have seen, and the firmware knows them by their payload.
enum ImageWord: Hashable, Sendable {
    /// The receiver says what it has.
    case report(ImageReport)
    /// The sender sends a chunk that it has sent before.
    case again(ImageChunk)

    /// Bytes of the data before the content.
    static let headSize = 4
    private static let (reportKind, againKind): (UInt8, UInt8) = (1, 2)

    /// Reads a message; `nil` for a chunk of the founding protocol, and for bytes that make no sense.
    ///
    /// `chunks` is the greatest total.
    init?(_ chunk: ImageChunk, chunks: Int) {
        guard chunk.total == 0, chunk.data.count >= Self.headSize else { return nil }
        let total = UInt16(chunk.data[2]) | UInt16(chunk.data[3]) << 8
        let content = Array(chunk.data.dropFirst(Self.headSize))
        switch chunk.data[0] {
        case Self.reportKind:
            guard let report = ImageReport(chunk, total: Int(total), missing: content, chunks: chunks) else {
                return nil
            }
            self = .report(report)
        case Self.againKind:
            guard !content.isEmpty, chunk.index < total else { return nil }
            self = .again(
                ImageChunk(
                    sender: chunk.sender, imageID: chunk.imageID, index: chunk.index, total: total, data: content))
        default: return nil
        }
    }

    /// The message in the form of a chunk.
    func chunk(number: UInt8) -> ImageChunk {
        switch self {
        case .report(let report):
            ImageChunk(
                sender: report.receiver, imageID: report.imageID, index: UInt16(report.firstMissing), total: 0,
                data: Self.head(Self.reportKind, number, report.received.total) + report.missingBits)
        case .again(let chunk):
            ImageChunk(
                sender: chunk.sender, imageID: chunk.imageID, index: chunk.index, total: 0,
                data: Self.head(Self.againKind, number, Int(chunk.total)) + chunk.data)
        }
    }

    private static func head(_ kind: UInt8, _ number: UInt8, _ total: Int) -> [UInt8] {
        [kind, number, UInt8(truncatingIfNeeded: total), UInt8(truncatingIfNeeded: total >> 8)]
    }
}

/// The report of the receiver of a picture: the chunks that it lacks, or none.
///
/// The picture's number is that of the sender of the picture; the prefix is the receiver's.
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

    /// Reads a report: the index of the first missing chunk, and a bit for each chunk from there on.
    fileprivate init?(_ chunk: ImageChunk, total: Int, missing: [UInt8], chunks: Int) {
        let first = Int(chunk.index)
        guard (1...max(1, min(chunks, Self.chunkLimit))).contains(total), first <= total else { return nil }
        // The first of the bits is that of a chunk that lacks; no bits stand for nothing that lacks.
        guard missing.isEmpty == (first == total), missing.count <= (total - first + 7) / 8 else { return nil }
        guard missing.first.map({ $0 & 1 == 1 }) ?? true else { return nil }
        var received = ChunkSet(total: total)
        for index in 0..<total {
            let (byte, bit) = ((index - first) / 8, (index - first) % 8)
            let lacks = index >= first && byte < missing.count && missing[byte] >> bit & 1 == 1
            if !lacks { received.insert(index) }
        }
        self.init(receiver: chunk.sender, imageID: chunk.imageID, received: received)
    }

    /// The most chunks of a picture about which a report can speak in one packet.
    static let chunkLimit = 8 * (ImageChunk.standardSize - ImageWord.headSize)

    fileprivate var firstMissing: Int { received.firstMissing() ?? received.total }

    /// A bit for each chunk from the first missing one to the last.
    fileprivate var missingBits: [UInt8] {
        let first = firstMissing
        var bits = [UInt8](repeating: 0, count: (received.total - first + 7) / 8)
        for index in received.missing { bits[(index - first) / 8] |= 1 << ((index - first) % 8) }
        while bits.last == 0 { bits.removeLast() }
        return bits
    }
}
