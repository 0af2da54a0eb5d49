/// A contact listing in progress: one contact a pass, on the live table (CMP-092 to CMP-094).
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
