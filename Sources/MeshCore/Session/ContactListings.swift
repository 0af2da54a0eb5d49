/// The listings of contacts that run or wait for their turn, while a caller waits for them.
struct ContactListings {
    /// A running listing, for a second caller with the same request.
    struct Listing: Sendable {
        var number: Int
        var since: UInt32?
        var task: Task<ContactTable, any Error>
        /// The number of callers that wait for it; without any it is given up.
        var callers = 1
    }

    private var running: [Listing] = []
    private var count = 0

    /// Adds a caller to the latest listing with the same request; `nil` when there is none.
    mutating func join(since: UInt32?) -> Listing? {
        guard let index = running.lastIndex(where: { $0.since == since }) else { return nil }
        running[index].callers += 1
        return running[index]
    }

    /// Adds a listing for one caller.
    mutating func add(since: UInt32?, _ begin: (Int) -> Task<ContactTable, any Error>) -> Listing {
        count += 1
        let listing = Listing(number: count, since: since, task: begin(count))
        running.append(listing)
        return listing
    }

    /// Notes that a caller has gone; returns the task of a listing that has no caller left, which is given up.
    ///
    /// Later callers do not join it.
    mutating func leave(_ number: Int) -> Task<ContactTable, any Error>? {
        guard let index = running.firstIndex(where: { $0.number == number }) else { return nil }
        running[index].callers -= 1
        return running[index].callers == 0 ? running.remove(at: index).task : nil
    }

    /// A listing has ended.
    mutating func end(_ number: Int) { running.removeAll { $0.number == number } }

    /// Forgets all listings. Their numbers stay used, because their tasks still end.
    mutating func forget() { running = [] }
}
