/// The latest values learned by a key: the oldest is forgotten for the newest.
struct RecentValues<Key: Equatable & Sendable, Value: Sendable>: Sendable {
    /// No client asks more than this before the first answer comes.
    static var limit: Int { 1024 }

    private var entries: [(key: Key, value: Value)] = []

    var count: Int { entries.count }

    subscript(key: Key) -> Value? {
        get { entries.last { $0.key == key }?.value }
        set {
            entries.removeAll { $0.key == key }
            guard let newValue else { return }
            if entries.count == Self.limit { entries.removeFirst() }
            entries.append((key, newValue))
        }
    }
}
