public import FoundationEssentials
import MeshPacket
public import Observation
import PocketMeshServices

/// A line of the list of chats.
public struct ConversationRow: Codable, Sendable, Hashable, Identifiable {
    /// The conversation's row.
    public var id: UUID
    /// Contact, channel or room.
    public var kind: NodeKind
    /// The name that the user knows it by.
    public var name: String
    /// The mark of the conversation.
    public var avatar: NodeAvatar
    /// The beginning of the last message; empty without one.
    public var preview: String
    /// The time of the last message; empty without one.
    public var time: String
    /// The same in seconds since 1970; `nil` without one.
    public var lastMessageDate: Double?
    /// Messages that are not read.
    public var unreadCount: Int
    /// True when the conversation stays on top.
    public var isFavorite: Bool
    /// Posts that the room still has for us; `nil` where that is unknown.
    public var unsyncedCount: Int?
    /// The sentence that a screen reader speaks.
    public var accessibilityLabel: String
}

/// A message that a search has found, with the conversation that it is of.
public struct MessageMatch: Codable, Sendable, Hashable, Identifiable {
    /// The message.
    public var id: UUID
    /// The ID of its conversation; `nil` where its sender is no contact.
    public var conversationID: UUID?
    /// The conversation's name.
    public var conversation: String
    /// The text of the message.
    public var text: String
    /// The time at which the message came.
    public var time: String
}

/// The list of chats: contacts, channels and rooms with their last messages, and the search in them.
@MainActor @Observable
public final class ChatListViewModel: ViewModel {
    /// The lines, in order.
    public private(set) var rows: [ConversationRow] = []
    /// The same as conversations.
    public private(set) var conversations: [Conversation] = []
    /// True when favourites stand on top.
    public private(set) var favoritesFirst = false
    /// True while the list is being read.
    public private(set) var isLoading = false
    /// The messages that a search has found, newest first.
    public private(set) var matches: [MessageMatch] = []
    /// True when the search has more.
    public private(set) var hasMoreMatches = false
    /// The text of the search.
    public private(set) var searchText = ""
    /// The last error, for the page; `nil` when there is none.
    public var error: ErrorPresentation?

    /// Messages of a page of the search.
    public static let matchPage = 50

    @ObservationIgnored private var appState: AppState?
    @ObservationIgnored private var observation: MessageEventBroadcaster.Subscription?
    @ObservationIgnored private let reloader = Reloader()
    @ObservationIgnored private var searchAnchor: Int64?

    public init() {}

    /// Messages that are not read, in all conversations of the list.
    public var unreadTotal: Int { rows.reduce(0) { $0 + $1.unreadCount } }

    public func configure(appState: AppState) {
        self.appState = appState
        observation?.cancel()
        observation = appState.messageEventBroadcaster.observe { [weak self] in self?.take($0.event) }
    }

    private func take(_ event: MessageEvent) {
        switch event {
        case .conversationsChanged, .contactsChanged, .directMessageReceived, .channelMessageReceived,
            .roomMessageReceived, .connectionChanged, .messageChanged, .messageFailed, .nodeChanged:
            reloader.ask { [weak self] in await self?.load() }
        default: break
        }
    }

    /// Reads the list.
    public func load() async {
        guard let appState else { return }
        isLoading = true
        defer { isLoading = false }
        await read {
            guard let deviceID = appState.deviceID else {
                (rows, conversations) = ([], [])
                return
            }
            let store = appState.store
            favoritesFirst = try await store.setting(forKey: AppState.SettingKey.favoritesFirst) == "1"
            let contacts = try await store.fetchConversations(deviceID: deviceID)
                .filter { !$0.isBlocked && $0.type != .repeater && $0.type != .room }
            let channels = try await store.fetchChannels(deviceID: deviceID)
                .filter { $0.isEnabled && $0.isConfigured }
            let rooms = try await store.fetchRemoteNodeSessions(deviceID: deviceID).filter(\.isRoom)
            let all =
                contacts.map(Conversation.direct) + channels.map(Conversation.channel)
                + rooms.map(Conversation.room)
            conversations = all.sorted(favoritesFirst: favoritesFirst)
            rows = try await rows(of: conversations, appState)
        }
    }

    private func rows(of conversations: [Conversation], _ appState: AppState) async throws -> [ConversationRow] {
        var rows: [ConversationRow] = []
        for conversation in conversations {
            rows.append(try await row(of: conversation, appState))
        }
        return rows
    }

    private func row(of conversation: Conversation, _ appState: AppState) async throws -> ConversationRow {
        let (preview, date) = try await last(of: conversation, appState)
        let unread = conversation.unreadCount
        let name = conversation.displayName
        let avatar = NodeAvatar(conversation)
        let time = date.map { appState.style.dateAndTime($0) } ?? ""
        return ConversationRow(
            id: conversation.id, kind: avatar.kind, name: name, avatar: avatar, preview: preview, time: time,
            lastMessageDate: date?.timeIntervalSince1970, unreadCount: unread, isFavorite: conversation.isFavorite,
            unsyncedCount: conversation.roomSession.flatMap { $0.isConnected ? $0.unsyncedCount : nil },
            accessibilityLabel: unread > 0
                ? Texts.string(.conversationUnread, name, "\(unread)") : Texts.string(.conversation, name))
    }

    private func last(of conversation: Conversation, _ appState: AppState) async throws -> (String, Date?) {
        let store = appState.store
        if let thread = conversation.thread, let deviceID = appState.deviceID {
            guard let last = try await store.fetchMessages(deviceID: deviceID, thread: thread, limit: 1).last else {
                return ("", conversation.lastMessageDate)
            }
            let text = last.kind == .image ? Texts.string(.image) : String(last.text.prefix(100))
            return (last.isOutgoing ? Texts.string(.previewSelf, text) : text, last.shownDate)
        }
        let post = try await store.fetchRoomMessages(sessionID: conversation.id, limit: 1).last
        guard let post else { return ("", conversation.lastMessageDate) }
        let author = MessageBubble.author(isSelf: post.isFromSelf, name: post.authorDisplayName)
        return ("\(author): \(post.text.prefix(100))", post.date)
    }

    /// Keeps favourites on top, or not; kept over restarts.
    public func setFavoritesFirst(_ isOn: Bool) async {
        guard let appState else { return }
        await attempt {
            try await appState.store.setSetting(isOn ? "1" : nil, forKey: AppState.SettingKey.favoritesFirst)
        }
        await load()
    }

    // MARK: Search

    /// Searches the texts of all messages; an empty text ends the search.
    public func search(_ text: String) async {
        searchText = text
        matches = []
        hasMoreMatches = false
        searchAnchor = nil
        if !text.isEmpty { await searchMore() }
    }

    /// Loads the next page of matches, older than the present ones.
    public func searchMore() async {
        guard let appState, !searchText.isEmpty else { return }
        let text = searchText
        await attempt {
            let found = try await appState.store.searchMessages(
                deviceID: try appState.requiredDeviceID(), for: text, limit: Self.matchPage, before: searchAnchor)
            guard text == searchText else { return }
            searchAnchor = found.first?.receivedOrder
            hasMoreMatches = found.count == Self.matchPage
            let names = Dictionary(conversations.map { ($0.id, $0.displayName) }) { first, _ in first }
            matches += found.reversed().map { message in
                let id = message.channelID ?? message.contactID
                return MessageMatch(
                    id: message.id, conversationID: id,
                    conversation: id.flatMap { names[$0] } ?? Texts.string(.senderUnknown), text: message.text,
                    time: appState.style.dateAndTime(message.shownDate))
            }
        }
    }
}
