/// The state of the synchronisation with the radio.
///
///     idle ──> syncing(contacts) ──> syncing(channels) ──> syncing(messages) ──> synced
///      ^              │                      │                     │
///      │ link lost    └──────────────────────┴─────────────────────┴──> failed
///
/// From `synced` and `failed` a further synchronisation begins anew; the loss of the link leads back to `idle`.
public enum SyncState: Sendable, Hashable {
    case idle
    /// A phase is under way.
    case syncing(progress: SyncProgress)
    case synced
    /// The last synchronisation ended with this error; everything received before it is kept.
    case failed(StackError)
}

/// The progress of a phase.
public struct SyncProgress: Sendable, Hashable {
    /// The phase: contacts, channels or messages.
    public let phase: SyncPhase
    /// The number of items of the phase that are done.
    public let current: Int
    /// The number of items of the phase; 0 where it is unknown.
    public let total: Int

    public init(phase: SyncPhase, current: Int = 0, total: Int = 0) {
        self.phase = phase
        self.current = current
        self.total = total
    }
}

/// The phases, in their order.
public enum SyncPhase: String, Sendable, Hashable {
    case contacts
    case channels
    case messages
}
