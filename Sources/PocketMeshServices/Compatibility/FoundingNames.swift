// Names that the founding documents give, so that programs written after them find them.

// MARK: Store

/// The database: `PersistenceStore`.
public typealias DataStore = PersistenceStore

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
    /// Has these called with each `StackEvent.syncActivityChanged`, one after the other. Earlier ones are replaced, by `nil`
    /// too; nothing waits for them.
    public func setSyncActivityCallbacks(
        onStarted: (@Sendable () async -> Void)?, onEnded: (@Sendable () async -> Void)?
    ) {
        callbacks.replace(.activity, of: events) { event in
            guard case .syncActivityChanged(let isShown) = event else { return nil }
            return isShown ? onStarted : onEnded
        }
    }

    /// Has these called behind changes of contacts and of conversations, one after the other. Earlier ones are replaced,
    /// by `nil` too; nothing waits for them.
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
}

/// Callbacks that events bring about, those of each kind in the order of the events.
struct FoundingCallbacks: Sendable {
    enum Kind: Hashable, Sendable { case activity, changes }

    typealias Callback = @Sendable () async -> Void

    private var subscriptions: [Kind: StackEvents.Subscription] = [:]

    /// From now on `callback` says what is called for an event.
    mutating func replace(
        _ kind: Kind, of events: StackEvents, by callback: @escaping @Sendable (StackEvent) -> Callback?
    ) {
        let subscription = events.subscribe { callback($0) != nil }
        subscriptions.updateValue(subscription, forKey: kind)?.cancel()
        Task(name: "callbacks of a synchronisation") {
            for await event in subscription.events { await callback(event)?() }
        }
    }

    /// Nothing more is called than what has happened by now.
    mutating func end() {
        subscriptions.removeValue(forKey: .activity)?.cancel()
        subscriptions.removeValue(forKey: .changes)?.cancel()
    }
}
