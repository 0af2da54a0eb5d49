public import Foundation

/// Whom an `AdvertisementService` tells what it has noticed.
struct AdvertHandlers: Sendable {
    var advert: (@Sendable (_ publicKey: Data) async -> Void)?
    var pathUpdate: (@Sendable (ContactDTO) async -> Void)?
    var pathDiscovery: (@Sendable (DiscoveredPath) async -> Void)?
    var routingChanged: (@Sendable (_ contactID: UUID, _ isFlood: Bool) async -> Void)?
    var pathRefresh: (@Sendable (_ publicKey: Data) async -> Void)?
    var contactUpdated: (@Sendable (_ contactID: UUID) async -> Void)?
    var newContactDiscovered: (@Sendable (_ name: String, _ contactID: UUID) async -> Void)?
    var contactSyncRequest: (@Sendable (_ deviceID: UUID) async -> Void)?
    var contactDeleted: (@Sendable (_ publicKey: Data) async -> Void)?
    var contactsFull: (@Sendable () async -> Void)?
    var nodeDiscovered: (@Sendable (NodeDiscovery) async -> Void)?
}

extension AdvertisementService {
    /// An advert was heard, of whichever node.
    public func setAdvertHandler(_ handler: (@Sendable (_ publicKey: Data) async -> Void)?) {
        handlers.advert = handler
    }

    /// The radio has another path to a contact, which is stored.
    public func setPathUpdateHandler(_ handler: (@Sendable (ContactDTO) async -> Void)?) {
        handlers.pathUpdate = handler
    }

    /// A node has answered a path discovery; stored where the answer fits one contact only.
    public func setPathDiscoveryHandler(_ handler: (@Sendable (DiscoveredPath) async -> Void)?) {
        handlers.pathDiscovery = handler
    }

    /// Messages to a contact are flooded now, or are not flooded any more.
    public func setRoutingChangedHandler(
        _ handler: (@Sendable (_ contactID: UUID, _ isFlood: Bool) async -> Void)?
    ) {
        handlers.routingChanged = handler
    }

    /// The radio has said that a path is another; the contact is asked for next.
    public func setPathRefreshHandler(_ handler: (@Sendable (_ publicKey: Data) async -> Void)?) {
        handlers.pathRefresh = handler
    }

    /// The row of a contact has changed.
    public func setContactUpdatedHandler(_ handler: (@Sendable (_ contactID: UUID) async -> Void)?) {
        handlers.contactUpdated = handler
    }

    /// A node was heard that the radio did not make a contact; told once for each key.
    ///
    /// What was discovered before a handler was set is told to the first one.
    public func setNewContactDiscoveredHandler(
        _ handler: (@Sendable (_ name: String, _ contactID: UUID) async -> Void)?
    ) {
        handlers.newContactDiscovered = handler
        tellDiscoveries()
    }

    /// The radio has contacts that the store does not know: a synchronisation is due.
    ///
    /// A request that fell due before a handler was set reaches the first one.
    public func setContactSyncRequestHandler(_ handler: (@Sendable (_ deviceID: UUID) async -> Void)?) {
        handlers.contactSyncRequest = handler
        requestOwedSync()
    }

    /// The radio has dropped a contact by itself; the row is marked so.
    public func setContactDeletedHandler(_ handler: (@Sendable (_ publicKey: Data) async -> Void)?) {
        handlers.contactDeleted = handler
    }

    /// A node was heard for which the radio has no room.
    public func setContactsFullHandler(_ handler: (@Sendable () async -> Void)?) {
        handlers.contactsFull = handler
    }

    /// A node has answered the question who is around.
    public func setNodeDiscoveredHandler(_ handler: (@Sendable (NodeDiscovery) async -> Void)?) {
        handlers.nodeDiscovered = handler
    }
}
