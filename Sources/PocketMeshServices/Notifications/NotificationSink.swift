/// What shows notifications to somebody: a desktop, a page, a log.
public protocol NotificationSink: Sendable {
    /// Whether notifications reach anybody now.
    func isAvailable() async -> Bool
    /// Shows a notification, in place of one with the same id; throws when nobody is reached, or it is refused.
    func show(_ request: NotificationRequest) async throws(StackError)
    /// Takes back what is shown; unknown ids are passed over.
    func remove(ids: [String]) async
    /// Shows how much is unread; 0 for nothing.
    func setBadge(_ count: Int) async
}

/// What a reader has done with a notification, away from the app's pages.
public enum NotificationAnswer: Sendable, Hashable {
    /// An action was chosen; the text of a reply.
    case performed(NotificationAction, NotificationRequest, text: String)
    /// The notification itself was chosen.
    case opened(NotificationRequest)
}

/// A sink whose readers can answer.
public protocol NotificationAnswering: NotificationSink {
    /// What readers do from now on.
    func answers() async -> AsyncStream<NotificationAnswer>
}

extension NotificationService {
    /// Does what readers choose, until the stream ends.
    public func follow(_ answers: AsyncStream<NotificationAnswer>) async {
        for await answer in answers {
            switch answer {
            case .performed(let action, let request, let text): await perform(action, on: request, text: text)
            case .opened(let request): await tap(request)
            }
        }
    }
}

/// Keeps what it is given: for tests, and for pages that ask for it.
public actor MemoryNotificationSink: NotificationSink {
    /// At most so many are kept; the oldest go first.
    public let capacity: Int
    /// What is shown, the oldest first.
    public private(set) var shown: [NotificationRequest] = []
    /// What was last to be shown as unread.
    public private(set) var badge = 0
    private var works = true

    public init(capacity: Int = 1000) {
        self.capacity = max(1, capacity)
    }

    /// Lets the sink refuse, or work again.
    public func setAvailable(_ isAvailable: Bool) { works = isAvailable }

    public func isAvailable() -> Bool { works }

    public func show(_ request: NotificationRequest) throws(StackError) {
        guard works else { throw StackError(.notifications, .noNotifications) }
        shown.removeAll { $0.id == request.id }
        if shown.count == capacity { shown.removeFirst() }
        shown.append(request)
    }

    public func remove(ids: [String]) { shown.removeAll { ids.contains($0.id) } }

    public func setBadge(_ count: Int) { badge = count }
}

/// Writes one line for each notification: category, group and length, never who wrote what.
public struct LogNotificationSink: NotificationSink {
    private let write: @Sendable (String) -> Void

    /// `write` takes a line without its end.
    public init(write: @escaping @Sendable (String) -> Void) {
        self.write = write
    }

    public func isAvailable() -> Bool { true }

    public func show(_ request: NotificationRequest) {
        write("notification \(request.category.rawValue) in \(request.group): \(request.body.utf8.count) bytes")
    }

    public func remove(ids: [String]) {
        if !ids.isEmpty { write("notifications taken back: \(ids.count)") }
    }

    public func setBadge(_ count: Int) { write("badge \(count)") }
}
