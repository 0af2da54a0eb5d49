public import FoundationEssentials

/// An attempt of an own message that the radio accepted.
public struct MessageAttemptDTO: Sendable, Hashable {
    /// The message.
    public var messageID: UUID
    /// The number of the attempt, counted from 1.
    public var number: Int
    /// The time of the host's clock.
    @WholeSeconds public var sentAt: Date
    /// True when it went to all repeaters in reach.
    public var isFlood: Bool
    /// The path length byte of the path that it was given; FF without one.
    public var pathLength: UInt8
    /// The hashes of the path.
    public var path: Data

    public init(
        messageID: UUID, number: Int, sentAt: Date, isFlood: Bool, pathLength: UInt8 = 0xFF, path: Data = Data()
    ) {
        self.messageID = messageID
        self.number = number
        self.sentAt = sentAt
        self.isFlood = isFlood
        self.pathLength = pathLength
        self.path = path
    }
}

extension MessageAttemptDTO: StoredRow {
    static let table = "messageAttempt"
    static let columns = walkedColumns()

    init() {
        self.init(messageID: .none, number: 0, sentAt: Date(timeIntervalSince1970: 0), isFlood: false)
    }

    mutating func walk<W: ColumnWalker>(_ w: inout W) {
        w.column("messageID", &messageID)
        w.column("number", &number)
        w.column("sentAt", &sentAt)
        w.column("isFlood", &isFlood)
        w.column("pathLength", &pathLength)
        w.column("path", &path)
    }
}
