public import FoundationEssentials

/// Receives the number of items so far, and of all (0 where that is unknown).
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
    /// Synchronises the channels, and returns why slots could not be read; those are left as they were.
    @discardableResult
    func synchronizeChannels(deviceID: UUID, progress: @escaping SyncProgressHandler) async throws -> [String]
}

/// A source of news about contacts from the radio. News without a receiver is kept.
public protocol DiscoverySource: Sendable {
    /// Sets the receiver from now on, in place of an earlier one, and sends it first the news that none has received.
    func setDiscoveryTaker(_ taker: DiscoveryTaker?) async
    /// Holds back requests for a synchronisation of contacts while one runs; they follow after it.
    func setSyncRunning(_ isRunning: Bool) async
}

/// The receiver of the radio's news about contacts.
public struct DiscoveryTaker: Sendable {
    /// A node was heard for the first time that the radio leaves to the user to add.
    public var newContact: (@Sendable (_ name: String, _ contactID: UUID) async -> Void)?
    /// A node was heard that is not in the store: the radio may have added it.
    public var contactSync: (@Sendable (_ deviceID: UUID) async -> Void)?

    public init(
        newContact: (@Sendable (_ name: String, _ contactID: UUID) async -> Void)? = nil,
        contactSync: (@Sendable (_ deviceID: UUID) async -> Void)? = nil
    ) {
        self.newContact = newContact
        self.contactSync = contactSync
    }
}

/// The services of one connection, as far as a synchronisation needs them.
public protocol SyncServices: Sendable {
    /// Synchronises contacts.
    var contactSync: any ContactSynchronizing { get async }
    /// Synchronises channels.
    var channelSync: any ChannelSynchronizing { get async }
    /// The service that requests messages from the radio's queue.
    var polling: any MessagePolling { get async }
    /// The source of news about nodes that were heard; `nil` for none.
    var discovery: (any DiscoverySource)? { get async }
    /// The receivers of posts of rooms and answers to command lines.
    var takers: IncomingTakers { get async }
    /// Has every service listen to the radio.
    func startEventMonitoring(deviceID: UUID, enableAutoFetch: Bool) async
}
