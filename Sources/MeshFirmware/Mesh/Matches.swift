import MeshCrypto
import MeshWire

/// Indices of peers that may have sent a packet; in place, and of most roles at most eight (`MAX_SEARCH_RESULTS`).
struct PeerMatches {
    /// Room for all clients of a server.
    static let capacity = 32

    private(set) var count = 0
    private let limit: Int
    private var indices: InlineArray<32, UInt16> = .init(repeating: 0)

    /// An empty list for at most `limit` indices.
    init(limit: Int = 8) {
        self.limit = min(limit, Self.capacity)
    }

    /// Adds an index; `false` when full.
    @discardableResult
    mutating func add(_ index: Int) -> Bool {
        guard count < limit else { return false }
        indices[count] = UInt16(truncatingIfNeeded: index)
        count += 1
        return true
    }

    subscript(position: Int) -> Int { Int(indices[position]) }
}

/// Channels that may have sealed a group packet; in place, at most four.
struct ChannelMatches {
    private(set) var count = 0
    private var indices: InlineArray<4, Int32> = .init(repeating: 0)
    private var secrets: InlineArray<4, SharedSecret> = .init(repeating: SharedSecret())

    /// Adds a channel; `false` when full.
    @discardableResult
    mutating func add(_ index: Int, secret: SharedSecret) -> Bool {
        guard count < 4 else { return false }
        indices[count] = Int32(truncatingIfNeeded: index)
        secrets[count] = secret
        count += 1
        return true
    }

    subscript(position: Int) -> (index: Int, secret: SharedSecret) { (Int(indices[position]), secrets[position]) }
}
