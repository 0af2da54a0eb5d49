import FoundationEssentials

/// The handlers of the app for actions of notifications, and those of the stack.
struct NotificationHandlers {
    var quickReply: (@MainActor (_ contactID: UUID, _ text: String) async throws -> Void)?
    var markAsRead: (@MainActor (_ contactID: UUID, _ messageID: UUID?) async -> Void)?
    var channelMarkAsRead: (@MainActor (_ deviceID: UUID, _ index: UInt8, _ messageID: UUID?) async -> Void)?
    var tapped: (@MainActor (NotificationRequest) async -> Void)?
    var newContactTapped: (@MainActor (_ contactID: UUID) async -> Void)?
    /// Counts the unread messages.
    var badgeCount: (@MainActor () async -> Int)?
    /// The stack's handling of actions, where the app has no handler.
    var defaults = NotificationDefaults()
}

/// The default handling of actions of notifications, for those that no handler of the app accepts.
struct NotificationDefaults {
    var quickReply: (@MainActor (_ contactID: UUID, _ text: String) async throws -> Void)?
    var markAsRead: (@MainActor (_ contactID: UUID, _ messageID: UUID?) async -> Void)?
    var channelMarkAsRead: (@MainActor (_ deviceID: UUID, _ index: UInt8, _ messageID: UUID?) async -> Void)?
}
