public import Foundation
import Logging

extension ServiceContainer: SyncServices {
    public nonisolated var contactSync: any ContactSynchronizing { contactService }
    public nonisolated var channelSync: any ChannelSynchronizing { channelService }
    public nonisolated var polling: any MessagePolling { messagePollingService }
    public nonisolated var discovery: (any DiscoverySource)? { advertisementService }
}

extension ServiceContainer: ServiceGraph {
    /// Takes the connection into use; see `SyncCoordinator.onConnectionEstablished`.
    public func performInitialSync(deviceID: UUID) async throws {
        await wireServices()
        try await syncCoordinator.onConnectionEstablished(deviceID: deviceID, services: self)
    }

    public func onConnectionEstablished(deviceID: UUID) async throws {
        try await performInitialSync(deviceID: deviceID)
    }

    /// Sends what waited for the radio, and logs in again where we were logged in.
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
