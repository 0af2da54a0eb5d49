import Foundation
import Logging
import MeshPacket
import PocketMeshServices

/// The code of the founding Sync Guide as the guide prints it, as far as a program has it.
///
/// Left out are the insides of the services that the guide explains, and SwiftUI. `try` stands before
/// `pollAllMessages`, which throws (ServiceStack, 5.9), and `performFullSync` is called from outside.
struct FoundingSyncGuide: Sendable {
    let deviceID: UUID
    let services: ServiceContainer
    let dataStore: DataStore
    let logger: Logger
    let onDirectMessageReceived: (@Sendable (MessageDTO, ContactDTO) async -> Void)?
    let onChannelMessageReceived: (@Sendable (MessageDTO, UInt8) async -> Void)?

    private var contactService: ContactService { services.contactService }
    private var channelService: ChannelService { services.channelService }
    private var messagePollingService: MessagePollingService { services.messagePollingService }
    private var advertisementService: AdvertisementService { services.advertisementService }
    private var roomServerService: RoomServerService { services.roomServerService }
    private var repeaterAdminService: RepeaterAdminService { services.repeaterAdminService }
    private var syncCoordinator: SyncCoordinator { services.syncCoordinator }

    // MARK: Sync Phases

    func syncPhases(lastContactSync: UInt32?) async throws -> (ContactSyncResult, ChannelSyncResult) {
        let contacts = try await contactService.syncContacts(
            deviceID: deviceID,
            since: lastContactSync  // Incremental if available
        )

        let channels = try await channelService.syncChannels(
            deviceID: deviceID,
            maxChannels: 8
        )

        try await messagePollingService.pollAllMessages()
        return (contacts, channels)
    }

    // MARK: Recovery Strategy

    func recover() async {
        do {
            try await syncCoordinator.performFullSync(
                deviceID: deviceID,
                contactService: contactService,
                channelService: channelService,
                messagePollingService: messagePollingService
            )
        } catch {
            // Log for debugging
            logger.error("Sync failed: \(error)")
        }
    }

    // MARK: Contact Message Handler

    func wireContactMessageHandler() async {
        // Handles direct messages from contacts (textType = 0x00)
        await messagePollingService.setContactMessageHandler { message, contact in
            let timestamp = UInt32(message.senderTimestamp.timeIntervalSince1970)

            // Create DTO
            let messageDTO = MessageDTO(
                id: UUID(),
                deviceID: deviceID,
                contactID: contact?.id,
                channelIndex: nil,
                text: message.text,
                timestamp: timestamp,
                createdAt: Date(),
                direction: .incoming,
                status: .delivered,
                textType: TextType(rawValue: message.textType) ?? .plain,
                ackCode: nil,
                pathLength: message.pathLength,
                snr: message.snr,
                senderKeyPrefix: message.senderPublicKeyPrefix,
                senderNodeName: nil,
                isRead: false,
                replyToID: nil,
                roundTripTime: nil,
                heardRepeats: 0,
                retryAttempt: 0,
                maxRetryAttempts: 0
            )

            // Save to database
            try await dataStore.saveMessage(messageDTO)

            // Update contact's last message date and unread count
            if let contactID = contact?.id {
                try await dataStore.updateContactLastMessage(contactID: contactID, date: Date())
                try await dataStore.incrementUnreadCount(contactID: contactID)
            }

            // Post notification
            if let contactID = contact?.id {
                await services.notificationService.postDirectMessageNotification(
                    from: contact?.displayName ?? "Unknown",
                    contactID: contactID,
                    messageText: message.text,
                    messageID: messageDTO.id
                )
            }
            await services.notificationService.updateBadgeCount()

            // Notify UI via SyncCoordinator
            await syncCoordinator.notifyConversationsChanged()

            // Notify MessageEventBroadcaster for real-time chat updates
            if let contact {
                await onDirectMessageReceived?(messageDTO, contact)
            }
        }
    }

    // MARK: Channel Message Handler

    func wireChannelMessageHandler() async {
        // Handles channel broadcast messages (textType = 0x03)
        await messagePollingService.setChannelMessageHandler { message, channel in
            // Parse "NodeName: text" format for sender name
            let (senderNodeName, messageText) = Self.parseChannelMessage(message.text)

            let timestamp = UInt32(message.senderTimestamp.timeIntervalSince1970)
            let messageDTO = MessageDTO(
                id: UUID(),
                deviceID: deviceID,
                contactID: nil,
                channelIndex: message.channelIndex,
                text: messageText,
                timestamp: timestamp,
                createdAt: Date(),
                direction: .incoming,
                status: .delivered,
                textType: TextType(rawValue: message.textType) ?? .plain,
                ackCode: nil,
                pathLength: message.pathLength,
                snr: message.snr,
                senderKeyPrefix: nil,
                senderNodeName: senderNodeName,
                isRead: false,
                replyToID: nil,
                roundTripTime: nil,
                heardRepeats: 0,
                retryAttempt: 0,
                maxRetryAttempts: 0
            )

            // Save to database
            try await dataStore.saveMessage(messageDTO)

            // Update channel's last message date and unread count
            if let channelID = channel?.id {
                try await dataStore.updateChannelLastMessage(channelID: channelID, date: Date())
                try await dataStore.incrementChannelUnreadCount(channelID: channelID)
            }

            // Post notification
            await services.notificationService.postChannelMessageNotification(
                channelName: channel?.name ?? "Channel \(message.channelIndex)",
                channelIndex: message.channelIndex,
                deviceID: deviceID,
                senderName: senderNodeName,
                messageText: messageText,
                messageID: messageDTO.id
            )
            await services.notificationService.updateBadgeCount()

            // Notify UI via SyncCoordinator
            await syncCoordinator.notifyConversationsChanged()

            // Notify MessageEventBroadcaster for real-time chat updates
            await onChannelMessageReceived?(messageDTO, message.channelIndex)
        }
    }

    // Helper function to parse channel messages
    private static func parseChannelMessage(_ text: String) -> (senderNodeName: String?, messageText: String) {
        let parts = text.split(separator: ":", maxSplits: 1)
        if parts.count > 1 {
            let senderName = String(parts[0]).trimmingCharacters(in: .whitespaces)
            let messageText = String(parts[1]).trimmingCharacters(in: .whitespaces)
            return (senderName, messageText)
        }
        return (nil, text)
    }

    // MARK: Signed Message Handler

    func wireSignedMessageHandler() async {
        // Handles signed messages from room servers (textType = 0x02)
        await messagePollingService.setSignedMessageHandler { message, contact in
            // For signed room messages, the signature contains the 4-byte author key prefix
            guard let authorPrefix = message.signature?.prefix(4), authorPrefix.count == 4 else {
                logger.warning("Dropping signed message: missing or invalid author prefix")
                return
            }

            let timestamp = UInt32(message.senderTimestamp.timeIntervalSince1970)

            // Process room server message
            try await roomServerService.handleIncomingMessage(
                senderPublicKeyPrefix: message.senderPublicKeyPrefix,
                timestamp: timestamp,
                authorPrefix: Data(authorPrefix),
                text: message.text
            )
        }
    }

    // MARK: CLI Message Handler

    func wireCLIMessageHandler() async {
        // Handles CLI messages from repeater admin (textType = 0x01)
        await messagePollingService.setCLIMessageHandler { message, contact in
            // Process repeater administrative responses
            if let contact {
                await repeaterAdminService.invokeCLIHandler(message, fromContact: contact)
            } else {
                logger.warning("Dropping CLI response: no contact found for sender")
            }
        }
    }

    // MARK: Discovery Handlers

    func wireDiscoveryHandlers() async {
        // Triggered when device advertises a new contact (manual-add mode)
        await advertisementService.setNewContactDiscoveredHandler { contactName, contactID in
            // Post notification for manual-add UI
            await services.notificationService.postNewContactNotification(
                contactName: contactName,
                contactID: contactID
            )

            // Refresh contact list
            await syncCoordinator.notifyContactsChanged()
        }

        // Triggered when device wants us to sync contacts (auto-add mode)
        await advertisementService.setContactSyncRequestHandler { _ in
            // Sync contacts from device
            do {
                _ = try await services.contactService.syncContacts(deviceID: deviceID)
                await syncCoordinator.notifyContactsChanged()
            } catch {
                logger.warning("Auto-sync after discovery failed: \(error.localizedDescription)")
            }
        }
    }
}

/// The part of the guide's app state that is no view.
@MainActor
final class FoundingAppState {
    final class MessageEventBroadcaster: Sendable {
        func handleDirectMessage(_ message: MessageDTO, from contact: ContactDTO) async {}
        func handleChannelMessage(_ message: MessageDTO, channelIndex: UInt8) async {}
    }

    let messageEventBroadcaster = MessageEventBroadcaster()
    private(set) var contactsVersion = 0
    private(set) var conversationsVersion = 0
    // AppState tracks sync activity via counter
    private var syncActivityCount: Int = 0

    var shouldShowSyncingPill: Bool {
        syncActivityCount > 0
    }

    func wire(_ services: ServiceContainer) async {
        let syncCoordinator = services.syncCoordinator
        await syncCoordinator.setSyncActivityCallbacks(
            onStarted: { @MainActor [weak self] in self?.syncActivityCount += 1 },
            onEnded: { @MainActor [weak self] in self?.syncActivityCount -= 1 }
        )

        // Wire message event callbacks for real-time chat updates
        await syncCoordinator.setMessageEventCallbacks(
            onDirectMessageReceived: { [weak self] message, contact in
                await self?.messageEventBroadcaster.handleDirectMessage(message, from: contact)
            },
            onChannelMessageReceived: { [weak self] message, channelIndex in
                await self?.messageEventBroadcaster.handleChannelMessage(message, channelIndex: channelIndex)
            }
        )

        // In AppState.wireServicesIfConnected
        await services.syncCoordinator.setDataChangeCallbacks(
            onContactsChanged: { @MainActor [weak self] in
                self?.contactsVersion += 1
            },
            onConversationsChanged: { @MainActor [weak self] in
                self?.conversationsVersion += 1
            }
        )
    }

    func disconnect(_ services: ServiceContainer) async {
        // Called by ConnectionManager when disconnecting
        await services.syncCoordinator.onDisconnected()
        // Reset sync activity count to prevent stuck pill
        syncActivityCount = 0
    }
}
