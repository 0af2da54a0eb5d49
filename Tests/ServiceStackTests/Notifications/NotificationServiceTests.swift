import Foundation
import MeshTestSupport
import MeshVirtualTime
import StackTestSupport
import Synchronization
import Testing

@testable import PocketMeshServices

/// The notifications that the user receives, and those that are left out.
@Suite struct NotificationServiceTests {
    private struct Stage: Sendable {
        let service: NotificationService
        let sink: MemoryNotificationSink
        let store: PersistenceStore

        func set(_ change: (inout NotificationPreferences) -> Void) async throws {
            var preferences = try await NotificationPreferences.load(from: store)
            change(&preferences)
            try await preferences.save(to: store)
        }

        @MainActor func direct(_ number: Int, from contact: Int = 1) async {
            await service.postDirectMessageNotification(
                from: "Ann", contactID: .numbered(contact), messageText: "text \(number)", messageID: .numbered(number))
        }

        @MainActor func channel(_ number: Int, index: UInt8 = 2, device: Int = 9) async {
            await service.postChannelMessageNotification(
                channelName: "Public", channelIndex: index, deviceID: .numbered(device), senderName: "Bob",
                messageText: "text \(number)", messageID: .numbered(number))
        }

        @MainActor func room(_ number: Int, session: Int = 5) async {
            await service.postRoomMessageNotification(
                roomName: "Room", sessionID: .numbered(session), authorName: "Cy", messageText: "text \(number)",
                messageID: .numbered(number))
        }
    }

    /// Runs a scene on virtual time.
    private func play(_ scene: @escaping @Sendable (Stage, VirtualClock) async throws -> Void) throws {
        try VirtualTime.run { clock in
            let store = try PersistenceStore()
            let sink = MemoryNotificationSink(capacity: 50)
            let service = await NotificationService(sink: sink, settings: store, clock: clock)
            try await scene(Stage(service: service, sink: sink, store: store), clock)
        }
    }

    /// Settings on a disk that fails now and then.
    private actor FailingSettings: SettingsStore {
        let store: PersistenceStore
        var isBroken = false

        init(_ store: PersistenceStore) { self.store = store }

        func breakDown() { isBroken = true }

        func setting(forKey key: String) async throws(StackError) -> String? {
            if isBroken { throw StackError(.store, .fetchFailed("broken")) }
            return try await store.setting(forKey: key)
        }

        func setSetting(_ value: String?, forKey key: String) async throws(StackError) {
            try await store.setSetting(value, forKey: key)
        }
    }

    @Test(.proves("SVC-158"))
    func `what the user has switched off stays off while the settings cannot be read`() throws {
        try VirtualTime.run { clock in
            let store = try PersistenceStore()
            let settings = FailingSettings(store)
            let sink = MemoryNotificationSink(capacity: 50)
            let service = await NotificationService(sink: sink, settings: settings, clock: clock)
            let stage = Stage(service: service, sink: sink, store: store)
            try await stage.set { $0.channelMessagesEnabled = false }
            await stage.channel(1)
            await settings.breakDown()
            await stage.channel(2)
            await stage.direct(3)

            #expect(await sink.shown.map(\.body) == ["text 3"])
        }
    }

    @Test(.proves("SVC-158")) func `each kind follows its own switch from the next notification on`() throws {
        try play { stage, _ in
            let kinds: [(any WritableKeyPath<NotificationPreferences, Bool> & Sendable, @Sendable () async -> Void)] = [
                (\.contactMessagesEnabled, { await stage.direct(1) }),
                (\.channelMessagesEnabled, { await stage.channel(2) }),
                (\.roomMessagesEnabled, { await stage.room(3) }),
                (
                    \.newContactDiscoveredEnabled,
                    { await stage.service.postNewContactNotification(contactName: "New", contactID: .numbered(4)) }
                ),
            ]
            for (number, kind) in kinds.enumerated() {
                for isOn in [false, true] {
                    await stage.sink.remove(ids: stage.sink.shown.map(\.id))
                    for (other, _) in kinds { try await stage.set { $0[keyPath: other] = !isOn } }
                    try await stage.set { $0[keyPath: kind.0] = isOn }
                    for (_, post) in kinds { await post() }
                    let shown = await stage.sink.shown.count
                    #expect(shown == (isOn ? 1 : kinds.count - 1), "kind \(number)")
                }
            }
        }
    }

    @Test(.proves("SVC-158")) func `defaults are on except for new contacts; sound follows its switch`() throws {
        try play { stage, _ in
            let defaults = try await NotificationPreferences.load(from: stage.store)
            #expect(defaults == NotificationPreferences() && !defaults.newContactDiscoveredEnabled)
            try await stage.store.setSetting("nonsense", forKey: "notifications.soundEnabled")
            await stage.direct(1)
            try await stage.set { $0.soundEnabled = false }
            await stage.direct(2)

            #expect(await stage.sink.shown.map(\.hasSound) == [true, false])
        }
    }

    @Test(.proves("SVC-159")) func `the conversation in view raises no banner; a channel is index and radio`() throws {
        try play { stage, _ in
            await MainActor.run {
                stage.service.activeContactID = .numbered(1)
                stage.service.activeChannelIndex = 2
                stage.service.activeChannelDeviceID = .numbered(9)
                stage.service.activeRoomSessionID = .numbered(5)
            }
            await stage.direct(1)
            await stage.channel(2)
            await stage.room(3)
            #expect(await stage.sink.shown.isEmpty)

            await stage.direct(4, from: 2)
            await stage.channel(5, index: 3)
            await stage.channel(6, device: 8)
            await stage.room(7, session: 6)

            #expect(await stage.sink.shown.map(\.messageID) == [4, 5, 6, 7].map(UUID.numbered))
        }
    }

    @Test(.proves("SVC-160"))
    func `a quick reply is sent; a failed one is kept as a draft, told, and given back once`() throws {
        try play { stage, _ in
            await stage.direct(1)
            let request = try #require(await stage.sink.shown.first)
            let replies = Replies()
            await MainActor.run {
                stage.service.onQuickReply = { contact, text in
                    try await replies.take(contact, text)
                }
            }

            await stage.service.perform(.reply, on: request, text: "yes")
            #expect(await replies.taken == ["yes"])
            #expect(await stage.sink.shown.isEmpty)
            await replies.refuse()
            await stage.service.perform(.reply, on: request, text: "no")

            #expect(await stage.sink.shown.map(\.category) == [.quickReplyFailed])
            #expect(await stage.service.consumeDraft(for: .numbered(1)) == "no")
            #expect(await stage.service.consumeDraft(for: .numbered(1)) == nil)
        }
    }

    @Test(.proves("SVC-160"))
    func `what the user does at the sink reaches the handlers, and what is closed is forgotten`() throws {
        try play { stage, _ in
            let log = Replies()
            await MainActor.run {
                stage.service.onQuickReply = { try await log.take($0, "reply \($1)") }
                stage.service.onMarkAsRead = { try? await log.take($0, "read \($1 == .numbered(2))") }
                stage.service.onNotificationTapped = { try? await log.take(.numbered(0), "tap \($0.body)") }
            }
            await stage.service.setup()
            await stage.service.setup()
            for number in 1...4 { await stage.direct(number) }
            await stage.channel(5)

            await stage.sink.respond(.reply, to: "message-\(UUID.numbered(1))", text: "yes")
            await stage.sink.respond(.markRead, to: "message-\(UUID.numbered(2))")
            await stage.sink.respond(.open, to: "message-\(UUID.numbered(3))")
            await stage.sink.respond(.reply, to: "message-\(UUID.numbered(4))", text: "")
            await stage.sink.respond(.reply, to: "message-\(UUID.numbered(5))", text: "to a channel")
            await stage.sink.respond(.open, to: "unknown")
            await stage.sink.close("message-\(UUID.numbered(5))")

            #expect(await log.taken == ["reply yes", "read true", "tap text 3"])
            #expect(await stage.sink.shown.isEmpty)
        }
    }

    @Test(.proves("SVC-160")) func `drafts outlive a restart, the newest for each contact, and are bounded`() throws {
        try play { stage, clock in
            await stage.service.setup()
            await stage.direct(1)
            // Nobody sends replies.
            await stage.service.perform(.reply, on: try #require(await stage.sink.shown.first), text: "first")
            await MainActor.run {
                for number in 2...101 { stage.service.saveDraft("\(number)", for: .numbered(number)) }
            }
            try await clock.sleep(for: .seconds(1))

            let next = await NotificationService(sink: stage.sink, settings: stage.store, clock: clock)
            await MainActor.run { next.saveDraft("newer", for: .numbered(101)) }
            await next.setup()

            #expect(await next.consumeDraft(for: .numbered(1)) == nil, "the oldest has made room")
            #expect(await next.consumeDraft(for: .numbered(2)) == "2")
            #expect(await next.consumeDraft(for: .numbered(2)) == nil)
            #expect(await next.consumeDraft(for: .numbered(101)) == "newer")
            try await clock.sleep(for: .seconds(1))
            let last = await NotificationService(sink: stage.sink, settings: stage.store, clock: clock)
            await last.setup()
            #expect(await last.consumeDraft(for: .numbered(2)) == nil, "a draft is given back once")
            #expect(await last.consumeDraft(for: .numbered(3)) == "3")
            #expect(await stage.sink.shown.map(\.category) == [.quickReplyFailed])
        }
    }

    private actor Replies {
        private(set) var taken: [String] = []
        private var refuses = false

        func refuse() { refuses = true }

        func take(_ contact: UUID, _ text: String) throws {
            if refuses { throw StackError(.notifications, .noNotifications) }
            taken.append(text)
        }
    }

    @Test(.proves("SVC-161", "SVC-R-100"))
    func `a drain raises one summary, and live messages are shown right after`() throws {
        try play { stage, _ in
            await stage.service.beginBurst()
            for number in 1...200 { await stage.direct(number) }
            await stage.service.endBurst()
            await stage.direct(201)
            await stage.service.beginBurst()
            await stage.service.endBurst()
            await stage.service.endBurst()

            let shown = await stage.sink.shown
            #expect(shown.map(\.category) == [.summary, .directMessage])
            #expect(shown[0].body == "200 new messages")
        }
    }

    @Test func `a heap of a drain is counted by the preferences and without the conversations in view`() throws {
        try play { stage, _ in
            try await stage.set { $0.channelMessagesEnabled = false }
            await MainActor.run { stage.service.activeContactID = .numbered(2) }
            await stage.service.beginBurst()
            await stage.service.post(
                (1...3).map {
                    .direct(contactName: "ann", contactID: .numbered($0), text: "hi", messageID: .numbered(10 + $0))
                } + [
                    .channel(
                        name: "hikers", index: 1, deviceID: .numbered(9), senderName: "bob", text: "hi",
                        messageID: .numbered(20))
                ])
            await stage.service.endBurst()

            let shown = await stage.sink.shown
            #expect(shown.map(\.body) == ["2 new messages"])
        }
    }

    @Test(.proves("SVC-162")) func `the badge is counted once for many changes and follows its switch`() throws {
        try play { stage, clock in
            let counts = Counts()
            await MainActor.run { stage.service.getBadgeCount = { await counts.next() } }

            for _ in 0..<50 { await stage.service.updateBadgeCount() }
            try await clock.sleep(for: .milliseconds(99))
            #expect(await counts.asked == 0)
            try await clock.sleep(for: .milliseconds(2))
            #expect(await counts.asked == 1)
            #expect(await stage.service.badgeCount == 1)
            #expect(await stage.sink.badge == 1)
            await stage.service.updateBadgeCount()
            try await clock.sleep(for: .seconds(1))
            #expect(await stage.sink.badge == 2)
            try await stage.set { $0.badgeEnabled = false }
            await stage.service.updateBadgeCount()
            try await clock.sleep(for: .seconds(1))
            #expect(await stage.sink.badge == 0)
            await stage.service.updateBadgeCount()
            await stage.service.stop()
            try await clock.sleep(for: .seconds(1))
            #expect(await counts.asked == 2)
        }
    }

    private actor Counts {
        private(set) var asked = 0

        func next() -> Int {
            asked += 1
            return asked
        }
    }

    @Test(.proves("SVC-163")) func `a low battery is told once per fall below the threshold`() throws {
        try play { stage, _ in
            for millivolts in [3500, 3400, 3399, 3300, 3450, 3390, 3499, 3390, 3500, 3380] {
                await stage.service.postLowBatteryNotification(
                    deviceID: .numbered(1), deviceName: "base", millivolts: millivolts)
                for request in await stage.sink.shown where !request.body.contains("\(millivolts)") {
                    await stage.sink.remove(ids: [request.id])
                }
                let expected = [3399, 3380].contains(millivolts) ? 1 : 0
                #expect(await stage.sink.shown.count == expected, "\(millivolts) mV")
            }
            await stage.service.postLowBatteryNotification(deviceID: .numbered(2), deviceName: "b", millivolts: 3000)
            #expect(await stage.sink.shown.count == 2, "another radio has its own")
            try await stage.set { $0.lowBatteryEnabled = false }
            await stage.service.postLowBatteryNotification(deviceID: .numbered(3), deviceName: "c", millivolts: 3000)
            #expect(await stage.sink.shown.count == 2, "the user does not want it")
            try await stage.set { $0.lowBatteryEnabled = true }
            await stage.service.postLowBatteryNotification(deviceID: .numbered(3), deviceName: "c", millivolts: 2990)
            #expect(await stage.sink.shown.count == 3, "and does now")
        }
    }

    @Test func `actions, taps and taking back`() throws {
        try play { stage, _ in
            let log = Replies()
            await MainActor.run {
                stage.service.onMarkAsRead = { try? await log.take($0, "read \($1 == .numbered(1))") }
                stage.service.onChannelMarkAsRead = { try? await log.take($0, "channel \($1) \($2 == .numbered(2))") }
                stage.service.onNotificationTapped = { try? await log.take(.numbered(0), "tap \($0.title)") }
                stage.service.onNewContactNotificationTapped = { try? await log.take($0, "new") }
            }
            try await stage.set { $0.newContactDiscoveredEnabled = true }
            await stage.direct(1)
            await stage.channel(2)
            await stage.service.postNewContactNotification(contactName: "New", contactID: .numbered(4))
            let shown = await stage.sink.shown
            #expect(shown.map(\.actions.count) == [4, 3, 2])

            await stage.service.perform(.markRead, on: shown[0])
            await stage.service.perform(.markRead, on: shown[1])
            await stage.service.tap(shown[2])
            await stage.service.tap(shown[0])
            await stage.service.perform(.dismiss, on: shown[0])

            #expect(await log.taken == ["read true", "channel 2 true", "new", "tap Ann"])
            #expect(await stage.sink.shown.isEmpty)
            for number in 10..<130 { await stage.direct(number) }
            #expect(await stage.sink.shown.count == 50, "bounded")
            await stage.service.removeDeliveredNotifications(group: "contact-\(UUID.numbered(1))")
            #expect(await stage.sink.shown.isEmpty)
        }
    }

    @Test func `a sink that shows nothing is noted and harms nobody`() throws {
        try play { stage, _ in
            await stage.service.setup()
            #expect(await stage.service.isAuthorized)
            await stage.sink.setAvailable(false)

            await stage.direct(1)
            let mayShow = await stage.service.requestAuthorization()

            #expect(!mayShow)
            #expect(await stage.service.lastError == StackError(.notifications, .noNotifications))
            await stage.sink.setAvailable(true)
            await stage.direct(2)
            #expect(await stage.service.lastError == nil)
        }
    }

    @Test func `the log says that something came, not what or from whom`() async {
        let log = Lines()
        let sink = LogNotificationSink { log.add($0) }

        sink.show(
            NotificationRequest(
                id: "1", category: .directMessage, title: "Ann", body: "the secret", subject: .contact(.numbered(1)),
                group: "contact-1"))
        sink.setBadge(3)
        sink.remove(ids: [])
        sink.remove(ids: ["1"])

        #expect(sink.isAvailable())
        #expect(
            log.all == ["notification DIRECT_MESSAGE in contact-1: 10 bytes", "badge 3", "notifications taken back: 1"])
        #expect(StackError(.notifications, .notShown("why")).description.contains("why"))
        #expect(StackError(.notifications, .noNotifications).description != "")
    }

    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])

        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }
}
