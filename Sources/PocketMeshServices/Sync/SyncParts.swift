public import Foundation

/// Gets how many there were, and how many there will be (0 where nobody knows).
public typealias SyncProgressHandler = @Sendable (_ current: Int, _ total: Int) async -> Void

/// Brings the radio's contacts into the store.
public protocol ContactSynchronizing: Sendable {
    /// Incremental where that is enough.
    @discardableResult
    func synchronizeContacts(
        deviceID: UUID, progress: @escaping SyncProgressHandler
    ) async throws -> ContactSyncResult
}

/// Brings the radio's channels into the store.
public protocol ChannelSynchronizing: Sendable {
    /// Why slots could not be read; those are left as they were.
    @discardableResult
    func synchronizeChannels(deviceID: UUID, progress: @escaping SyncProgressHandler) async throws -> [String]
}

/// Says when the radio hears of contacts. What it hears while nobody takes it is kept.
public protocol DiscoverySource: Sendable {
    /// A node was heard for the first time that the radio leaves to the user to add.
    func setNewContactDiscoveredHandler(_ handler: (@Sendable (_ name: String, _ contactID: UUID) async -> Void)?) async
    /// A node was heard that is not in the store: the radio may have added it.
    func setContactSyncRequestHandler(_ handler: (@Sendable (_ deviceID: UUID) async -> Void)?) async
    /// While contacts are synchronised nothing asks for that; what would have is asked for behind it.
    func setSyncRunning(_ isRunning: Bool) async
}

/// The services of one connection, as far as a synchronisation needs them.
public protocol SyncServices: Sendable {
    var contactSync: any ContactSynchronizing { get async }
    var channelSync: any ChannelSynchronizing { get async }
    var polling: any MessagePolling { get async }
    var discovery: (any DiscoverySource)? { get async }
    /// Has every service listen to the radio.
    func startEventMonitoring(deviceID: UUID, enableAutoFetch: Bool) async
}
