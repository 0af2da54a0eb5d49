public import FoundationEssentials
public import PocketMeshServices

// Going from one page to another, and the first steps.
extension AppState {
    /// Opens the conversation with a contact, at a message where one is given.
    public func navigateToChat(with contact: ContactDTO, messageID: UUID? = nil) {
        setPendingChat((contact, messageID))
        go(to: .chats)
    }

    /// Opens a room.
    public func navigateToRoom(_ session: RemoteNodeSessionDTO) {
        pendingRoomSession = session
        go(to: .chats)
    }

    /// Opens a channel's conversation.
    public func navigateToChannel(_ channel: ChannelDTO) {
        navigation.popToRoot(of: .chats)
        navigation.push(.channel(channelID: channel.id), on: .chats)
        go(to: .chats)
    }

    /// Opens the nodes that were heard and are no contacts.
    public func navigateToDiscovery() {
        pendingDiscoveryNavigation = true
        go(to: .contacts)
    }

    /// Opens the list of contacts.
    public func navigateToContacts() { go(to: .contacts) }

    private func go(to tab: AppTab) {
        selectedTab = tab
        pages.isNavigationPending = true
        messageEventBroadcaster.broadcast(.navigationRequested)
    }

    /// Returns the conversation to open, once, for the page that opens it.
    public func takePendingChat() -> (contact: ContactDTO, messageID: UUID?)? {
        defer { clearPendingChat() }
        return pendingChatContact.map { ($0, pendingMessageID) }
    }

    /// The room to open, once.
    public func takePendingRoom() -> RemoteNodeSessionDTO? {
        defer { clearPendingRoomNavigation() }
        return pendingRoomSession
    }

    /// Returns whether a page is to be shown. The first page that asks gets `true`, all others `false`.
    public func takeNavigation() -> Bool {
        defer { pages.isNavigationPending = false }
        return pages.isNavigationPending
    }

    /// Returns whether the discovered nodes are to be shown, and clears the wish.
    public func takePendingDiscovery() -> Bool {
        defer { clearPendingDiscoveryNavigation() }
        return pendingDiscoveryNavigation
    }

    /// Forgets the conversation to open.
    public func clearPendingChat() { setPendingChat(nil) }

    /// Forgets the room to open.
    public func clearPendingRoomNavigation() { pendingRoomSession = nil }

    /// Forgets that the discovered nodes were to be shown.
    public func clearPendingDiscoveryNavigation() { pendingDiscoveryNavigation = false }

    // MARK: First steps

    /// Goes one step further; after the scan the first steps are over.
    public func advanceOnboarding() async throws {
        if case .toBeEnded = changeFirstSteps({ $0.advance() }) { return try await completeOnboarding() }
        messageEventBroadcaster.broadcast(.navigationRequested)
    }

    /// Goes one step back.
    public func goBackInOnboarding() {
        guard changeFirstSteps({ $0.goBack() }) else { return }
        messageEventBroadcaster.broadcast(.navigationRequested)
    }

    /// Ends the first steps, and keeps that.
    public func completeOnboarding() async throws {
        try await store.setSetting("1", forKey: SettingKey.onboarding)
        changeFirstSteps { $0.end() }
        messageEventBroadcaster.broadcast(.navigationRequested)
    }

    /// Begins the first steps anew.
    public func resetOnboarding() async throws {
        try await store.setSetting(nil, forKey: SettingKey.onboarding)
        changeFirstSteps { $0.restart() }
        messageEventBroadcaster.broadcast(.navigationRequested)
    }

    // MARK: Notifications

    /// Has notifications answered: replies are sent, read marks kept, taps open their page.
    public func configureNotificationHandlers() {
        notificationService.onQuickReply = { [weak self] in try await self?.quickReply(to: $0, text: $1) }
        notificationService.onMarkAsRead = { [weak self] contact, _ in await self?.markRead(.contact(contact)) }
        notificationService.onChannelMarkAsRead = { [weak self] device, index, _ in
            guard let channel = try? await self?.store.fetchChannel(deviceID: device, index: index) else { return }
            await self?.markRead(.channel(channel.id))
        }
        notificationService.onNotificationTapped = { [weak self] in await self?.open($0) }
        notificationService.onNewContactNotificationTapped = { [weak self] _ in self?.navigateToDiscovery() }
    }

    private func quickReply(to contactID: UUID, text: String) async throws {
        guard let contact = try await store.fetchContact(id: contactID) else {
            throw StackError(.messages, .contactNotFound)
        }
        // Without a connection it would wait in the queue unseen; the draft is where its writer looks.
        guard let services, connectionState.canSend else { throw StackError(.messages, .notConnected) }
        _ = try await services.messageService.enqueueDirectMessage(text: text, to: contact)
        _ = try await services.messageService.drainQueue(deviceID: contact.deviceID)
        await markRead(.contact(contactID))
    }

    private func open(_ request: NotificationRequest) async {
        switch request.subject {
        case .contact(let id):
            guard let contact = try? await store.fetchContact(id: id) else { return }
            navigateToChat(with: contact, messageID: request.messageID)
        case .channel(let device, let index):
            guard let channel = try? await store.fetchChannel(deviceID: device, index: index) else { return }
            navigateToChannel(channel)
        case .room(let id):
            guard let session = try? await store.fetchRemoteNodeSession(id: id) else { return }
            navigateToRoom(session)
        case .discovery: navigateToDiscovery()
        case .device: go(to: .settings)
        }
    }

    /// Counts a conversation as read, and removes its notifications.
    func markRead(_ thread: MessageThread) async {
        do {
            switch thread {
            case .contact(let id):
                try await store.clearUnreadCount(contactID: id)
                await notificationService.removeDeliveredNotifications(group: "contact-\(id)")
            case .channel(let id):
                try await store.clearChannelUnreadCount(channelID: id)
                if let channel = try await store.fetchChannel(id: id) {
                    await notificationService.removeDeliveredNotifications(
                        group: Conversation.channel(channel).notificationGroup)
                }
            case .unknownSender, .unknownChannel: return
            }
            notificationService.updateBadgeCount()
            conversationsVersion += 1
            messageEventBroadcaster.broadcast(.conversationsChanged)
        } catch {
            messageEventBroadcaster.broadcast(.error(ErrorPresentation(error)))
        }
    }

    /// Returns the conversation of a row of any kind; `nil` for none.
    public func conversation(id: UUID) async throws -> Conversation? {
        if let contact = try await store.fetchContact(id: id) { return .direct(contact) }
        if let channel = try await store.fetchChannel(id: id) { return .channel(channel) }
        if let session = try await store.fetchRemoteNodeSession(id: id) { return .room(session) }
        return nil
    }
}
