public import Foundation

/// What a notification is about, and thereby which actions it offers.
///
/// Apps written for PocketMesh expect the first three raw values and `LOW_BATTERY`.
public enum NotificationCategory: String, Sendable, Hashable, CaseIterable {
    case directMessage = "DIRECT_MESSAGE"
    case channelMessage = "CHANNEL_MESSAGE"
    case roomMessage = "ROOM_MESSAGE"
    case newContact = "NEW_CONTACT"
    case lowBattery = "LOW_BATTERY"
    case quickReplyFailed = "QUICK_REPLY_FAILED"
    /// Of what came while the radio's queue was drained.
    case summary = "SUMMARY"

    public var actions: [NotificationAction] {
        switch self {
        case .directMessage: [.reply, .markRead, .dismiss]
        case .channelMessage: [.markRead, .dismiss]
        case .roomMessage, .newContact, .lowBattery, .quickReplyFailed, .summary: [.dismiss]
        }
    }
}

public enum NotificationAction: String, Sendable, Hashable {
    case reply = "REPLY_ACTION"
    case markRead = "MARK_READ_ACTION"
    case dismiss = "DISMISS_ACTION"
}

/// What a notification is about, for whoever is told that it was touched.
public enum NotificationSubject: Sendable, Hashable {
    case contact(UUID)
    case channel(deviceID: UUID, index: UInt8)
    case room(sessionID: UUID)
    case discovery(contactID: UUID)
    case device
}

/// A notification for a sink to show.
public struct NotificationRequest: Sendable, Hashable, Identifiable {
    /// A later request with the same id replaces an earlier one.
    public var id: String
    public var category: NotificationCategory
    public var title: String
    public var body: String
    public var subject: NotificationSubject
    /// Notifications of one conversation are shown together.
    public var group: String
    public var hasSound: Bool
    public var messageID: UUID?

    public init(
        id: String, category: NotificationCategory, title: String, body: String, subject: NotificationSubject,
        group: String, hasSound: Bool = true, messageID: UUID? = nil
    ) {
        self.id = id
        self.category = category
        self.title = title
        self.body = body
        self.subject = subject
        self.group = group
        self.hasSound = hasSound
        self.messageID = messageID
    }
}
