/// A contact listing in progress: one contact a pass, on the live table (companion document §9.1).
struct ListingProgress: Sendable {
    /// The next slot to look at.
    var next = ContactTable.transientSlots
    /// Only contacts changed later than this are sent.
    var since: UInt32
    /// The newest change among the contacts sent.
    var newest: UInt32 = 0
    /// Whether anything was sent.
    var hasSent = false
}
