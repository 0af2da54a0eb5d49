/// Where the synchronisation with the radio stands.
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
    /// The last synchronisation ended with this error; what came before it is kept.
    case failed(StackError)
}

/// How far a phase has come.
public struct SyncProgress: Sendable, Hashable {
    /// What is synchronised.
    public let phase: SyncPhase
    /// How much of the phase is done.
    public let current: Int
    /// 0 where nobody knows how much there is.
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
