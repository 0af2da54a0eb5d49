import FoundationEssentials
import Logging
public import MeshCore

/// The profile of the next connection's services.
@MainActor
final class ChosenProfile {
    var profile: StackProfile

    nonisolated init(_ profile: StackProfile) { self.profile = profile }
}

// The manager with the stack's own services.
extension ConnectionManager {
    /// A manager whose connections have the services of the stack.
    ///
    /// - Parameter imageCodec: Makes pictures small before they are sent, as `JPEGCodec` of `MeshDesktop`. Without one
    /// only small pictures can be sent.
    public convenience init(
        store: PersistenceStore, transports: any TransportMaking, profile: StackProfile = .architectureV2,
        dependencies: ServiceDependencies, credentials: any CredentialStore, notifications: NotificationService,
        sessionConfiguration: SessionConfiguration = .default, bonds: (any BondKeeping)? = nil,
        imageCodec: (any ImageCodec)? = nil
    ) {
        let chosen = ChosenProfile(profile)
        self.init(
            store: store, transports: transports, profile: profile, dependencies: dependencies,
            sessionConfiguration: sessionConfiguration, bonds: bonds
        ) { session in
            ServiceContainer(
                session: session, store: store, profile: chosen.profile, dependencies: dependencies,
                credentials: credentials,
                notifications: notifications, imageCodec: imageCodec)
        }
        followProfile(chosen)
        answerNotifications(notifications)
    }

    /// Actions of notifications reach the services of the connection that there is then; reading needs none.
    private func answerNotifications(_ notifications: NotificationService) {
        notifications.defaults.quickReply = { [weak self] contactID, text in
            guard let container = self?.container else { throw StackError(.messages, .notConnected) }
            try await container.sendQuickReply(text, to: contactID)
        }
        notifications.defaults.markAsRead = { [weak self] contactID, _ in
            await self?.markRead { store in try await store.clearUnreadCount(contactID: contactID) }
        }
        notifications.defaults.channelMarkAsRead = { [weak self] deviceID, index, _ in
            await self?.markRead { store in
                guard let channel = try await store.fetchChannel(deviceID: deviceID, index: index) else { return }
                try await store.clearChannelUnreadCount(channelID: channel.id)
            }
        }
        hooks.beforeConnecting = { await notifications.setup() }
    }

    /// Marks a conversation as read in the store, and reports the change to pages.
    private func markRead(_ change: (PersistenceStore) async throws -> Void) async {
        do { try await change(store) } catch {
            dependencies.log.warning("a conversation was not marked as read", metadata: ["error": "\(error)"])
        }
        await container?.syncCoordinator.notifyConversationsChanged()
    }

    /// The stack's services, while there is a connection that has them.
    public var container: ServiceContainer? { services?.container }

    /// The quality of the connection to the mesh; unknown without a connected radio.
    public var linkQuality: LinkQuality { container?.linkQuality.quality ?? LinkQuality() }
}

extension ServiceContainer {
    /// Sends the reply of a notification, with the profile's attempts. Throws when it was not sent, or not delivered.
    ///
    /// A reply that waits in the queue for the radio counts as sent.
    func sendQuickReply(_ text: String, to contactID: UUID) async throws {
        guard let contact = try await store.fetchContact(id: contactID) else {
            throw StackError(.messages, .contactNotFound)
        }
        let message = try await messageService.sendMessageWithRetry(text: text, to: contact)
        await syncCoordinator.notifyConversationsChanged()
        if message.hasFailed { throw StackError(.messages, .notSent("the reply was not confirmed")) }
    }
}
