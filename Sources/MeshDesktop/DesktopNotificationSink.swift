import MeshBus
public import PocketMeshServices

/// Shows notifications on the desktop, through `org.freedesktop.Notifications` on the session bus.
///
/// A later request with the same id replaces what is shown. The desktop's protocol has no badge, so that is left to
/// whoever has an icon. Where there is no bus or no notification service, every request is refused as unavailable.
public actor DesktopNotificationSink: NotificationSink {
    private static let service = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"
    /// So many are remembered, to be replaced or taken back; the oldest go first.
    private static let capacity = 1000

    private let address: String?
    private let appName: String
    private var bus: Bus?
    /// The desktop's numbers of what is shown, the oldest first.
    private var shown: [(id: String, number: UInt32)] = []

    /// `busAddress` as in `unix:path=…`; the session's bus without one.
    public init(appName: String = "Meshbed", busAddress: String? = nil) {
        self.appName = appName
        address = busAddress
    }

    public func isAvailable() -> Bool { (try? call("GetServerInformation")) != nil }

    public func show(_ request: NotificationRequest) throws(StackError) {
        let earlier = shown.first { $0.id == request.id }?.number ?? 0
        do throws(BusError) {
            let answer = try call(
                "Notify", .string(appName), .uint32(earlier), .string(""), .string(request.title),
                .string(Self.plain(request.body)), .strings(Self.actions(of: request)), Self.hints(of: request),
                .int32(-1))
            guard let number = answer.first?.number else { throw BusError.refused(name: "", text: "no number") }
            shown.removeAll { $0.id == request.id }
            if shown.count == Self.capacity { shown.removeFirst() }
            shown.append((request.id, number))
        } catch {
            if case .refused(let name, let text) = error, !error.meansAbsence {
                throw StackError(.notifications, .notShown(text.isEmpty ? name : text))
            }
            throw StackError(.notifications, .noNotifications)
        }
    }

    public func remove(ids: [String]) {
        for (id, number) in shown where ids.contains(id) {
            // One that its reader has closed is closed.
            _ = try? call("CloseNotification", .uint32(number))
            shown.removeAll { $0.id == id }
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

    private func connect() throws(BusError) -> Bus {
        if let bus { return bus }
        let opened = try Bus(address.map(Bus.Place.address) ?? .session)
        bus = opened
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

    /// Names and labels in turn. Replying needs a field for text, which the desktop's protocol does not have.
    static func actions(of request: NotificationRequest) -> [String] {
        request.category.actions.flatMap { action -> [String] in
            switch action {
            case .reply: []
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
