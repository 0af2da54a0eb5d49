/// The keeping of drafts: no stored draft is overwritten before it was read.
///
/// It governs when drafts may be stored. It does not read or write: `NotificationService` does.
///
/// ```
/// unread --begin--> reading --stored drafts--> kept       (drafts are stored in this state alone)
/// ```
struct DraftKeeping: ~Copyable {
    private enum State: ~Copyable {
        case unread(NotificationDrafts)
        case reading(NotificationDrafts)
        /// The drafts and the task that stores them, which ends after the ones before.
        case kept(NotificationDrafts, Task<Void, Never>?)
    }

    private var state = State.unread(NotificationDrafts())

    init() {}

    private init(_ state: consuming State) { self.state = state }

    /// The task that stores the drafts of the last change; `nil` when none does.
    var storing: Task<Void, Never>? {
        switch state {
        case .kept(_, let task): task
        case .unread: nil
        case .reading: nil
        }
    }

    /// Begins to read the stored drafts; returns `false` when that was begun before.
    mutating func beginReading() -> Bool {
        switch consume state {
        case .unread(let drafts):
            self = Self(.reading(drafts))
            return true
        case .reading(let drafts): self = Self(.reading(drafts))
        case .kept(let drafts, let task): self = Self(.kept(drafts, task))
        }
        return false
    }

    /// Puts the stored drafts before those that came meanwhile; from now on all are stored.
    mutating func read(_ stored: NotificationDrafts) {
        switch consume state {
        case .reading(var drafts):
            drafts.insert(stored)
            self = Self(.kept(drafts, nil))
        case .unread(let drafts): self = Self(.unread(drafts))
        case .kept(let drafts, let task): self = Self(.kept(drafts, task))
        }
    }

    /// Changes the drafts.
    mutating func change<T>(_ body: (inout NotificationDrafts) -> T) -> T {
        let result: T
        switch consume state {
        case .unread(var drafts):
            result = body(&drafts)
            self = Self(.unread(drafts))
        case .reading(var drafts):
            result = body(&drafts)
            self = Self(.reading(drafts))
        case .kept(var drafts, let task):
            result = body(&drafts)
            self = Self(.kept(drafts, task))
        }
        return result
    }

    /// Stores the drafts by a task that `make` begins, behind the one before; not before the stored ones were read.
    mutating func store(_ make: (NotificationDrafts, _ previous: Task<Void, Never>?) -> Task<Void, Never>) {
        switch consume state {
        case .kept(let drafts, let previous): self = Self(.kept(drafts, make(drafts, previous)))
        case .unread(let drafts): self = Self(.unread(drafts))
        case .reading(let drafts): self = Self(.reading(drafts))
        }
    }
}
