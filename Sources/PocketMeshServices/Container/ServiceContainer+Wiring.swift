import Foundation

// Who knows whom. Handlers hold services weakly: a service ends with its container, whoever else it knows.
extension ServiceContainer {
    /// Introduces the services to each other, once.
    public func wireServices() async {
        guard !isWired else { return }
        isWired = true
        await messageService.setPathResetting(contactService)
        await wireContacts()
        await wireAdverts()
    }

    private func wireContacts() async {
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

    /// The badge shows what is unread of this radio.
    func countBadge(of deviceID: UUID) {
        let store = store
        notificationService.getBadgeCount = { (try? await store.getTotalUnreadCounts(deviceID: deviceID))?.total ?? 0 }
        notificationService.updateBadgeCount()
    }
}
