/// The packets that a node has met, by hash: a ring of 160 that knows nothing of time.
///
/// Asking and entering are separate, entering never looks for an equal entry, and the oldest is overwritten. All
/// entries are zero at first. Source: firmware, `SimpleMeshTables`; over-the-air document §11.
struct SeenTable: Sendable {
    /// `MAX_PACKET_HASHES`.
    static let capacity = 160

    private var hashes: InlineArray<160, UInt64> = .init(repeating: 0)
    private var next = 0
    /// Entries that were ever written; the rest are zero, and asked for zero only.
    private var used = 0
    /// Duplicates that came by a direct route, and by flood.
    private(set) var directDuplicates: UInt32 = 0
    private(set) var floodDuplicates: UInt32 = 0

    /// Whether the table holds this hash; a hit counts as a duplicate of the route by which this copy came.
    mutating func wasSeen(_ hash: UInt64, isDirect: Bool) -> Bool {
        guard position(of: hash) != nil else { return false }
        if isDirect { directDuplicates &+= 1 } else { floodDuplicates &+= 1 }
        return true
    }

    /// Enters a hash over the oldest one.
    mutating func markSeen(_ hash: UInt64) {
        hashes[next] = hash
        used = max(used, next + 1)
        next = next + 1 == Self.capacity ? 0 : next + 1
    }

    /// Forgets the first entry of this hash.
    mutating func clear(_ hash: UInt64) {
        if let index = position(of: hash) { hashes[index] = 0 }
    }

    mutating func resetStatistics() {
        directDuplicates = 0
        floodDuplicates = 0
    }

    private func position(of hash: UInt64) -> Int? {
        let span = hashes.span
        for index in 0..<used where span[index] == hash { return index }
        return hash == 0 && used < Self.capacity ? used : nil
    }
}
