public import Foundation
import Logging
import MeshCompanion
public import MeshCore
import MeshWire

/// Decides when what is synchronised with the radio, and tells pages about it.
///
/// The order of a connection is fixed here: who takes messages stands before the first event is listened to, and no
/// message is asked for before contacts and channels are known, so that each finds its conversation.
///
/// ```
/// handlers ── events ── contacts ── channels ── messages ── discovery ── automatic fetch
///                       └─── activity shown ──┘ └ burst ─┘
/// ```
public actor SyncCoordinator: ListRefreshing {
    /// What pages observe.
    public nonisolated let status = SyncStatus()
    /// What happens when a message comes.
    public nonisolated let incoming: IncomingMessageHandlers
    let notifier: any MessageNotifying
    let policy: SyncPolicy
    let dependencies: ServiceDependencies
    /// Tells of each new text that has come, and `syncGaveUp` when the last retry has failed.
    public nonisolated let events: StackEvents

    /// A synchronisation on its way.
    struct Run {
        var number: Int
        var task: Task<Void, any Error>
    }

    /// The connection that is up.
    struct Connection {
        var number: Int
        var deviceID: UUID
        var services: any SyncServices
    }

    var running: Run?
    var runCount = 0
    var connection: Connection?
    var connectionCount = 0
    /// The run whose activity is shown.
    var activityOf: Int?
    /// The run whose messages are summed up.
    var burstOf: Int?
    var onStarted: (@Sendable () async -> Void)?
    var onEnded: (@Sendable () async -> Void)?
    /// Calls to the two above, one after the other.
    var activityCalls: Task<Void, Never>?
    /// Whether conversations changed during the run, which tells so at its end.
    var hasUntoldChanges = false
    /// Whether retries still have something to do.
    var isOwed = false
    var stamp = 0
    var retry: Task<Void, Never>?
    var contactSync: Task<Void, Never>?
    /// Whether contacts have to be synchronised once more when that is free.
    var mustSyncContacts = false

    /// Serves one connection: its session, and the store in which what it learns is kept.
    public init(
        session: MeshCoreSession, store: any PersistenceStoreProtocol, profile: StackProfile,
        dependencies: ServiceDependencies, events: StackEvents = StackEvents(), notifier: any MessageNotifying
    ) {
        policy = profile.sync
        self.dependencies = dependencies
        self.events = events
        self.notifier = notifier
        incoming = IncomingMessageHandlers(
            session: session, store: store, notifier: notifier, dependencies: dependencies, events: events)
    }

    // MARK: State

    /// Where the synchronisation stands.
    @MainActor public var state: SyncState { status.state }
    /// Grows with every change of contacts.
    @MainActor public var contactsVersion: Int { status.contactsVersion }
    /// Grows with every change of conversations.
    @MainActor public var conversationsVersion: Int { status.conversationsVersion }
    /// When the last synchronisation ended well; nil before the first.
    @MainActor public var lastSyncDate: Date? { status.lastSyncDate }

    /// How the last synchronisation ended; nil before the first.
    @MainActor public var lastOutcome: SyncOutcome? { status.lastOutcome }

    func show(_ state: SyncState, syncedAt date: Date? = nil, outcome: SyncOutcome? = nil) async {
        stamp += 1
        await status.show(state, stamp: stamp, syncedAt: date, outcome: outcome)
    }

    // MARK: Callbacks

    /// Called around the phases that a page shows activity for: each start has exactly one end.
    public func setSyncActivityCallbacks(
        onStarted: (@Sendable () async -> Void)?, onEnded: (@Sendable () async -> Void)?
    ) {
        self.onStarted = onStarted
        self.onEnded = onEnded
    }

    /// Has these called after changes of contacts and of conversations; earlier ones are replaced, by `nil` too.
    public func setDataChangeCallbacks(
        onContactsChanged: (@MainActor () -> Void)?, onConversationsChanged: (@MainActor () -> Void)?
    ) async {
        await status.setDataChangeCallbacks(
            onContactsChanged: onContactsChanged, onConversationsChanged: onConversationsChanged)
    }

    /// Has `incoming` call these with each new text, and wait for them; earlier ones are replaced, by `nil` too.
    public func setMessageEventCallbacks(
        onDirectMessageReceived: IncomingMessageHandlers.DirectMessageEvent?,
        onChannelMessageReceived: IncomingMessageHandlers.ChannelMessageEvent?
    ) async {
        await incoming.setMessageEventCallbacks(
            onDirectMessageReceived: onDirectMessageReceived, onChannelMessageReceived: onChannelMessageReceived)
    }

    public func notifyContactsChanged() async { await status.noteContactsChanged() }

    /// Tells pages of changed conversations; a synchronisation that runs tells it once, at its end.
    public func notifyConversationsChanged() async {
        if running != nil {
            hasUntoldChanges = true
        } else {
            await status.noteConversationsChanged()
        }
    }

    /// Ends everything and forgets all callbacks.
    public func stop() async {
        await onDisconnected()
        await incoming.stop()
        (onStarted, onEnded) = (nil, nil)
        await status.setDataChangeCallbacks(onContactsChanged: nil, onConversationsChanged: nil)
    }
}
