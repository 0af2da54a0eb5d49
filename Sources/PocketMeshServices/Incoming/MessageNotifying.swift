public import FoundationEssentials

/// The requests that a receiver of messages makes to the notifications.
@MainActor
public protocol MessageNotifying: AnyObject, Sendable {
    /// Notifies of a text from a contact.
    func postDirectMessageNotification(
        from contactName: String, contactID: UUID, messageText: String, messageID: UUID
    ) async
    /// Notifies of a text on a channel; `senderName` is `nil` where the text names no sender.
    func postChannelMessageNotification(
        channelName: String, channelIndex: UInt8, deviceID: UUID, senderName: String?, messageText: String,
        messageID: UUID
    ) async
    /// Notifies of a post in a room.
    func postRoomMessageNotification(
        roomName: String, sessionID: UUID, authorName: String, messageText: String, messageID: UUID
    ) async
    /// Notifies of a contact that is new.
    func postNewContactNotification(contactName: String, contactID: UUID) async
    /// Notifies of many messages at once, with one update of the badge after them.
    func post(_ notes: [MessageNote]) async
    /// Counts the unread messages anew.
    func updateBadgeCount()
    /// Begins a burst: messages are counted instead of shown.
    func beginBurst()
    /// Shows one summary of the counted messages.
    func endBurst() async
}

/// A message of which a notification may be shown.
public enum MessageNote: Sendable, Hashable {
    /// A text from a contact.
    case direct(contactName: String, contactID: UUID, text: String, messageID: UUID)
    /// A text on a channel.
    case channel(name: String, index: UInt8, deviceID: UUID, senderName: String?, text: String, messageID: UUID)
}

extension MessageNotifying {
    /// Notifies of one message.
    public func post(_ note: MessageNote) async {
        switch note {
        case .direct(let name, let contactID, let text, let messageID):
            await postDirectMessageNotification(
                from: name, contactID: contactID, messageText: text, messageID: messageID)
        case .channel(let name, let index, let deviceID, let sender, let text, let messageID):
            await postChannelMessageNotification(
                channelName: name, channelIndex: index, deviceID: deviceID, senderName: sender, messageText: text,
                messageID: messageID)
        }
    }

    /// Notifies of several messages, and counts the unread ones once.
    public func post(_ notes: [MessageNote]) async {
        for note in notes { await post(note) }
        if !notes.isEmpty { updateBadgeCount() }
    }
}

extension NotificationService: MessageNotifying {}
