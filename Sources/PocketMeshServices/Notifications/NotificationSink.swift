/// A place that shows notifications: a desktop, a page, a log.
public protocol NotificationSink: Sendable {
    /// Returns whether notifications reach a user now.
    func isAvailable() async -> Bool
    /// Shows a notification, in place of one with the same id; throws when it reaches no user, or is refused.
    func show(_ request: NotificationRequest) async throws(StackError)
    /// Removes shown notifications; unknown ids are passed over.
    func remove(ids: [String]) async
    /// Shows how much is unread; 0 for nothing.
    func setBadge(_ count: Int) async
    /// Sets the handler of responses from now on, in place of an earlier one.
    ///
    /// It receives one response after the other. Sinks without a way to respond never call it.
    func setResponseHandler(_ handler: @escaping @Sendable (NotificationResponse) async -> Void) async
}

extension NotificationSink {
    /// Does nothing: this sink has no responses.
    public func setResponseHandler(_ handler: @escaping @Sendable (NotificationResponse) async -> Void) async {}
}

/// A sink that keeps its requests: for tests, and for pages that read them.
public actor MemoryNotificationSink: NotificationSink {
    /// The greatest number of requests that are kept; the oldest go first.
    public let capacity: Int
    /// The notifications that are shown, the oldest first.
    public private(set) var shown: [NotificationRequest] = []
    /// The number of unread messages that was to be shown last.
    public private(set) var badge = 0
    private var works = true
    private var handler: (@Sendable (NotificationResponse) async -> Void)?

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

    // Asynchronous like that of the protocol's extension, which would be preferred to it otherwise.
    public func setResponseHandler(_ handler: @escaping @Sendable (NotificationResponse) async -> Void) async {
        self.handler = handler
    }

    /// Responds as the user does: a page's click, or a test's. Returns when that is done; an unknown id is passed over.
    public func respond(_ action: NotificationAction, to id: String, text: String = "") async {
        guard let request = shown.first(where: { $0.id == id }), request.actions.contains(action) else { return }
        await handler?(.action(action, request, text: text))
    }

    /// Closes a notification as the user does; an unknown id is passed over.
    public func close(_ id: String) async {
        guard let index = shown.firstIndex(where: { $0.id == id }) else { return }
        await handler?(.closed(shown.remove(at: index)))
    }
}

/// Writes one line for each notification: category, group and length, never its author or its text.
public struct LogNotificationSink: NotificationSink {
    private let write: @Sendable (String) -> Void

    /// Makes a sink; `write` receives each line without its end.
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
