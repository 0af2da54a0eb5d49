public import FoundationEssentials
import MeshWire
public import Observation
public import PocketMeshServices

/// A post in a room, as a page shows it.
public struct RoomMessageBubble: Codable, Sendable, Hashable, Identifiable {
    /// The post's row.
    public var id: UUID
    /// Places it among the others.
    public var order: Int64
    /// Own posts stand on the other side.
    public var side: MessageSide
    /// The author of the post: a contact's name, or the first 4 bytes of the key in hex.
    public var author: String
    /// The author's mark.
    public var avatar: NodeAvatar
    /// The text itself; never markup.
    public var text: String
    /// The time line above it.
    public var timestamp: MessageTimestamp
    /// The delivery of an own post.
    public var status: DeliveryStatus?
    /// The sentence that a screen reader speaks.
    public var accessibilityLabel: String

    init(_ post: RoomMessageDTO, after previous: RoomMessageDTO?, style: PresentationStyle) {
        id = post.id
        order = post.receivedOrder
        side = post.isFromSelf ? .outgoing : .incoming
        author = MessageBubble.author(isSelf: post.isFromSelf, name: post.authorDisplayName)
        avatar = NodeAvatar(name: author, key: post.authorKeyPrefix, kind: .chat)
        text = post.text
        timestamp = MessageTimestamp(post.date, after: previous?.date, style: style)
        status = post.isFromSelf ? DeliveryStatus(post.status) : nil
        accessibilityLabel = Texts.string(
            .bubbleAccessibility, author, post.text, style.time(post.date), status?.label ?? "")
    }
}

/// A login as a page shows it.
public struct LoginPresentation: Codable, Sendable, Hashable {
    /// True while a login is under way.
    public var isLoggingIn = false
    /// The seconds left until the time limit of the answer; `nil` before the radio has reported it.
    public var secondsLeft: Int?
    /// True when a password is stored for the node.
    public var hasPassword = false
    /// The rights that the node grants; `nil` before the login.
    public var permission: String?
    /// The error of the last login.
    public var error: ErrorPresentation?
}

extension RoomPermissionLevel {
    /// The text for users.
    public var label: String {
        switch self {
        case .guest: Texts.string(.permissionGuest)
        case .readWrite: Texts.string(.permissionReadWrite)
        case .admin: Texts.string(.permissionAdmin)
        }
    }
}

/// A room: joined, read and written.
@MainActor @Observable
public final class RoomConversationViewModel: ViewModel {
    /// Posts of a page.
    public static let pageSize = 50

    /// The session with the room; `nil` before it was joined once.
    public private(set) var session: RemoteNodeSessionDTO?
    /// The posts that were loaded, oldest first.
    public private(set) var posts: [RoomMessageBubble] = []
    /// True when the store has older ones.
    public private(set) var hasOlder = false
    /// The state of the login.
    public private(set) var login = LoginPresentation()
    /// The typed text; kept when posting fails.
    public var draft = ""
    /// True while a post is being written to the radio.
    public private(set) var isPosting = false
    /// Posts that the room has for us, by its answer to the last keep-alive; `nil` before the first one.
    public private(set) var unsyncedCount: Int?
    /// The last error, for the page; `nil` when there is none.
    public var error: ErrorPresentation?

    @ObservationIgnored private var appState: AppState?
    @ObservationIgnored private var room: ContactDTO?
    @ObservationIgnored private var shownCount = RoomConversationViewModel.pageSize
    @ObservationIgnored private var observation: MessageEventBroadcaster.Subscription?
    @ObservationIgnored private let reloader = Reloader()
    @ObservationIgnored private let timer = Countdown()

    public init() {}

    /// The name of the room.
    public var name: String { session?.name ?? room?.displayName ?? "" }
    /// True while we are logged in.
    public var isConnected: Bool { session?.isConnected ?? false }
    /// True when we may write: the permission of the login decides.
    public var canPost: Bool { isConnected && session?.canPost == true }
    /// The used part of the post's room.
    public var counter: ByteCounter { ByteCounter(draft, limit: RoomServerService.postLimit) }

    public func configure(appState: AppState) {
        self.appState = appState
        observation?.cancel()
        observation = appState.messageEventBroadcaster.observe { [weak self] in self?.take($0.event) }
    }

    private func take(_ event: MessageEvent) {
        switch event {
        case .roomMessageReceived(_, let id), .nodeChanged(let id):
            if id == session?.id { refresh() }
        case .postChanged, .connectionChanged: refresh()
        default: break
        }
    }

    private func refresh() {
        reloader.ask { [weak self] in
            await self?.load()
            await self?.markRead()
        }
    }

    // MARK: Opening

    /// Shows a room of the contacts; its posts are read from the store, and it counts as read.
    public func open(contactID: UUID) async {
        guard let appState else { return }
        await attempt {
            guard let contact = try await appState.store.fetchContact(id: contactID) else {
                throw StackError(.rooms, .contactNotFound)
            }
            let session = StableIdentifier.session(deviceID: contact.deviceID, publicKey: contact.publicKey)
            try await show(session, contact, appState)
        }
    }

    /// Shows a room that was joined once.
    public func open(sessionID: UUID) async {
        guard let appState else { return }
        await attempt {
            guard let session = try await appState.store.fetchRemoteNodeSession(id: sessionID) else {
                throw StackError(.rooms, .sessionNotFound)
            }
            let contact = try await appState.store.fetchContact(
                deviceID: session.deviceID, publicKey: session.publicKey)
            try await show(sessionID, contact, appState)
        }
    }

    private func show(_ sessionID: UUID, _ contact: ContactDTO?, _ appState: AppState) async throws {
        close()
        room = contact
        let found = try await appState.store.fetchRemoteNodeSession(id: sessionID)
        session = found
        if let key = session?.publicKey ?? contact?.publicKey, let services = appState.services {
            login.hasPassword = try await services.remoteNodeService.hasPassword(forNodeKey: key)
        }
        // It may have been left meanwhile.
        guard session?.id == found?.id, room?.id == contact?.id else { return }
        appState.notificationService.activeRoomSessionID = sessionID
        if let draft = appState.notificationService.consumeDraft(for: sessionID) { self.draft = draft }
        await load()
        await markRead()
    }

    /// Leaves the page; the session stays.
    public func close() {
        if let id = session?.id, appState?.notificationService.activeRoomSessionID == id {
            appState?.notificationService.activeRoomSessionID = nil
        }
        (session, room, posts, hasOlder, unsyncedCount) = (nil, nil, [], false, nil)
        (login, shownCount) = (LoginPresentation(), Self.pageSize)
    }

    /// Reads the posts again.
    public func load() async {
        guard let appState, let id = session?.id else { return }
        await read {
            session = try await appState.store.fetchRemoteNodeSession(id: id)
            login.permission = isConnected ? session?.permissionLevel.label : nil
            unsyncedCount = isConnected ? session?.unsyncedCount : nil
            let page = try await appState.store.fetchRoomMessages(sessionID: id, limit: shownCount + 1)
            hasOlder = page.count > shownCount
            var previous: RoomMessageDTO?
            posts = page.suffix(shownCount).map { post in
                defer { previous = post }
                return RoomMessageBubble(post, after: previous, style: appState.style)
            }
        }
    }

    /// Brings the page before the oldest post in view.
    public func loadOlder() async {
        guard hasOlder else { return }
        shownCount += Self.pageSize
        await load()
    }

    /// Counts the room as read.
    public func markRead() async {
        guard let appState, let session, session.unreadCount > 0 else { return }
        await read {
            try await appState.store.resetRoomUnreadCount(sessionID: session.id)
            await appState.notificationService.removeDeliveredNotifications(group: "room-\(session.id)")
            appState.notificationService.updateBadgeCount()
            appState.messageEventBroadcaster.broadcast(.conversationsChanged)
        }
        await load()
    }

    // MARK: Joining and posting

    /// Logs in; without a password with the stored one. Room servers accept a guest with an empty one.
    public func join(password: String?, rememberPassword: Bool = true) async {
        guard let appState, !login.isLoggingIn else { return }
        (login.isLoggingIn, login.error) = (true, nil)
        defer { (login.isLoggingIn, login.secondsLeft) = (false, nil) }
        let clock = appState.dependencies.clock
        do {
            let services = try appState.requiredServices(.rooms)
            guard let room else { throw StackError(.rooms, .contactNotFound) }
            session = try await services.roomServerService.joinRoom(
                deviceID: room.deviceID, contact: room, password: password, rememberPassword: rememberPassword,
                onTimeoutKnown: { [weak self] limit in
                    Task { @MainActor in
                        guard let self else { return }
                        self.timer.start(limit, clock) { [weak self] in self?.login.secondsLeft = $0 }
                    }
                })
            login.hasPassword = try await services.remoteNodeService.hasPassword(forNodeKey: room.publicKey)
        } catch is CancellationError {
        } catch {
            login.error = ErrorPresentation(error)
        }
        timer.stop()
        await load()
    }

    /// Posts the typed text. Returns whether the radio accepted it; else the text stays.
    @discardableResult
    public func post() async -> Bool {
        guard let appState, let session, counter.canSend, !isPosting else { return false }
        let text = draft
        draft = ""
        isPosting = true
        defer { isPosting = false }
        let isTaken = await attempt {
            _ = try await appState.requiredServices(.rooms).roomServerService.postMessage(
                sessionID: session.id, text: text)
        }
        if !isTaken { draft = text }
        await load()
        return isTaken
    }

    /// Logs out and forgets the room's session and password; its posts go with it.
    public func leave() async {
        guard let appState, let session else { return }
        let isLeft = await attempt {
            try await appState.requiredServices(.rooms).roomServerService.leaveRoom(sessionID: session.id)
            appState.messageEventBroadcaster.broadcast(.conversationsChanged)
        }
        if isLeft { close() }
    }
}

/// Counts seconds down, for a waiting user.
@MainActor
final class Countdown {
    private var task: Task<Void, Never>?

    func start(_ limit: Duration, _ clock: any Clock<Duration>, _ tell: @escaping @MainActor (Int?) -> Void) {
        task?.cancel()
        task = Task(name: "countdown of a login") {
            var left = Int(wholePart: limit / .seconds(1))
            while left > 0 {
                tell(left)
                guard (try? await clock.sleep(for: .seconds(1))) != nil else { return }
                left -= 1
            }
            tell(0)
        }
    }

    func stop() {
        task?.cancel()
        task = nil
    }
}
