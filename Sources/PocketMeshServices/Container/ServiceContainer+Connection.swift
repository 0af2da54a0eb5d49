public import Foundation

extension ServiceContainer: SyncServices {
    public var contactSync: any ContactSynchronizing { contactService }
    public var channelSync: any ChannelSynchronizing { channelService }
    public var polling: any MessagePolling { messagePollingService }
    public var discovery: (any DiscoverySource)? { advertisementService }
}

extension ServiceContainer: ServiceGraph {
    public func onConnectionEstablished(deviceID: UUID) async throws {
        try await performInitialSync(deviceID: deviceID)
    }

    public func onConnectionReady(deviceID: UUID) async {}
}
