public import FoundationEssentials
import Logging
public import MeshCore
import MeshWire

/// Synchronises with the radio, and reports to pages.
///
/// `SyncPlan` decides on the order of steps, and on what follows a failure. This actor has the services, the waits and
/// the reports.
///
/// ```
/// handlers ── events ── contacts ── channels ── messages ── discovery ── automatic fetch
///                       └─── activity shown ──┘ └ burst ─┘
/// ```
public actor SyncCoordinator: ListRefreshing {
    /// The status that pages observe.
    public nonisolated let status = SyncStatus()
    /// The handlers of received messages.
    public nonisolated let incoming: IncomingMessageHandlers
    let notifier: any MessageNotifying
    let policy: SyncPolicy
    let dependencies: ServiceDependencies
    /// The events about each new text, about pages and their lists, and about the failure of the last retry.
    public nonisolated let events: StackEvents

    /// The connection that is up.
    struct Connection {
        var number: Int
        var deviceID: UUID
        var services: any SyncServices
    }

    var plan: SyncPlan
    var connection: Connection?
    /// The task of the run that is on its way, or was last.
    var running: Task<Void, any Error>?
    var retry: Task<Void, Never>?
    var contactSync: Task<Void, Never>?
    var callbacks = FoundingCallbacks()
    private var stamp = 0

    /// Makes the coordinator of one connection: its session, and the store that keeps the results.
    public init(
        session: MeshCoreSession, store: PersistenceStore, profile: StackProfile,
        dependencies: ServiceDependencies, events: StackEvents = StackEvents(), notifier: any MessageNotifying
    ) {
        policy = profile.sync
        plan = SyncPlan(policy: profile.sync)
        self.dependencies = dependencies
        self.events = events
        self.notifier = notifier
        incoming = IncomingMessageHandlers(
            session: session, store: store, notifier: notifier, dependencies: dependencies, events: events)
    }

    // MARK: State

    /// The state of the synchronisation.
    @MainActor public var state: SyncState { status.state }
    /// Grows with every change of contacts.
    @MainActor public var contactsVersion: Int { status.contactsVersion }
    /// Grows with every change of conversations.
    @MainActor public var conversationsVersion: Int { status.conversationsVersion }
    /// The end of the last synchronisation that succeeded; `nil` before the first.
    @MainActor public var lastSyncDate: Date? { status.lastSyncDate }

    /// The outcome of the last synchronisation; `nil` before the first.
    @MainActor public var lastOutcome: SyncOutcome? { status.lastOutcome }

    func show(_ state: SyncState, outcome: SyncOutcome?) async {
        stamp += 1
        if case .failed(let failure) = state {
            dependencies.log.warning("a synchronisation failed", metadata: ["error": "\(failure)"])
        }
        await status.show(state, stamp: stamp, syncedAt: state == .synced ? dependencies.now() : nil, outcome: outcome)
    }

    // MARK: Callbacks

    public func notifyContactsChanged() async {
        await status.noteContactsChanged()
        events.emit(.contactListChanged)
    }

    /// Reports changed conversations to pages; a running synchronisation reports it once, at its end.
    public func notifyConversationsChanged() async {
        if plan.noteConversationsChanged() { await tellConversations() }
    }

    func tellConversations() async {
        await status.noteConversationsChanged()
        events.emit(.conversationListChanged)
    }

    /// Ends everything and forgets all callbacks; earlier events may still reach them.
    public func stop() async {
        await onDisconnected()
        await incoming.stop()
        callbacks.end()
    }
}
