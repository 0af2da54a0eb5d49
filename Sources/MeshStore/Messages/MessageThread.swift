public import FoundationEssentials

/// The messages of a radio that belong together on a page.
public enum MessageThread: Sendable, Hashable {
    /// The messages with a contact, by its row.
    case contact(UUID)
    /// The messages on a channel, by its row.
    case channel(UUID)
    /// Direct messages of a sender who is no contact, by the first 6 bytes of the key.
    case unknownSender(Data)
    /// Messages that came for a slot of which nothing was known.
    case unknownChannel(UInt8)

    /// The thread of a message, as far as the message says.
    init?(_ message: MessageDTO) {
        if let id = message.channelID {
            self = .channel(id)
        } else if let index = message.channelIndex {
            self = .unknownChannel(index)
        } else if let id = message.contactID {
            self = .contact(id)
        } else if let prefix = message.senderKeyPrefix {
            self = .unknownSender(prefix)
        } else {
            return nil
        }
    }

    /// The condition on `message`, with the radio as parameter 1 and the value below as 2.
    var condition: String {
        switch self {
        case .contact: "deviceID = ?1 AND contactID = ?2"
        case .channel: "deviceID = ?1 AND channelID = ?2 AND channelID IS NOT NULL"
        case .unknownSender:
            "deviceID = ?1 AND senderKeyPrefix = ?2 AND senderKeyPrefix IS NOT NULL AND contactID IS NULL"
        case .unknownChannel:
            "deviceID = ?1 AND channelIndex = ?2 AND channelIndex IS NOT NULL AND channelID IS NULL"
        }
    }

    var value: Value {
        switch self {
        case .contact(let id), .channel(let id): .id(id)
        case .unknownSender(let prefix): .prefix(prefix)
        case .unknownChannel(let index): .index(index)
        }
    }

    /// Parameter 2 of the condition.
    enum Value: ColumnValue {
        case id(UUID)
        case prefix(Data)
        case index(UInt8)

        func bind(to statement: SQLiteStatement, at index: CInt) -> CInt {
            switch self {
            case .id(let id): id.bind(to: statement, at: index)
            case .prefix(let prefix): prefix.bind(to: statement, at: index)
            case .index(let slot): slot.bind(to: statement, at: index)
            }
        }

        /// A parameter only; no column is read as one.
        init?(column index: CInt, of statement: SQLiteStatement) { nil }
    }
}
