import FoundationEssentials

/// The set of chunks of a picture that have arrived: one bit each, in the order of the bytes.
struct ChunkSet: Hashable, Sendable {
    private(set) var bits: Data
    private(set) var count = 0
    let total: Int

    init(total: Int) {
        self.total = total
        bits = Data(repeating: 0, count: (total + 7) / 8)
    }

    /// Makes the stored set; bits after the last chunk do not count.
    init(total: Int, stored: Data) {
        self.init(total: total)
        for index in 0..<min(total, stored.count * 8)
        where stored[stored.startIndex + index / 8] >> (index % 8) & 1 != 0 {
            insert(index)
        }
    }

    var isComplete: Bool { count == total }

    var missing: [Int] { (0..<total).filter { !contains($0) } }

    /// The first chunk from this one on that is not there.
    func firstMissing(from start: Int = 0) -> Int? { (start..<total).first { !contains($0) } }

    func contains(_ index: Int) -> Bool { bits[index / 8] >> (index % 8) & 1 != 0 }

    /// Inserts a chunk, and returns whether it was missing.
    @discardableResult
    mutating func insert(_ index: Int) -> Bool {
        guard !contains(index) else { return false }
        bits[index / 8] |= 1 << (index % 8)
        count += 1
        return true
    }

    /// Inserts the chunks of another set of the same picture, and returns the number of those that were missing.
    mutating func formUnion(_ other: ChunkSet) -> Int {
        let before = count
        for index in 0..<min(total, other.total) where other.contains(index) { insert(index) }
        return count - before
    }
}
