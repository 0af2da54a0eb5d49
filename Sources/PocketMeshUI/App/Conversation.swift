public import FoundationEssentials
public import PocketMeshServices

/// One entry of the list of chats: a contact, a channel or a room.
public enum Conversation: Sendable, Hashable, Identifiable {
    /// A conversation with one contact.
    case direct(ContactDTO)
    /// A conversation with everybody who has the channel's secret.
    case channel(ChannelDTO)
    /// A conversation with the members of a room server.
    case room(RemoteNodeSessionDTO)

    /// The row's identifier: of the contact, the channel or the session. No two kinds share one.
    public var id: UUID {
        switch self {
        case .direct(let contact): contact.id
        case .channel(let channel): channel.id
        case .room(let session): session.id
        }
    }

    /// The name that the user knows it by.
    public var displayName: String {
        switch self {
        case .direct(let contact): contact.displayName
        case .channel(let channel): channel.displayName
        case .room(let session): session.name
        }
    }

    /// The date of its last message, in either direction; `nil` before the first. For rooms the last visit.
    public var lastMessageDate: Date? {
        switch self {
        case .direct(let contact): contact.lastMessageDate
        case .channel(let channel): channel.lastMessageDate
        case .room(let session): session.lastConnectedDate
        }
    }

    /// Messages that are not read.
    public var unreadCount: Int {
        switch self {
        case .direct(let contact): contact.unreadCount
        case .channel(let channel): channel.unreadCount
        case .room(let session): session.unreadCount
        }
    }

    /// True when the conversation stays on top of the list.
    public var isFavorite: Bool { contact?.isFavorite ?? false }
    /// True for a channel, which everybody with the secret reads.
    public var isChannel: Bool { channel != nil }
    /// True for a room, which a room server keeps.
    public var isRoom: Bool { roomSession != nil }
    /// The slot of a channel.
    public var channelIndex: UInt8? { channel?.index }

    /// The contact of a direct conversation.
    public var contact: ContactDTO? { if case .direct(let contact) = self { contact } else { nil } }
    /// The channel of a channel's conversation.
    public var channel: ChannelDTO? { if case .channel(let channel) = self { channel } else { nil } }
    /// The session of a room's conversation.
    public var roomSession: RemoteNodeSessionDTO? { if case .room(let session) = self { session } else { nil } }

    /// The messages of the store that belong to it; `nil` for a room, whose posts are kept apart.
    var thread: MessageThread? {
        switch self {
        case .direct(let contact): .contact(contact.id)
        case .channel(let channel): .channel(channel.id)
        case .room: nil
        }
    }

    /// The name under which `NotificationService` groups its notifications.
    var notificationGroup: String {
        switch self {
        case .direct(let contact): "contact-\(contact.id)"
        case .channel(let channel): "channel-\(channel.deviceID)-\(channel.index)"
        case .room(let session): "room-\(session.id)"
        }
    }
}

extension [Conversation] {
    /// Sorts newest first, conversations without a message last, by name; favourites on top where that is wanted.
    func sorted(favoritesFirst: Bool) -> [Conversation] {
        sorted { a, b in
            if favoritesFirst, a.isFavorite != b.isFavorite { return a.isFavorite }
            switch (a.lastMessageDate, b.lastMessageDate) {
            case (let first?, let second?) where first != second: return first > second
            case (_?, nil): return true
            case (nil, _?): return false
            default:
                return a.displayName == b.displayName
                    ? a.id.uuidString < b.id.uuidString : a.displayName < b.displayName
            }
        }
    }
}
