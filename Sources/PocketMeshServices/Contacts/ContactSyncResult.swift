/// The result of a synchronisation of contacts.
public struct ContactSyncResult: Hashable, Sendable {
    /// Contacts that the radio sent.
    public var contactsReceived: Int
    /// The watermark now, on the radio's clock; 0 for none.
    public var lastSyncTimestamp: UInt32
    /// `false`: the whole table was listed.
    public var isIncremental: Bool
    /// False when the radio sent fewer contacts than it has.
    ///
    /// Then no contact was marked as gone, and the next sync is a full one.
    public var isComplete: Bool

    public init(contactsReceived: Int, lastSyncTimestamp: UInt32, isIncremental: Bool, isComplete: Bool = true) {
        self.contactsReceived = contactsReceived
        self.lastSyncTimestamp = lastSyncTimestamp
        self.isIncremental = isIncremental
        self.isComplete = isComplete
    }
}
