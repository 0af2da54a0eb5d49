package import MeshCompanion

/// The packets that a node has met, by hash: a ring of 160 or fewer that knows nothing of time.
///
/// Asking and entering are separate, entering never looks for an equal entry, and the oldest is overwritten. All
/// entries are zero at first. Source: firmware, `SimpleMeshTables`; OverTheAir, "Duplicate table" (OTA-021).
package struct SeenTable: Sendable {
    /// `MAX_PACKET_HASHES`, 160 at most.
    let capacity: Int
    /// Another number after each change of the entries.
    private(set) var revision: UInt32 = 1
    /// The newest eight entries, each at its index modulo eight: repeated packets mostly follow each other closely.
    private(set) var newest = NewestHashes()
    /// Sixteen bits of each hash, in the order of the table: few cache lines distinguish most unknown hashes from
    /// known ones.
    private var marks: InlineArray<10, SIMD16<UInt16>> = .init(repeating: .zero)
    private var next = 0
    /// The hash that was looked for last in vain, and the revision that it was not in: a packet that a node does not
    /// know is looked up twice.
    private var absent: UInt64 = 0
    private var absentIn: UInt32 = 0
    /// Duplicates that came by a direct route, and by flood.
    private(set) var directDuplicates: UInt32 = 0
    private(set) var floodDuplicates: UInt32 = 0
    /// Entries that were ever written; apart from the rest, so that a node is small.
    private var hashes: [UInt64] = []
    /// The acknowledgements, where they are kept apart (FWV-068).
    private(set) var acks: SeenAcks?

    package init(_ switches: FirmwareSwitches = FirmwareSwitches()) {
        capacity = min(switches.seenPackets, 160)
        acks = switches.seenAcks > 0 ? SeenAcks(capacity: switches.seenAcks) : nil
    }

    /// Returns whether an acknowledgement was seen, by its first four bytes, and enters it when it was not.
    ///
    /// Only versions that keep acknowledgements apart use this.
    mutating func meetAck(_ ack: UInt32, isDirect: Bool) -> Bool {
        guard acks?.contains(ack) == true else {
            acks?.enter(ack)
            return false
        }
        if isDirect { directDuplicates &+= 1 } else { floodDuplicates &+= 1 }
        return true
    }

    /// Returns whether the table holds this hash; a hit counts as a duplicate of the route by which this copy came.
    mutating func wasSeen(_ hash: UInt64, isDirect: Bool) -> Bool {
        guard contains(hash) else { return false }
        if isDirect { directDuplicates &+= 1 } else { floodDuplicates &+= 1 }
        return true
    }

    /// Counts so many hits by flood that a stand-in has found.
    mutating func countKnownFloods(_ count: UInt32) { floodDuplicates &+= count }

    /// Enters a hash over the oldest one.
    mutating func markSeen(_ hash: UInt64) {
        set(next, to: hash)
        newest.hashes[next % 8] = hash
        next = next + 1 == capacity ? 0 : next + 1
    }

    /// Forgets the first entry of this hash.
    mutating func clear(_ hash: UInt64) {
        for index in hashes.indices where hashes[index] == hash {
            if newest.hashes[index % 8] == hash { newest.hashes[index % 8] = 0 }
            return set(index, to: 0)
        }
    }

    mutating func resetStatistics() {
        directDuplicates = 0
        floodDuplicates = 0
    }

    private mutating func set(_ index: Int, to hash: UInt64) {
        if index == hashes.count { hashes.append(hash) } else { hashes[index] = hash }
        marks[index / 16][index % 16] = UInt16(truncatingIfNeeded: hash)
        revision &+= 1
    }

    private mutating func contains(_ hash: UInt64) -> Bool {
        if hash == absent && revision == absentIn { return false }
        if newest.contains(hash) { return true }
        let marks = marks.span
        let mark = SIMD16<UInt16>(repeating: UInt16(truncatingIfNeeded: hash))
        for row in marks.indices {
            let found = marks[row] .== mark
            guard any(found) else { continue }
            for column in 0..<16 where found[column] && entry(row * 16 + column) == hash { return true }
        }
        absent = hash
        absentIn = revision
        return false
    }

    private func entry(_ index: Int) -> UInt64 { index < hashes.count ? hashes[index] : 0 }
}

/// Acknowledgements that a node has met: a ring, all zero at first, so that zero counts as met.
///
/// Source: firmware until 1.15, `SimpleMeshTables`.
struct SeenAcks: Sendable {
    private var values: [UInt32]
    private var next = 0

    init(capacity: Int) { values = Array(repeating: 0, count: capacity) }

    func contains(_ ack: UInt32) -> Bool { values.contains(ack) }

    mutating func enter(_ ack: UInt32) {
        values[next] = ack
        next = (next + 1) % values.count
    }
}

/// Eight hashes of which any may be the one that is asked for.
struct NewestHashes: Sendable {
    var hashes: InlineArray<8, UInt64> = .init(repeating: 0)

    /// Compares all of them, which is faster than guessing where to stop.
    ///
    /// It is not a SIMD vector. A comparison of 64-bit numbers becomes a loop over memory where the processor lacks
    /// the instruction. The oldest processor that Swift compiles for lacks it.
    @inline(__always)
    func contains(_ hash: UInt64) -> Bool {
        var difference = UInt64.max
        for index in 0..<8 { difference = min(difference, hashes[index] ^ hash) }
        return difference == 0
    }
}
