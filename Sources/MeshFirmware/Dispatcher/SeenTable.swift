/// The packets that a node has met, by hash: a ring of 160 that knows nothing of time.
///
/// Asking and entering are separate, entering never looks for an equal entry, and the oldest is overwritten. All
/// entries are zero at first. Source: firmware, `SimpleMeshTables`; over-the-air document §11.
struct SeenTable: Sendable {
    /// `MAX_PACKET_HASHES`.
    static let capacity = 160

    /// Sixteen bits of each hash, in the order of the table: few cache lines tell most strangers from acquaintances.
    private var marks: InlineArray<10, SIMD16<UInt16>> = .init(repeating: .zero)
    private var next = 0
    /// Duplicates that came by a direct route, and by flood.
    private(set) var directDuplicates: UInt32 = 0
    private(set) var floodDuplicates: UInt32 = 0
    private var hashes: InlineArray<160, UInt64> = .init(repeating: 0)

    /// Whether the table holds this hash; a hit counts as a duplicate of the route by which this copy came.
    mutating func wasSeen(_ hash: UInt64, isDirect: Bool) -> Bool {
        guard contains(hash) else { return false }
        if isDirect { directDuplicates &+= 1 } else { floodDuplicates &+= 1 }
        return true
    }

    /// Enters a hash over the oldest one.
    mutating func markSeen(_ hash: UInt64) {
        set(next, to: hash)
        next = next + 1 == Self.capacity ? 0 : next + 1
    }

    /// Forgets the first entry of this hash.
    mutating func clear(_ hash: UInt64) {
        for index in 0..<Self.capacity where hashes[index] == hash { return set(index, to: 0) }
    }

    mutating func resetStatistics() {
        directDuplicates = 0
        floodDuplicates = 0
    }

    private mutating func set(_ index: Int, to hash: UInt64) {
        hashes[index] = hash
        marks[index / 16][index % 16] = UInt16(truncatingIfNeeded: hash)
    }

    /// Looks at the newest entries first: what is heard again was mostly heard just now.
    private mutating func contains(_ hash: UInt64) -> Bool {
        let marks = marks.span
        let mark = SIMD16<UInt16>(repeating: UInt16(truncatingIfNeeded: hash))
        var row = next / 16
        for _ in 0..<10 {
            let found = marks[row] .== mark
            if any(found) {
                for column in 0..<16 where found[column] && hashes[row * 16 + column] == hash { return true }
            }
            row = row == 0 ? 9 : row - 1
        }
        return false
    }
}
