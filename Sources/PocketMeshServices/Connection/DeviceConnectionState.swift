/// The state of the connection between the stack and its radio.
///
/// ```
/// disconnected --> connecting --> connected --> ready
///       ^              ^              |           |
///       |              +---- lost ----+-----------+
///       +--- the user, or reconnection is off or gave up
/// ```
public enum DeviceConnectionState: String, Hashable, Sendable, CaseIterable {
    case disconnected
    /// The link is being opened, for the first time or again, and the radio introduces itself.
    case connecting
    /// The radio has introduced itself; the first synchronisation runs.
    case connected
    /// The first synchronisation has ended, well or not.
    case ready

    /// True when messages are sent at once; in other states they are queued.
    public var canSend: Bool { self == .ready }
}
