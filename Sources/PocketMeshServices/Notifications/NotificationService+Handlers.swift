public import FoundationEssentials

// What an app sets: the conversation in view, the handlers of actions, and the limits of batteries.
extension NotificationService {
    // MARK: The conversation in view

    /// The conversation in view: no banner for it.
    public var activeContactID: UUID? {
        get { inView.contactID }
        set { inView.contactID = newValue }
    }

    /// The slot of the channel in view; its messages are not notified.
    public var activeChannelIndex: UInt8? {
        get { inView.channelIndex }
        set { inView.channelIndex = newValue }
    }

    /// The radio of the channel in view.
    public var activeChannelDeviceID: UUID? {
        get { inView.channelDeviceID }
        set { inView.channelDeviceID = newValue }
    }

    /// The room in view; its posts are not notified.
    public var activeRoomSessionID: UUID? {
        get { inView.roomSessionID }
        set { inView.roomSessionID = newValue }
    }

    // MARK: Handlers

    /// Sends the reply to a contact; an error keeps it as a draft. Without a handler the stack sends it.
    public var onQuickReply: (@MainActor (_ contactID: UUID, _ text: String) async throws -> Void)? {
        get { handlers.quickReply }
        set { handlers.quickReply = newValue }
    }

    /// A callback for marking a conversation with a contact as read, up to a message.
    ///
    /// Without a handler the stack marks the whole conversation.
    public var onMarkAsRead: (@MainActor (_ contactID: UUID, _ messageID: UUID?) async -> Void)? {
        get { handlers.markAsRead }
        set { handlers.markAsRead = newValue }
    }

    /// A callback for marking a channel as read. Without a handler the stack marks it.
    public var onChannelMarkAsRead: (@MainActor (_ deviceID: UUID, _ index: UInt8, _ messageID: UUID?) async -> Void)? {
        get { handlers.channelMarkAsRead }
        set { handlers.channelMarkAsRead = newValue }
    }

    /// A callback for a touched notification.
    public var onNotificationTapped: (@MainActor (NotificationRequest) async -> Void)? {
        get { handlers.tapped }
        set { handlers.tapped = newValue }
    }

    /// A callback for a touched notification of a new contact.
    public var onNewContactNotificationTapped: (@MainActor (_ contactID: UUID) async -> Void)? {
        get { handlers.newContactTapped }
        set { handlers.newContactTapped = newValue }
    }

    /// The number of unread messages: the total of the active radio.
    public var getBadgeCount: (@MainActor () async -> Int)? {
        get { handlers.badgeCount }
        set { handlers.badgeCount = newValue }
    }

    /// The stack's handling of actions, where the app has no handler.
    var defaults: NotificationDefaults {
        get { handlers.defaults }
        set { handlers.defaults = newValue }
    }
}
