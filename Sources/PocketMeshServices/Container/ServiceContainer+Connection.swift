public import FoundationEssentials
import Logging
import MeshCompanion

extension ServiceContainer: SyncServices {
    public nonisolated var contactSync: any ContactSynchronizing { contactService }
    public nonisolated var channelSync: any ChannelSynchronizing { channelService }
    public nonisolated var polling: any MessagePolling { messagePollingService }
    public nonisolated var discovery: (any DiscoverySource)? { advertisementService }

    /// The receivers of posts, which the room service handles, and of answers to command lines.
    ///
    /// Services are held weakly: they end with the container, even if another object holds the receivers.
    public nonisolated var takers: IncomingTakers {
        IncomingTakers(
            roomPost: { [weak roomServerService] post in
                try await roomServerService?.handleIncomingMessage(
                    deviceID: post.deviceID, senderPublicKeyPrefix: post.roomPrefix, timestamp: post.timestamp,
                    authorPrefix: post.authorPrefix, text: post.text)
            },
            commandAnswer: { [weak remoteNodeService, events] answer, sender in
                let text = answer.message.text.string
                let isAwaited = await remoteNodeService?.handleCLIResponse(senderPrefix: sender.publicKey, text: text)
                guard isAwaited != true else { return }
                let session = StableIdentifier.session(deviceID: sender.deviceID, publicKey: sender.publicKey)
                events.emit(.commandAnswered(sessionID: session, text: text))
            })
    }
}

extension ServiceContainer: ServiceGraph {
    public var container: ServiceContainer? { self }

    /// Makes the connection ready; see `SyncCoordinator.onConnectionEstablished`.
    public func performInitialSync(deviceID: UUID) async throws {
        await wireServices()
        try await syncCoordinator.onConnectionEstablished(deviceID: deviceID, services: self)
    }

    public func onConnectionEstablished(deviceID: UUID) async throws {
        try await performInitialSync(deviceID: deviceID)
    }

    /// Sends messages that waited for the radio, and renews the logins.
    public func onConnectionReady(deviceID: UUID) async {
        async let logins: Void = renewSessions(deviceID)
        do { try await messageService.drainQueue(deviceID: deviceID) } catch {
            dependencies.log.warning("queued messages were not sent", metadata: ["error": "\(error)"])
        }
        await logins
    }

    private func renewSessions(_ deviceID: UUID) async {
        do { try await remoteNodeService.handleLinkReconnection(deviceID: deviceID) } catch {
            dependencies.log.warning("sessions were not renewed", metadata: ["error": "\(error)"])
        }
    }
}
