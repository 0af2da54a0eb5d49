public import MeshCrypto
public import MeshWire

/// The latest posts of a room, oldest first; a reboot loses them. Source: InfrastructureNodes, "Room server" (INF-169).
public struct PostRing: Hashable, Sendable {
    /// A text of one member to all others.
    public struct Post: Hashable, Sendable {
        /// The key of the author.
        public let author: PublicKey
        /// The room's unique time when it was stored.
        public let timestamp: UInt32
        /// At most 150 bytes; a cut may split a character.
        public let text: ByteText
    }

    /// `MAX_UNSYNCED_POSTS`.
    public static let capacity = 32
    /// One less than `MAX_POST_TEXT_LEN`, whose last byte ends the text.
    static let longestText = 150

    /// The posts that are still known, oldest first.
    public private(set) var posts: [Post] = []

    /// Stores a post over the oldest one when there is no room.
    mutating func store(_ text: ByteText, by author: PublicKey, at timestamp: UInt32) {
        if posts.count == Self.capacity { posts.removeFirst() }
        posts.append(Post(author: author, timestamp: timestamp, text: text.untilNUL.prefix(Self.longestText)))
    }

    /// Number of posts that a member has not yet received, as one byte.
    public func unsyncedCount(after syncSince: UInt32, notBy member: PublicKey) -> UInt8 {
        UInt8(truncatingIfNeeded: posts.count { $0.timestamp > syncSince && $0.author != member })
    }
}
