public import FoundationEssentials

/// The subject of a notification, which decides on the actions that it offers.
///
/// Apps written for PocketMesh expect the first three raw values and `LOW_BATTERY`.
public enum NotificationCategory: String, Sendable, Hashable, CaseIterable {
    case directMessage = "DIRECT_MESSAGE"
    case channelMessage = "CHANNEL_MESSAGE"
    case roomMessage = "ROOM_MESSAGE"
    case newContact = "NEW_CONTACT"
    case lowBattery = "LOW_BATTERY"
    case quickReplyFailed = "QUICK_REPLY_FAILED"
    /// The summary of messages that came while the radio's queue was drained.
    case summary = "SUMMARY"

    /// The actions that it offers where it is shown, in this order.
    public var actions: [NotificationAction] {
        switch self {
        case .directMessage: [.open, .reply, .markRead, .dismiss]
        case .channelMessage: [.open, .markRead, .dismiss]
        case .roomMessage, .newContact, .lowBattery, .quickReplyFailed, .summary: [.open, .dismiss]
        }
    }
}

/// An action that a user can choose on a notification.
public enum NotificationAction: String, Sendable, Hashable, CaseIterable {
    /// The notification itself was chosen: a click or a tap.
    case open = "OPEN_ACTION"
    case reply = "REPLY_ACTION"
    case markRead = "MARK_READ_ACTION"
    case dismiss = "DISMISS_ACTION"
}

/// The object of a notification, for the handler of a touch.
public enum NotificationSubject: Sendable, Hashable {
    /// A conversation with a contact.
    case contact(UUID)
    /// A channel in a slot of a radio.
    case channel(deviceID: UUID, index: UInt8)
    /// The session with a room.
    case room(sessionID: UUID)
    /// A contact that is new.
    case discovery(contactID: UUID)
    case device
}

/// A notification for a sink to show.
public struct NotificationRequest: Sendable, Hashable, Identifiable {
    /// A later request with the same id replaces an earlier one.
    public var id: String
    /// The category of the notification.
    public var category: NotificationCategory
    /// The line above the text.
    public var title: String
    public var body: String
    /// The object that a touch opens.
    public var subject: NotificationSubject
    /// Notifications of one conversation are shown together.
    public var group: String
    /// True when it makes a sound.
    public var hasSound: Bool
    /// The message of the notification, if it has one.
    public var messageID: UUID?
    /// The number in its text: messages of a summary, or millivolts of a low battery.
    public var amount: Int?
    /// The actions that it offers, in this order; those of its category.
    public var actions: [NotificationAction]

    public init(
        id: String, category: NotificationCategory, title: String, body: String, subject: NotificationSubject,
        group: String, hasSound: Bool = true, messageID: UUID? = nil, amount: Int? = nil
    ) {
        self.id = id
        self.category = category
        self.title = title
        self.body = body
        self.subject = subject
        self.group = group
        self.hasSound = hasSound
        self.messageID = messageID
        self.amount = amount
        actions = category.actions
    }
}

/// The response of the user to a notification that a sink shows.
public enum NotificationResponse: Sendable, Hashable {
    /// The user chose an action; `text` is the text of a reply.
    case action(NotificationAction, NotificationRequest, text: String = "")
    /// The notification is not shown any more: closed by the user, or expired.
    case closed(NotificationRequest)
}
