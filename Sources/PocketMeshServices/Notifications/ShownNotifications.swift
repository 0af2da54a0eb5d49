/// The notifications that are shown, by conversation, for their removal.
struct ShownNotifications {
    /// The greatest number of remembered ids of a conversation.
    private static let idLimit = 100

    private var ids: [String: [String]] = [:]

    mutating func add(_ request: NotificationRequest) {
        ids[request.group, default: []].append(request.id)
        if ids[request.group, default: []].count > Self.idLimit { ids[request.group]?.removeFirst() }
    }

    mutating func forget(id: String) {
        for group in ids.keys.sorted() { ids[group]?.removeAll { $0 == id } }
    }

    /// Forgets a conversation; returns the ids of its notifications.
    mutating func forget(group: String) -> [String] { ids.removeValue(forKey: group) ?? [] }
}
