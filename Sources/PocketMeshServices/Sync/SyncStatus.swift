public import FoundationEssentials
public import Observation

/// The status of the synchronisation that a page shows, with the counters that make it load its lists anew.
@MainActor @Observable
public final class SyncStatus {
    /// The state of the synchronisation.
    public private(set) var state = SyncState.idle
    /// Rises whenever contacts have changed.
    public private(set) var contactsVersion = 0
    /// Rises whenever a conversation has changed.
    public private(set) var conversationsVersion = 0
    /// The end of the last synchronisation that succeeded.
    public private(set) var lastSyncDate: Date?
    /// The outcome of the last synchronisation that was not called off; stays when the link goes. `nil` before the
    /// first.
    public private(set) var lastOutcome: SyncOutcome?
    /// A callback for each new state, in order.
    @ObservationIgnored public var onStateChange: (@MainActor (SyncState) -> Void)?

    @ObservationIgnored private var newestStamp = 0

    public nonisolated init() {}

    /// Counts a change of contacts.
    public func noteContactsChanged() { contactsVersion += 1 }

    /// Counts a change of conversations.
    public func noteConversationsChanged() { conversationsVersion += 1 }

    /// Shows a state unless a later one is there already: the states of two tasks may come in either order.
    func show(_ state: SyncState, stamp: Int, syncedAt date: Date? = nil, outcome: SyncOutcome? = nil) {
        guard stamp > newestStamp else { return }
        newestStamp = stamp
        self.state = state
        if let date { lastSyncDate = date }
        if let outcome { lastOutcome = outcome }
        onStateChange?(state)
    }
}
