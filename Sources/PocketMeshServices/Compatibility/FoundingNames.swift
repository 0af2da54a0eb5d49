// Names that the founding documents give, so that programs written after them find them.

// MARK: Store

/// The database: `PersistenceStore`.
public typealias DataStore = PersistenceStore

/// The store that keeps the wanted radio over restarts: the settings. See `ConnectionManager.activate`.
public typealias ConnectionIntentStore = SettingsStore

// MARK: Errors

// New code says `StackError`, and tells the services apart by its operation.

/// The error of a synchronisation: `StackError` with the operation `sync`.
public typealias SyncCoordinatorError = StackError

/// The error of the database: `StackError` with the operation `store`.
public typealias PersistenceStoreError = StackError

/// The error of sessions with other nodes: `StackError` with the operation `nodes`.
public typealias RemoteNodeError = StackError

/// The error of posts in rooms: `StackError` with the operation `rooms`.
public typealias RoomServerError = StackError

/// The error of adverts: `StackError` with the operation `adverts`.
public typealias AdvertisementError = StackError

// MARK: Callbacks

// New code subscribes to `StackEvents`.

extension SyncCoordinator {
    /// Has these called with each `StackEvent.syncActivityChanged`, one after the other. Earlier ones are replaced, by
    /// `nil` too; nothing waits for them.
    public func setSyncActivityCallbacks(
        onStarted: (@Sendable () async -> Void)?, onEnded: (@Sendable () async -> Void)?
    ) {
        callbacks.replace(.activity, of: events) { event in
            guard case .syncActivityChanged(let isShown) = event else { return nil }
            return isShown ? onStarted : onEnded
        }
    }

    /// Sets the callbacks for changes of contacts and of conversations.
    ///
    /// They are called one after the other. Earlier ones are replaced, by `nil` too; nothing waits for them.
    public func setDataChangeCallbacks(
        onContactsChanged: (@MainActor () -> Void)?, onConversationsChanged: (@MainActor () -> Void)?
    ) {
        callbacks.replace(.changes, of: events) { event in
            let callback: (@MainActor () -> Void)?
            switch event {
            case .contactListChanged: callback = onContactsChanged
            case .conversationListChanged: callback = onConversationsChanged
            default: callback = nil
            }
            return callback.map { callback in { @Sendable in await callback() } }
        }
    }

    /// Sets the callbacks for each new text, of a contact or in a slot counted from 0.
    ///
    /// They are called one after the other. Earlier ones are replaced, by `nil` too; nothing waits for them.
    public func setMessageEventCallbacks(
        onDirectMessageReceived: (@Sendable (MessageDTO, ContactDTO) async -> Void)?,
        onChannelMessageReceived: (@Sendable (MessageDTO, _ channelIndex: UInt8) async -> Void)?
    ) {
        callbacks.replace(.messages, of: events) { event in
            switch event {
            case .directMessageReceived(let message, let contact):
                onDirectMessageReceived.map { callback in { @Sendable in await callback(message, contact) } }
            case .channelMessageReceived(let message, let slot):
                onChannelMessageReceived.map { callback in { @Sendable in await callback(message, slot) } }
            default: nil
            }
        }
    }
}

/// Callbacks that events bring about, those of each kind in the order of the events.
struct FoundingCallbacks: Sendable {
    enum Kind: Hashable, CaseIterable, Sendable { case activity, changes, messages }

    typealias Callback = @Sendable () async -> Void

    /// Events that wait for callbacks which are late: as many as one drain may bring.
    private static let bufferSize = SyncPolicy().drainLimit

    private var subscriptions: [Kind: StackEvents.Subscription] = [:]

    /// Sets the callbacks for events of a kind: `callback` returns the one for an event.
    mutating func replace(
        _ kind: Kind, of events: StackEvents, by callback: @escaping @Sendable (StackEvent) -> Callback?
    ) {
        let subscription = events.subscribe(bufferSize: Self.bufferSize) { callback($0) != nil }
        subscriptions.updateValue(subscription, forKey: kind)?.cancel()
        Task(name: "callbacks of a synchronisation") {
            for await event in subscription.events { await callback(event)?() }
        }
    }

    /// Ends the calls; only events up to now are still reported.
    mutating func end() {
        for kind in Kind.allCases { subscriptions.removeValue(forKey: kind)?.cancel() }
    }
}
