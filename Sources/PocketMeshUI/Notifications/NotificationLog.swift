public import Observation
public import PocketMeshServices

/// A notification as a page shows it.
public struct NotificationPresentation: Codable, Sendable, Hashable, Identifiable {
    /// The request's id.
    public var id: String
    /// The category of the notification.
    public var category: String
    /// The name of the contact, channel or room.
    public var title: String
    /// The text itself; never markup.
    public var body: String
    /// True when the notification makes a sound.
    public var hasSound: Bool
    /// The actions that it offers: `REPLY_ACTION`, `MARK_READ_ACTION`, `DISMISS_ACTION`.
    public var actions: [String]
    /// The words for the actions.
    public var actionLabels: [String]

    init(_ request: NotificationRequest) {
        id = request.id
        category = request.category.rawValue
        title = Self.title(of: request) ?? request.title
        body = Self.body(of: request) ?? request.body
        hasSound = request.hasSound
        // To open it needs no button: that is what choosing the notification does.
        let buttons = request.actions.filter { $0 != .open }
        actions = buttons.map(\.rawValue)
        actionLabels = buttons.map(\.label)
    }

    /// The title that is a text of the app; `nil` for a name.
    private static func title(of request: NotificationRequest) -> String? {
        switch request.category {
        case .summary: Texts.string(.notificationSummary)
        case .newContact: Texts.string(.notificationNewContact)
        default: nil
        }
    }

    /// The body that is a text of the app; `nil` for one that came from others.
    private static func body(of request: NotificationRequest) -> String? {
        switch (request.category, request.amount) {
        case (.summary, let count?): Texts.counted(count, .notificationMessages)
        case (.lowBattery, let millivolts?): Texts.string(.notificationBattery, "\(millivolts)")
        case (.quickReplyFailed, _): Texts.string(.notificationReplyFailed)
        default: nil
        }
    }
}

extension NotificationAction {
    /// The word on its button.
    public var label: String {
        switch self {
        case .open: Texts.string(.actionOpen)
        case .reply: Texts.string(.actionReply)
        case .markRead: Texts.string(.actionMarkRead)
        case .dismiss: Texts.string(.actionDismiss)
        }
    }
}

/// The last notifications to the user, for pages; the newest last.
@MainActor @Observable
public final class NotificationLog {
    /// The greatest number of notifications that are kept.
    public static let capacity = 100

    /// The notifications that are shown.
    public private(set) var requests: [NotificationRequest] = []
    /// The number of unread messages on the page's icon.
    public private(set) var badge = 0
    @ObservationIgnored var onChange: (@MainActor () -> Void)?

    public nonisolated init() {}

    /// The notifications in the form that pages show.
    public var presentations: [NotificationPresentation] { requests.map(NotificationPresentation.init) }

    /// The request of an id, to perform an action on.
    public func request(id: String) -> NotificationRequest? { requests.first { $0.id == id } }

    func add(_ request: NotificationRequest) {
        requests.removeAll { $0.id == request.id }
        requests.append(request)
        if requests.count > Self.capacity { requests.removeFirst() }
        onChange?()
    }

    func remove(_ ids: [String]) {
        let count = requests.count
        requests.removeAll { ids.contains($0.id) }
        if requests.count != count { onChange?() }
    }

    func setBadge(_ count: Int) {
        guard badge != count else { return }
        badge = count
        onChange?()
    }
}

/// Shows notifications on the app's pages, and sends them to the desktop where there is one.
public struct PageNotificationSink: NotificationSink {
    /// The log that the pages read.
    public let log: NotificationLog
    private let next: (any NotificationSink)?

    /// A sink over the log; `next` is asked too, and its failures are not the pages'.
    public init(log: NotificationLog, next: (any NotificationSink)? = nil) {
        self.log = log
        self.next = next
    }

    public func isAvailable() async -> Bool { true }

    public func show(_ request: NotificationRequest) async throws(StackError) {
        await log.add(request)
        try? await next?.show(request)
    }

    public func remove(ids: [String]) async {
        await log.remove(ids)
        await next?.remove(ids: ids)
    }

    public func setBadge(_ count: Int) async {
        await log.setBadge(count)
        await next?.setBadge(count)
    }

    /// Sets the handler of responses from outside of the pages.
    ///
    /// Pages call the service itself.
    public func setResponseHandler(_ handler: @escaping @Sendable (NotificationResponse) async -> Void) async {
        await next?.setResponseHandler { response in
            if case .closed = response { return }
            await handler(response)
        }
    }
}
