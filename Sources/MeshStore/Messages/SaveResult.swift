/// The result for a message that was to be stored.
public enum SaveResult: Sendable, Hashable {
    /// Stored, at this place in the order of arrival.
    case inserted(receivedOrder: Int64)
    /// The same message is there already; nothing was changed.
    case duplicate

    /// True when the message was there before.
    public var isDuplicate: Bool { self == .duplicate }
}
