import MeshBus
public import PocketMeshServices

/// Shows notifications on the desktop, through `org.freedesktop.Notifications` on the session bus.
///
/// A later request with the same id replaces what is shown. The desktop's protocol has no badge, so that is left to
/// whoever has an icon. What its reader does with a notification is told by `answers()`: a desktop with a field for replies,
/// as KDE's, is asked to show it. Where there is no bus or no notification service, every request is refused as unavailable.
public actor DesktopNotificationSink: NotificationSink, NotificationAnswering {
    private static let service = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"
    /// So many are remembered, to be replaced or taken back; the oldest go first.
    private static let capacity = 1000

    private let address: String?
    private let appName: String
    private var bus: Bus?
    /// The desktop's numbers of what is shown, the oldest first.
    private var shown: [(request: NotificationRequest, number: UInt32)] = []
    private var listeners: [AsyncStream<NotificationAnswer>.Continuation] = []
    /// Whether the desktop has a field for replies; asked once for each connection.
    private var takesReplies = false

    /// `busAddress` as in `unix:path=…`; the session's bus without one.
    public init(appName: String = "Meshbed", busAddress: String? = nil) {
        self.appName = appName
        address = busAddress
    }

    public func isAvailable() -> Bool { (try? call("GetServerInformation")) != nil }

    public func show(_ request: NotificationRequest) throws(StackError) {
        let earlier = shown.first { $0.request.id == request.id }?.number ?? 0
        do throws(BusError) {
            let answer = try call(
                "Notify", .string(appName), .uint32(earlier), .string(""), .string(request.title),
                .string(Self.plain(request.body)), .strings(Self.actions(of: request, withReply: takesReplies)),
                Self.hints(of: request), .int32(-1))
            guard let number = answer.first?.number else { throw BusError.refused(name: "", text: "no number") }
            shown.removeAll { $0.request.id == request.id }
            if shown.count == Self.capacity { shown.removeFirst() }
            shown.append((request, number))
        } catch {
            if case .refused(let name, let text) = error, !error.meansAbsence {
                throw StackError(.notifications, .notShown(text.isEmpty ? name : text))
            }
            throw StackError(.notifications, .noNotifications)
        }
    }

    public func remove(ids: [String]) {
        for (request, number) in shown where ids.contains(request.id) {
            // One that its reader has closed is closed.
            _ = try? call("CloseNotification", .uint32(number))
            shown.removeAll { $0.request.id == request.id }
        }
    }

    public func setBadge(_ count: Int) {}

    // MARK: What readers do

    /// What readers do with notifications from now on: of those that this sink has shown, and no others.
    public func answers() -> AsyncStream<NotificationAnswer> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: NotificationAnswer.self, bufferingPolicy: .bufferingNewest(Self.capacity))
        listeners.append(continuation)
        return stream
    }

    /// The desktop's numbers of what is shown, the oldest first.
    var numbers: [UInt32] { shown.map(\.number) }

    private func take(_ signal: BusSignal) {
        guard signal.interface == Self.service, let number = signal.arguments.first?.number,
            let request = shown.first(where: { $0.number == number })?.request
        else { return }
        let text = signal.arguments.dropFirst().first?.text ?? ""
        switch signal.name {
        case "ActionInvoked" where text == Self.openAction: tell(.opened(request))
        case "ActionInvoked":
            // Anybody on the bus can send a signal: an action that was not offered is none.
            guard let action = NotificationAction(rawValue: text), action != .reply,
                request.category.actions.contains(action)
            else { return }
            tell(.performed(action, request, text: ""))
        case "NotificationReplied":
            guard request.category.actions.contains(.reply) else { return }
            tell(.performed(.reply, request, text: text))
        case "NotificationClosed": shown.removeAll { $0.number == number }
        default: break
        }
    }

    private func tell(_ answer: NotificationAnswer) {
        listeners = listeners.filter { listener in
            if case .terminated = listener.yield(answer) { return false }
            return true
        }
    }

    // MARK: The bus

    private func call(_ method: String, _ arguments: BusValue...) throws(BusError) -> [BusValue] {
        let bus = try connect()
        do throws(BusError) {
            return try bus.call(BusRequest(Self.service, Self.path, Self.service, method, arguments))
        } catch {
            // A bus that has gone is looked for anew.
            if error.meansAbsence { self.bus = nil }
            throw error
        }
    }

    private func connect() throws(BusError) -> Bus {
        if let bus { return bus }
        let opened = try Bus(address.map(Bus.Place.address) ?? .session) { [weak self] event in
            guard case .signal(let signal) = event else { return }
            Task(name: "signal of the desktop") { await self?.take(signal) }
        }
        try opened.listen("type='signal',interface='\(Self.service)',path='\(Self.path)'")
        bus = opened
        let answer = try? opened.call(BusRequest(Self.service, Self.path, Self.service, "GetCapabilities", []))
        if case .strings(let names)? = answer?.first { takesReplies = names.contains(Self.replyAction) }
        return opened
    }

    /// The body is markup to some desktops.
    static func plain(_ text: String) -> String {
        text.reduce(into: "") { plain, character in
            switch character {
            case "&": plain += "&amp;"
            case "<": plain += "&lt;"
            case ">": plain += "&gt;"
            default: plain.append(character)
            }
        }
    }

    /// The name of the action that the notification itself is.
    static let openAction = "default"
    /// The name of the action that has a field for text, and of the capability for it.
    static let replyAction = "inline-reply"

    /// Names and labels in turn. Replying needs a field for text, which not every desktop has.
    static func actions(of request: NotificationRequest, withReply: Bool) -> [String] {
        [openAction, "Open"]
            + request.category.actions.flatMap { action -> [String] in
                switch action {
                case .reply: withReply ? [replyAction, "Reply"] : []
                case .markRead: [action.rawValue, "Mark as read"]
                case .dismiss: [action.rawValue, "Dismiss"]
                }
            }
    }

    private static func hints(of request: NotificationRequest) -> BusValue {
        let category = request.category == .lowBattery ? "device" : "im.received"
        return .variants([
            "category": .string(category), "suppress-sound": .boolean(!request.hasSound),
            "urgency": .byte(request.category == .lowBattery ? 2 : 1), "x-group": .string(request.group),
        ])
    }
}
