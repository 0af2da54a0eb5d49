import MeshFiles
import MeshHTTP
import PocketMeshUI

// The app as a whole: how it stands, what happens, and where to go.
extension AppAPI {
    nonisolated static let stateRoutes: [WebRoute<AppAPI>] = [
        WebRoute("GET", "/state") { api, _ in try await api.readState() },
        WebRoute("GET", "/events") { api, call in
            try call.checkQuery("after")
            guard let number = UInt64(call.text("after") ?? "0") else {
                throw WebRefusal(.badRequest, "after must be the number of an event")
            }
            return WebAnswer(type: "text/event-stream", body: .pieces(await api.events(after: number)))
        },
        WebRoute("GET", "/texts") { _, _ in try WebAnswer(Texts.table) },
        WebRoute("GET", "/languages") { _, _ in
            try WebAnswer(TextLanguage.all.map { ["tag": $0.tag, "name": $0.name] })
        },
        WebRoute("POST", "/navigation/take") { api, call in
            _ = try call.fields()
            return try WebAnswer(["route": await api.takeNavigation()])
        },
        WebRoute("POST", "/sync") { api, call in
            _ = try call.fields()
            return try await api.attempt { try await api.state.syncAgain() }
        },
        WebRoute("POST", "/battery") { api, call in
            _ = try call.fields()
            return try await api.attempt { try await api.state.fetchDeviceBattery() }
        },
        WebRoute("GET", "/notifications") { api, _ in try await api.readNotifications() },
        WebRoute("POST", "/notifications/perform") { api, call in try await api.performNotification(call) },
    ]

    private struct StateRecord: Encodable {
        let link: LinkIndicator
        let pill: SyncPill
        let isOnboarded: Bool
        let unread: Int
        /// The number for the page's icon and title, where the user wants one.
        let badge: Int
        /// Messages that wait for the radio.
        let queued: Int
        let notifications: Int
        let capabilities: [Capabilities.Row]
        /// The reason why the last connection failed, until it was read.
        let failure: ErrorPresentation?
        let canReconnect: Bool
        let tiles: String?
        /// The last event before this was read: follow those behind it.
        let number: UInt64
    }

    func readState() async throws -> WebAnswer {
        let number = state.messageEventBroadcaster.latestNumber
        await chatList.load()
        return try WebAnswer(
            StateRecord(
                link: state.linkIndicator, pill: state.syncPill, isOnboarded: state.hasCompletedOnboarding,
                unread: chatList.unreadTotal, badge: state.notifications.badge, queued: try await state.queuedCount(),
                notifications: state.notifications.presentations.count,
                capabilities: state.capabilities.rows,
                failure: state.showingConnectionFailedAlert ? state.connectionFailedMessage : nil,
                canReconnect: state.deviceID != nil, tiles: tiles, number: number))
    }

    /// Does what belongs to no view model, and answers with its result.
    func attempt(_ body: @MainActor () async throws -> Void) async throws -> WebAnswer {
        do {
            try await body()
            return try done()
        } catch let refusal as WebRefusal {
            throw refusal
        } catch {
            return try WebAnswer(["error": ErrorPresentation(error)])
        }
    }

    // MARK: Navigation

    /// The address of the page that the app wants to show, once.
    ///
    /// Of several pages that ask, one goes there.
    private func takeNavigation() -> String? {
        guard state.takeNavigation() else { return nil }
        if let (contact, messageID) = state.takePendingChat() {
            return "chats/\(contact.id)" + (messageID.map { "?at=\($0)" } ?? "")
        }
        if let session = state.takePendingRoom() { return "rooms/\(session.id)" }
        if state.takePendingDiscovery() { return "discovery" }
        let tab = state.selectedTab
        defer { state.navigation.popToRoot(of: tab) }
        switch state.navigation.path(of: tab).last {
        case .chat(let id, let message)?: return "chats/\(id)" + (message.map { "?at=\($0)" } ?? "")
        case .channel(let id)?: return "chats/\(id)"
        case .room(let id)?: return "rooms/\(id)"
        case .repeater(let id)?: return "repeaters/\(id)"
        case .contact(let id)?: return "contacts/\(id)"
        case .discovery?: return "discovery"
        case .settings(let section)?: return "settings/\(section)"
        case nil: return state.hasCompletedOnboarding ? "\(tab)" : nil
        }
    }

    // MARK: Notifications

    private struct NotificationsRecord: Encodable {
        let notifications: [NotificationPresentation]
        let badge: Int
    }

    private func readNotifications() throws -> WebAnswer {
        try WebAnswer(
            NotificationsRecord(
                notifications: state.notifications.presentations, badge: state.notifications.badge))
    }

    private func performNotification(_ call: WebCall) async throws -> WebAnswer {
        let fields = try call.fields("id", "action", "text")
        guard let request = state.notifications.request(id: try fields.needString("id")) else {
            throw WebRefusal(.notFound, "there is no such notification")
        }
        if let name = try fields.string("action") {
            guard let action = NotificationAction(rawValue: name) else {
                throw fields.problem("action", "is no action of notifications")
            }
            await state.notificationService.perform(action, on: request, text: try fields.string("text") ?? "")
        } else {
            await state.notificationService.tap(request)
        }
        return try readNotifications()
    }
}
