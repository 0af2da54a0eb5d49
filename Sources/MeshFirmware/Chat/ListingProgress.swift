/// A contact listing in progress: one contact a pass, on the live table (CMP-092 to CMP-094).
package struct ListingProgress: Sendable {
    /// The next slot to look at.
    package var next: Int
    /// Only contacts changed later than this are sent.
    package var since: UInt32
    /// The newest change among the contacts sent.
    var newest: UInt32 = 0
    /// True when at least one contact was sent.
    var hasSent = false

    /// A listing that has sent nothing yet.
    package init(next: Int, since: UInt32) {
        self.next = next
        self.since = since
    }
}
