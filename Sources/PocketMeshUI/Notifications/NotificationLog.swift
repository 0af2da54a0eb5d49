import Foundation
public import Observation
public import PocketMeshServices

/// A notification as a page shows it.
public struct NotificationPresentation: Codable, Sendable, Hashable, Identifiable {
    /// The request's id.
    public var id: String
    /// Of which kind it is.
    public var category: String
    /// The name of the contact, channel or room.
    public var title: String
    /// What it says; never markup.
    public var body: String
    /// Whether it is heard.
    public var hasSound: Bool
    /// What can be done: `REPLY_ACTION`, `MARK_READ_ACTION`, `DISMISS_ACTION`.
    public var actions: [String]
    /// The words for the actions.
    public var actionLabels: [String]

    init(_ request: NotificationRequest) {
        id = request.id
        category = request.category.rawValue
        title = request.title
        body = request.body
        hasSound = request.hasSound
        actions = request.category.actions.map(\.rawValue)
        actionLabels = request.category.actions.map(\.label)
    }
}

extension NotificationAction {
    /// The word on its button.
    public var label: String {
        switch self {
        case .reply: Texts.string(.actionReply)
        case .markRead: Texts.string(.actionMarkRead)
        case .dismiss: Texts.string(.actionDismiss)
        }
    }
}

/// What the user was told last, for pages; the newest last.
@MainActor @Observable
public final class NotificationLog {
    /// So many are kept.
    public static let capacity = 100

    /// What is shown.
    public private(set) var requests: [NotificationRequest] = []
    /// What is unread, as it is shown on the page's icon.
    public private(set) var badge = 0
    @ObservationIgnored var onChange: (@MainActor () -> Void)?

    public nonisolated init() {}

    /// What pages show.
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

/// Shows notifications on the app's pages, and hands them on to the desktop where there is one.
public struct PageNotificationSink: NotificationSink {
    /// What the pages read.
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
}
