import FoundationEssentials
import MeshCompanion

// What services learn later than when they are made.
extension ServiceContainer {
    /// Connects the services to each other and gives them the radio's identity, once.
    public func wireServices() async {
        guard !isWired else { return }
        isWired = true
        if let key = await session.currentSelfInfo?.publicKey {
            await roomServerService.setSelfPublicKeyPrefix(Data(key.prefix(4)))
        }
    }

    /// Connects the badge to the unread messages of this radio.
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
