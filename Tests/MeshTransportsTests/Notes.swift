import Synchronization

/// The reported entries, in their order.
final class Notes<Entry: Sendable>: Sendable {
    private let entries = Mutex<[Entry]>([])
    var all: [Entry] { entries.withLock { $0 } }
    func add(_ entry: Entry) { entries.withLock { $0.append(entry) } }
}
