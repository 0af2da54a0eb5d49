import Foundation
import MeshCompanion
import MeshCore
import MeshWire

// Who knows whom. Handlers hold services weakly: a service ends with its container, whoever else it knows.
extension ServiceContainer {
    /// Introduces the services to each other, once.
    public func wireServices() async {
        guard !isWired else { return }
        isWired = true
        await messageService.setPathResetting(contactService)
        await wireContacts()
        await wireAdverts()
        await wireNodes()
        await wireIncoming()
    }

    private func wireContacts() async {
        await contactService.setNodeSessionEnder(remoteNodeService)
        await contactService.setContactsChangedHandler { [weak syncCoordinator] _ in
            await syncCoordinator?.notifyContactsChanged()
        }
        await channelService.setChannelUpdateHandler { [weak syncCoordinator] _ in
            await syncCoordinator?.notifyConversationsChanged()
        }
    }

    /// What the radio notices by itself, as far as lists show it; what leads to a synchronisation is wired behind the
    /// first one.
    private func wireAdverts() async {
        await advertisementService.setContactUpdatedHandler { [weak syncCoordinator] _ in
            await syncCoordinator?.notifyContactsChanged()
        }
        await advertisementService.setContactDeletedHandler { [weak syncCoordinator] _ in
            await syncCoordinator?.notifyContactsChanged()
        }
    }

    private func wireNodes() async {
        if let key = await session.currentSelfInfo?.publicKey {
            await roomServerService.setSelfPublicKeyPrefix(Data(key.prefix(4)))
        }
    }

    /// Who takes posts and answers to command lines off the radio's queue.
    private func wireIncoming() async {
        let incoming = syncCoordinator.incoming
        await incoming.setRoomPostHandler { [weak roomServerService] post in
            try await roomServerService?.handleIncomingMessage(
                deviceID: post.deviceID, senderPublicKeyPrefix: post.roomPrefix, timestamp: post.timestamp,
                authorPrefix: post.authorPrefix, text: post.text)
        }
        await incoming.setCommandAnswerHandler { [weak remoteNodeService, weak repeaterAdminService] answer, sender in
            let text = answer.message.text.string
            let isAwaited = await remoteNodeService?.handleCLIResponse(senderPrefix: sender.publicKey, text: text)
            guard isAwaited != true else { return }
            let session = StableIdentifier.session(deviceID: sender.deviceID, publicKey: sender.publicKey)
            await repeaterAdminService?.invokeCLIHandler(sessionID: session, text: text)
        }
    }

    /// The badge shows what is unread of this radio.
    func countBadge(of deviceID: UUID) {
        let store = store
        notificationService.getBadgeCount = { [weak notificationService] in
            // What cannot be counted now has not been read for that.
            let unread = try? await store.getTotalUnreadCounts(deviceID: deviceID)
            return unread?.total ?? notificationService?.badgeCount ?? 0
        }
        notificationService.updateBadgeCount()
    }
}
