public import Foundation
public import Observation

/// Decides on notifications, and sends them to a sink.
///
/// It follows the user's preferences at every notification, and shows none of the conversation in view. It turns a
/// burst of messages into one summary, and keeps the badge. Errors of a sink are stored in `lastError`, and never
/// thrown at the receiver of a message.
@MainActor @Observable
public final class NotificationService {
    /// The number that the badge shows.
    public private(set) var badgeCount = 0
    /// The reason why the last notification was not shown; `nil` when it was.
    public private(set) var lastError: StackError?
    /// True when the sink reached a user at its last check.
    public private(set) var isAuthorized = false

    /// The conversation in view: no banner for it.
    public var activeContactID: UUID?
    /// The slot of the channel in view; its messages are not notified.
    public var activeChannelIndex: UInt8?
    /// The radio of the channel in view.
    public var activeChannelDeviceID: UUID?
    /// The room in view; its posts are not notified.
    public var activeRoomSessionID: UUID?

    /// Sends the reply to a contact; an error keeps it as a draft. Without a handler the stack sends it.
    @ObservationIgnored public var onQuickReply: (@MainActor (_ contactID: UUID, _ text: String) async throws -> Void)?
    /// A callback for marking a conversation with a contact as read, up to a message.
    ///
    /// Without a handler the stack marks the whole conversation.
    @ObservationIgnored public var onMarkAsRead: (@MainActor (_ contactID: UUID, _ messageID: UUID?) async -> Void)?
    /// A callback for marking a channel as read. Without a handler the stack marks it.
    @ObservationIgnored public var onChannelMarkAsRead:
        (@MainActor (_ deviceID: UUID, _ index: UInt8, _ messageID: UUID?) async -> Void)?
    /// A callback for a touched notification.
    @ObservationIgnored public var onNotificationTapped: (@MainActor (NotificationRequest) async -> Void)?
    /// A callback for a touched notification of a new contact.
    @ObservationIgnored public var onNewContactNotificationTapped: (@MainActor (_ contactID: UUID) async -> Void)?
    /// The number of unread messages: the total of the active radio.
    @ObservationIgnored public var getBadgeCount: (@MainActor () async -> Int)?

    /// Below this the battery is low, in millivolts; there is no second warning before it was `hysteresis` above.
    @ObservationIgnored public var lowBatteryThreshold = 3400
    /// The rise of a battery over its limit before it is notified again, in millivolts.
    @ObservationIgnored public var lowBatteryHysteresis = 100

    @ObservationIgnored private let sink: any NotificationSink
    @ObservationIgnored private let settings: any SettingsStore
    @ObservationIgnored private let clock: any Clock<Duration>
    @ObservationIgnored private var drafts = NotificationDrafts()
    @ObservationIgnored private var keepingDrafts: Task<Void, Never>?
    @ObservationIgnored private var isSetUp = false
    /// True when the stored drafts are among those here.
    @ObservationIgnored private var hasDrafts = false
    /// The stack's handling of actions, where the app has no handler.
    @ObservationIgnored var defaults = NotificationDefaults()
    @ObservationIgnored private var shownIDs: [String: [String]] = [:]
    @ObservationIgnored private var devicesLow: Set<UUID> = []
    @ObservationIgnored private var burst: Int?
    /// The preferences, while a heap of notifications goes through.
    @ObservationIgnored private var heapPreferences: NotificationPreferences?
    /// The preferences as they were last read: they hold while they cannot be read.
    @ObservationIgnored private var knownPreferences = NotificationPreferences()
    @ObservationIgnored private var badgeUpdate: Task<Void, Never>?
    @ObservationIgnored private var summaries = 0

    private static let badgeDelay = Duration.milliseconds(100)
    /// The greatest number of remembered ids of a conversation, for the removal of its notifications.
    private static let idLimit = 100

    /// Makes a service that shows notifications through this sink, by the preferences in these settings.
    public init(sink: any NotificationSink, settings: any SettingsStore, clock: any Clock<Duration>) {
        self.sink = sink
        self.settings = settings
        self.clock = clock
    }

    /// Restores drafts, asks the sink whether it can show anything, and listens to the user's responses.
    ///
    /// Call it before the first notification. A connection manager does at each connect; once is enough.
    public func setup() async {
        await checkAuthorizationStatus()
        guard !isSetUp else { return }
        isSetUp = true
        drafts.insert(await NotificationDrafts.stored(in: settings))
        hasDrafts = true
        keepDrafts()
        await sink.setResponseHandler { [weak self] response in await self?.handle(response) }
    }

    /// Handles a response of the sink; sinks call it through `setup`.
    public func handle(_ response: NotificationResponse) async {
        switch response {
        case .action(let action, let request, let text): await perform(action, on: request, text: text)
        case .closed(let request): forget(id: request.id)
        }
    }

    /// Checks whether the sink works; there is no other authorization here.
    @discardableResult
    public func requestAuthorization() async -> Bool {
        await checkAuthorizationStatus()
        return isAuthorized
    }

    /// Asks the sink again whether it can show anything.
    public func checkAuthorizationStatus() async { isAuthorized = await sink.isAvailable() }

    /// Ends the waiting tasks.
    public func stop() {
        badgeUpdate?.cancel()
        badgeUpdate = nil
        burst = nil
    }

    // MARK: Messages

    public func postDirectMessageNotification(
        from contactName: String, contactID: UUID, messageText: String, messageID: UUID
    ) async {
        guard !isInView(contactID: contactID) else { return }
        await post(
            NotificationRequest(
                id: "message-\(messageID)", category: .directMessage, title: contactName, body: messageText,
                subject: .contact(contactID), group: "contact-\(contactID)", messageID: messageID),
            when: \.contactMessagesEnabled)
    }

    public func postChannelMessageNotification(
        channelName: String, channelIndex: UInt8, deviceID: UUID, senderName: String?, messageText: String,
        messageID: UUID
    ) async {
        guard !isInView(deviceID: deviceID, channelIndex: channelIndex) else { return }
        await post(
            NotificationRequest(
                id: "message-\(messageID)", category: .channelMessage, title: channelName,
                body: senderName.map { "\($0): \(messageText)" } ?? messageText,
                subject: .channel(deviceID: deviceID, index: channelIndex),
                group: "channel-\(deviceID)-\(channelIndex)",
                messageID: messageID),
            when: \.channelMessagesEnabled)
    }

    public func postRoomMessageNotification(
        roomName: String, sessionID: UUID, authorName: String, messageText: String, messageID: UUID
    ) async {
        guard activeRoomSessionID != sessionID else { return }
        await post(
            NotificationRequest(
                id: "message-\(messageID)", category: .roomMessage, title: roomName,
                body: "\(authorName): \(messageText)", subject: .room(sessionID: sessionID),
                group: "room-\(sessionID)", messageID: messageID),
            when: \.roomMessagesEnabled)
    }

    /// Begins a burst as a drain of the radio's queue begins: messages are counted instead of shown.
    public func beginBurst() { burst = burst ?? 0 }

    /// Shows one summary of the burst, unless it was empty.
    public func endBurst() async {
        guard let count = burst else { return }
        burst = nil
        guard count > 0 else { return }
        summaries += 1
        await show(
            NotificationRequest(
                id: "summary-\(summaries)", category: .summary, title: "New messages",
                body: count == 1 ? "1 new message" : "\(count) new messages", subject: .device, group: "summary"),
            preferences: await preferences())
    }

    /// Many at once, by the preferences of this moment.
    public func post(_ notes: [MessageNote]) async {
        guard !notes.isEmpty else { return }
        let preferences = await preferences()
        if let count = burst {
            // Nothing is shown of them, so nothing is made of them.
            burst = count + notes.count { isWanted($0, preferences) }
        } else {
            heapPreferences = preferences
            for note in notes { await post(note) }
            heapPreferences = nil
        }
        updateBadgeCount()
    }

    /// Returns whether the user wants a notification of a message, and does not look at its conversation.
    private func isWanted(_ note: MessageNote, _ preferences: NotificationPreferences) -> Bool {
        switch note {
        case .direct(_, let contactID, _, _): preferences.contactMessagesEnabled && !isInView(contactID: contactID)
        case .channel(_, let index, let deviceID, _, _, _):
            preferences.channelMessagesEnabled && !isInView(deviceID: deviceID, channelIndex: index)
        }
    }

    private func isInView(contactID: UUID) -> Bool { activeContactID == contactID }

    private func isInView(deviceID: UUID, channelIndex: UInt8) -> Bool {
        activeChannelIndex == channelIndex && activeChannelDeviceID == deviceID
    }

    // MARK: Other occasions

    public func postNewContactNotification(contactName: String, contactID: UUID) async {
        await post(
            NotificationRequest(
                id: "contact-\(contactID)", category: .newContact, title: "New contact", body: contactName,
                subject: .discovery(contactID: contactID), group: "discovery"),
            when: \.newContactDiscoveredEnabled)
    }

    /// Warns once when the battery falls below the threshold.
    public func postLowBatteryNotification(deviceID: UUID, deviceName: String, millivolts: Int) async {
        if millivolts >= lowBatteryThreshold + lowBatteryHysteresis { devicesLow.remove(deviceID) }
        guard millivolts < lowBatteryThreshold, devicesLow.insert(deviceID).inserted else { return }
        await show(
            NotificationRequest(
                id: "battery-\(deviceID)", category: .lowBattery, title: deviceName,
                body: "The battery is low: \(millivolts) mV", subject: .device, group: "battery"),
            preferences: await preferences())
    }

    /// Notifies the user that a reply from a notification was not sent.
    public func postQuickReplyFailedNotification(contactName: String, contactID: UUID) async {
        await show(
            NotificationRequest(
                id: "reply-\(contactID)", category: .quickReplyFailed, title: contactName,
                body: "The reply was not sent; it is kept as a draft", subject: .contact(contactID),
                group: "contact-\(contactID)"), preferences: await preferences())
    }

    // MARK: What the user does with a notification

    /// Performs an action of a shown notification; `text` is the reply.
    public func perform(_ action: NotificationAction, on request: NotificationRequest, text: String = "") async {
        await removeDeliveredNotification(id: request.id)
        switch (action, request.subject) {
        case (.open, _): await open(request)
        case (.reply, .contact(let contactID)): await reply(text, to: contactID, name: request.title)
        case (.markRead, .contact(let contactID)):
            await (onMarkAsRead ?? defaults.markAsRead)?(contactID, request.messageID)
            updateBadgeCount()
        case (.markRead, .channel(let deviceID, let index)):
            await (onChannelMarkAsRead ?? defaults.channelMarkAsRead)?(deviceID, index, request.messageID)
            updateBadgeCount()
        default: break
        }
    }

    /// The notification itself was chosen.
    public func tap(_ request: NotificationRequest) async { await perform(.open, on: request) }

    private func open(_ request: NotificationRequest) async {
        if case .discovery(let contactID) = request.subject {
            await onNewContactNotificationTapped?(contactID)
        } else {
            await onNotificationTapped?(request)
        }
    }

    private func reply(_ text: String, to contactID: UUID, name: String) async {
        // A field that was sent empty is no reply.
        guard !text.isEmpty else { return }
        do {
            guard let send = onQuickReply ?? defaults.quickReply else {
                throw StackError(.notifications, .notConnected)
            }
            try await send(contactID, text)
        } catch {
            saveDraft(text, for: contactID)
            await keepingDrafts?.value
            await postQuickReplyFailedNotification(contactName: name, contactID: contactID)
        }
    }

    /// Stores the text typed to a contact until its page opens, over restarts too; the newest 100 of all contacts.
    public func saveDraft(_ text: String, for contactID: UUID) {
        drafts.save(text, for: contactID)
        keepDrafts()
    }

    /// The draft of a conversation, once.
    public func consumeDraft(for contactID: UUID) -> String? {
        guard let text = drafts.take(for: contactID) else { return nil }
        keepDrafts()
        return text
    }

    /// Stores the drafts; of several calls the last one's state counts.
    ///
    /// Stored drafts are not overwritten before they were read.
    private func keepDrafts() {
        guard hasDrafts else { return }
        keepingDrafts = Task { [previous = keepingDrafts, drafts, settings] in
            await previous?.value
            await drafts.keep(in: settings)
        }
    }

    // MARK: Taking back

    /// Removes one notification that was shown.
    public func removeDeliveredNotification(id: String) async {
        forget(id: id)
        await sink.remove(ids: [id])
    }

    private func forget(id: String) {
        for group in shownIDs.keys.sorted() { shownIDs[group]?.removeAll { $0 == id } }
    }

    /// Removes all notifications of a conversation, `contact-…`, `channel-…` or `room-…`.
    public func removeDeliveredNotifications(group: String) async {
        guard let ids = shownIDs.removeValue(forKey: group), !ids.isEmpty else { return }
        await sink.remove(ids: ids)
    }

    // MARK: Badge

    /// Counts anew, once for all calls of a tenth of a second.
    public func updateBadgeCount() {
        guard badgeUpdate == nil else { return }
        badgeUpdate = Task { [weak self, clock] in
            guard (try? await clock.sleep(for: Self.badgeDelay)) != nil else { return }
            await self?.countBadge()
        }
    }

    private func countBadge() async {
        // What changes from here on asks for another count.
        badgeUpdate = nil
        let isEnabled = await preferences().badgeEnabled
        let count = isEnabled ? await getBadgeCount?() ?? 0 : 0
        badgeCount = max(0, count)
        await sink.setBadge(badgeCount)
    }

    // MARK: Showing

    private func preferences() async -> NotificationPreferences {
        if let heapPreferences { return heapPreferences }
        if let read = try? await NotificationPreferences.load(from: settings) { knownPreferences = read }
        return knownPreferences
    }

    private func post(_ request: NotificationRequest, when wanted: KeyPath<NotificationPreferences, Bool>) async {
        let preferences = await preferences()
        guard preferences[keyPath: wanted] else { return }
        if let count = burst, request.messageID != nil {
            burst = count + 1
            return
        }
        await show(request, preferences: preferences)
    }

    private func show(_ request: NotificationRequest, preferences: NotificationPreferences) async {
        var request = request
        request.hasSound = preferences.soundEnabled
        do throws(StackError) {
            try await sink.show(request)
            lastError = nil
            shownIDs[request.group, default: []].append(request.id)
            if shownIDs[request.group, default: []].count > Self.idLimit { shownIDs[request.group]?.removeFirst() }
        } catch {
            lastError = error
        }
    }
}
