import FoundationEssentials

/// The decision to request a synchronisation of contacts, and the reason for it.
struct SyncRequest {
    var isSyncRunning = false
    /// True when the pause has passed; the request waits for the end of a running sync, or for a receiver.
    var isDue = false
    private var isWaiting = false
    private var keys: [Data] = []
    private var isWholesale = false

    /// The greatest number of keys that are remembered; with more, the request is for all.
    static let keyLimit = 64

    /// Notes a node that is missing (`nil`: any); returns whether this begins the pause.
    mutating func add(_ key: Data?) -> Bool {
        if let key, keys.count < Self.keyLimit {
            if !keys.contains(key) { keys.append(key) }
        } else {
            isWholesale = true
        }
        guard !isWaiting, !isDue else { return false }
        isWaiting = true
        return true
    }

    /// Removes and returns the request: the missing keys, `nil` when there may be others.
    mutating func take() -> [Data]? {
        defer {
            let isSyncRunning = isSyncRunning
            self = SyncRequest()
            self.isSyncRunning = isSyncRunning
        }
        return isWholesale ? nil : keys
    }
}
