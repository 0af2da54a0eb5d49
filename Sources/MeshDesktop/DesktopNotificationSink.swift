import MeshBus
public import PocketMeshServices

/// Shows notifications on the desktop, through `org.freedesktop.Notifications` on the session bus.
///
/// A later request with the same id replaces the shown one. The user's actions are delivered: a click opens the
/// notification, buttons mark as read and dismiss. A reply needs a desktop with a field for text (`inline-reply`). The
/// desktop's protocol has no badge, so that is left to sinks with an icon. Where there is no bus or no notification
/// service, every request is refused as unavailable.
public actor DesktopNotificationSink: NotificationSink {
    private static let service = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"
    /// The greatest number of notifications remembered for replacement or removal; the oldest go first.
    private static let capacity = 1000

    private let address: String?
    private let appName: String
    private var bus: Bus?
    /// The shown notifications with the desktop's numbers, the oldest first.
    private var shown: [(request: NotificationRequest, number: UInt32)] = []
    /// The connection of the program that shows them, as the bus names it; `nil` where none does.
    private var owner: String?
    /// True when the desktop has a field for replies; `nil` before it was asked.
    private var takesReplies: Bool?
    private var handler: (@Sendable (NotificationResponse) async -> Void)?
    /// Events of the bus, in their order.
    private let events: AsyncStream<BusEvent>
    private let eventSource: AsyncStream<BusEvent>.Continuation
    private var reader: Task<Void, Never>?

    /// `busAddress` as in `unix:path=…`; the session's bus without one.
    public init(appName: String = "Meshbed", busAddress: String? = nil) {
        self.appName = appName
        address = busAddress
        // A user does not press so many buttons that a bound matters, and a hostile program fills no memory.
        (events, eventSource) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(256))
    }

    deinit {
        eventSource.finish()
        reader?.cancel()
    }

    public func isAvailable() -> Bool { (try? call("GetServerInformation")) != nil }

    // Asynchronous like that of the protocol's extension, which would be preferred to it otherwise.
    public func setResponseHandler(_ handler: @escaping @Sendable (NotificationResponse) async -> Void) async {
        self.handler = handler
    }

    public func show(_ request: NotificationRequest) throws(StackError) {
        do throws(BusError) {
            try meetDesktop()
            let earlier = shown.first { $0.request.id == request.id }?.number ?? 0
            let answer = try call(
                "Notify", .string(appName), .uint32(earlier), .string(""), .string(request.title),
                .string(Self.plain(request.body)), .strings(try actions(of: request)), Self.hints(of: request),
                .int32(-1))
            guard let number = answer.first?.number else { throw BusError.refused(name: "", text: "no number") }
            // The bus may have started it for this.
            if owner == nil { try meetDesktop() }
            shown.removeAll { $0.request.id == request.id || $0.number == number }
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
            // Forgotten first: the desktop tells of the end of each, which is no news then.
            shown.removeAll { $0.request.id == request.id }
            // One that its reader has closed is closed.
            _ = try? call("CloseNotification", .uint32(number))
        }
    }

    public func setBadge(_ count: Int) {}

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

    /// Handles an action of the desktop's users. Signals that are not for us carry numbers that we do not know.
    private func take(_ event: BusEvent) async {
        guard case .signal(let signal) = event else { return }
        // Anybody on the bus can send a signal with this name.
        guard signal.sender == owner, signal.interface == Self.service, signal.path == Self.path,
            let number = signal.arguments.first?.number,
            let request = shown.first(where: { $0.number == number })?.request
        else { return }
        let text = signal.arguments.count > 1 ? signal.arguments[1].text : nil
        switch (signal.name, text) {
        case ("ActionInvoked", let key?):
            // Some desktops tell of the button of a reply besides the reply itself.
            guard let action = Self.action(of: key), action != .reply, request.actions.contains(action) else { return }
            await handler?(.action(action, request))
        case ("NotificationReplied", let text?):
            guard request.actions.contains(.reply) else { return }
            await handler?(.action(.reply, request, text: text))
        case ("NotificationClosed", _):
            shown.removeAll { $0.number == number }
            await handler?(.closed(request))
        default: break
        }
    }

    /// Learns which program shows notifications now. Another one begins with the same numbers for other notifications,
    /// and may be able to do other things.
    private func meetDesktop() throws(BusError) {
        let name = "org.freedesktop.DBus"
        let request = BusRequest(name, "/org/freedesktop/DBus", name, "GetNameOwner", [.string(Self.service)])
        var current: String?
        do throws(BusError) { current = try connect().call(request).first?.text } catch {
            // The bus starts it when it is needed.
            guard case .refused = error else {
                bus = nil
                throw error
            }
        }
        guard current != owner else { return }
        owner = current
        shown = []
        takesReplies = nil
    }

    /// Listens to the desktop. Without the rule it shows notifications all the same, without responses.
    private func listen(on bus: Bus) {
        try? bus.listen("type='signal',interface='\(Self.service)',path='\(Self.path)'")
        reader =
            reader
            ?? Task(name: "responses to notifications") { [weak self, events] in
                for await event in events { await self?.take(event) }
            }
    }

    private func connect() throws(BusError) -> Bus {
        if let bus { return bus }
        let opened = try Bus(address.map(Bus.Place.address) ?? .session) { [eventSource] in eventSource.yield($0) }
        bus = opened
        listen(on: opened)
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

    /// Names and labels in turn. Replying needs a field for text, which only some desktops have.
    private func actions(of request: NotificationRequest) throws(BusError) -> [String] {
        var takesReplies = takesReplies ?? false
        if self.takesReplies == nil, request.actions.contains(.reply) {
            let abilities = try call("GetCapabilities").first?.parts.compactMap(\.text) ?? []
            takesReplies = abilities.contains(Self.replyKey)
            self.takesReplies = takesReplies
        }
        return request.actions.flatMap { action in
            switch action {
            case .open: [Self.openKey, "Open"]
            case .reply: takesReplies ? [Self.replyKey, "Reply"] : []
            case .markRead: [action.rawValue, "Mark as read"]
            case .dismiss: [action.rawValue, "Dismiss"]
            }
        }
    }

    /// The keys that desktops give a meaning of their own: a click on the notification, and a field for text.
    private static let openKey = "default"
    private static let replyKey = "inline-reply"

    private static func action(of key: String) -> NotificationAction? {
        switch key {
        case openKey: .open
        case replyKey: .reply
        default: NotificationAction(rawValue: key)
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
