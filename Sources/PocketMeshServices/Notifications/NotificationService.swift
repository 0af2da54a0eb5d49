public import FoundationEssentials
import MeshWire
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

    var inView = ConversationInView()
    @ObservationIgnored var handlers = NotificationHandlers()
    @ObservationIgnored var batteries = LowBatteries()
    @ObservationIgnored private let sink: any NotificationSink
    @ObservationIgnored private let settings: any SettingsStore
    @ObservationIgnored private let clock: any Clock<Duration>
    @ObservationIgnored private var plan = NotificationPlan()
    @ObservationIgnored private var drafts = DraftKeeping()
    @ObservationIgnored private var shown = ShownNotifications()
    /// The preferences as they were last read: they hold while they cannot be read.
    @ObservationIgnored private var knownPreferences = NotificationPreferences()
    @ObservationIgnored private var badgeUpdate: Task<Void, Never>?

    private static let badgeDelay = Duration.milliseconds(100)

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
        guard drafts.beginReading() else { return }
        let stored = await NotificationDrafts.stored(in: settings)
        drafts.read(stored)
        keepDrafts()
        await sink.setResponseHandler { [weak self] response in await self?.handle(response) }
    }

    /// Handles a response of the sink; sinks call it through `setup`.
    public func handle(_ response: NotificationResponse) async {
        switch response {
        case .action(let action, let request, let text): await perform(action, on: request, text: text)
        case .closed(let request): shown.forget(id: request.id)
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
        plan.dropBurst()
    }

    // MARK: Messages

    public func postDirectMessageNotification(
        from contactName: String, contactID: UUID, messageText: String, messageID: UUID
    ) async {
        guard !inView.isContact(contactID) else { return }
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
        guard !inView.isChannel(channelIndex, of: deviceID) else { return }
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
        guard !inView.isRoom(sessionID) else { return }
        await post(
            NotificationRequest(
                id: "message-\(messageID)", category: .roomMessage, title: roomName,
                body: "\(authorName): \(messageText)", subject: .room(sessionID: sessionID),
                group: "room-\(sessionID)", messageID: messageID),
            when: \.roomMessagesEnabled)
    }

    /// Begins a burst as a drain of the radio's queue begins: messages are counted instead of shown.
    public func beginBurst() { plan.beginBurst() }

    /// Shows one summary of the burst, unless it was empty.
    public func endBurst() async {
        guard case .summary(let number, let count) = plan.endBurst() else { return }
        await show(
            NotificationRequest(
                id: "summary-\(number)", category: .summary, title: "New messages",
                body: count.counted("new message"), subject: .device, group: "summary", amount: count),
            preferences: await preferences())
    }

    /// Many at once, by the preferences of this moment.
    public func post(_ notes: [MessageNote]) async {
        guard !notes.isEmpty else { return }
        let preferences = await preferences()
        // In a burst nothing is shown of them, so nothing is made of them.
        if case .postEach = plan.beginHeap(preferences, wanted: { notes.count { isWanted($0, preferences) } }) {
            for note in notes { await post(note) }
            plan.endHeap()
        }
        updateBadgeCount()
    }

    /// Returns whether the user wants a notification of a message, and does not look at its conversation.
    private func isWanted(_ note: MessageNote, _ preferences: NotificationPreferences) -> Bool {
        switch note {
        case .direct(_, let contactID, _, _): preferences.contactMessagesEnabled && !inView.isContact(contactID)
        case .channel(_, let index, let deviceID, _, _, _):
            preferences.channelMessagesEnabled && !inView.isChannel(index, of: deviceID)
        }
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
        let wanted = await preferences()
        // Not noted while the switch is off: a battery that is low already is notified once it is on.
        guard wanted.lowBatteryEnabled, batteries.note(millivolts, of: deviceID) else { return }
        await show(
            NotificationRequest(
                id: "battery-\(deviceID)", category: .lowBattery, title: deviceName,
                body: "The battery is low: \(millivolts) mV", subject: .device, group: "battery",
                amount: millivolts),
            preferences: wanted)
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
            await (handlers.markAsRead ?? handlers.defaults.markAsRead)?(contactID, request.messageID)
            updateBadgeCount()
        case (.markRead, .channel(let deviceID, let index)):
            await (handlers.channelMarkAsRead ?? handlers.defaults.channelMarkAsRead)?(
                deviceID, index, request.messageID)
            updateBadgeCount()
        default: break
        }
    }

    /// The notification itself was chosen.
    public func tap(_ request: NotificationRequest) async { await perform(.open, on: request) }

    private func open(_ request: NotificationRequest) async {
        if case .discovery(let contactID) = request.subject {
            await handlers.newContactTapped?(contactID)
        } else {
            await handlers.tapped?(request)
        }
    }

    private func reply(_ text: String, to contactID: UUID, name: String) async {
        // A field that was sent empty is no reply.
        guard !text.isEmpty else { return }
        do {
            guard let send = handlers.quickReply ?? handlers.defaults.quickReply else {
                throw StackError(.notifications, .notConnected)
            }
            try await send(contactID, text)
        } catch {
            saveDraft(text, for: contactID)
            await drafts.storing?.value
            await postQuickReplyFailedNotification(contactName: name, contactID: contactID)
        }
    }

    /// Stores the text typed in a conversation until its page opens, over restarts too; the newest 100 of all.
    ///
    /// A conversation is a contact, a channel or a session with a room.
    public func saveDraft(_ text: String, for contactID: UUID) {
        drafts.change { $0.save(text, for: contactID) }
        keepDrafts()
    }

    /// The draft of a conversation, once.
    public func consumeDraft(for contactID: UUID) -> String? {
        guard let text = drafts.change({ $0.take(for: contactID) }) else { return nil }
        keepDrafts()
        return text
    }

    /// Stores the drafts; of several calls the last one's state counts.
    ///
    /// Stored drafts are not overwritten before they were read.
    private func keepDrafts() {
        drafts.store { drafts, previous in
            Task { [settings] in
                await previous?.value
                await drafts.keep(in: settings)
            }
        }
    }

    // MARK: Taking back

    /// Removes one notification that was shown.
    public func removeDeliveredNotification(id: String) async {
        shown.forget(id: id)
        await sink.remove(ids: [id])
    }

    /// Removes all notifications of a conversation, `contact-…`, `channel-…` or `room-…`.
    public func removeDeliveredNotifications(group: String) async {
        let ids = shown.forget(group: group)
        guard !ids.isEmpty else { return }
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
        let count = isEnabled ? await handlers.badgeCount?() ?? 0 : 0
        badgeCount = max(0, count)
        await sink.setBadge(badgeCount)
    }

    // MARK: Showing

    private func preferences() async -> NotificationPreferences {
        if let preferences = plan.preferences { return preferences }
        if let read = try? await NotificationPreferences.load(from: settings) { knownPreferences = read }
        return knownPreferences
    }

    private func post(_ request: NotificationRequest, when wanted: KeyPath<NotificationPreferences, Bool>) async {
        let preferences = await preferences()
        guard preferences[keyPath: wanted] else { return }
        guard case .show = plan.post(isMessage: request.messageID != nil) else { return }
        await show(request, preferences: preferences)
    }

    private func show(_ request: NotificationRequest, preferences: NotificationPreferences) async {
        var request = request
        request.hasSound = preferences.soundEnabled
        do throws(StackError) {
            try await sink.show(request)
            lastError = nil
            shown.add(request)
        } catch {
            lastError = error
        }
    }
}
