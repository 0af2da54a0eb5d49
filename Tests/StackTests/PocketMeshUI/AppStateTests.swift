import Foundation
import MeshTestSupport
import MeshVirtualTime
import MeshWire
import Observation
import PocketMeshServices
import StackTestSupport
import Testing

@testable import PocketMeshUI

@Suite struct AppStateTests {
    @Test(.proves("SVC-171")) func `services are wired before the first sync, and dropped when they go`() throws {
        try withApp { bench in
            let app = bench.app
            var kinds: [String] = []
            let subscription = app.messageEventBroadcaster.observe { kinds.append($0.event.kind) }
            try await bench.connect()
            let wired = try #require(kinds.firstIndex(of: "connectionChanged"))
            let synced = try #require(kinds.firstIndex(of: "syncChanged"))
            #expect(wired < synced)
            #expect(app.servicesVersion == 1 && app.connectionState == .ready && app.services != nil)
            #expect(app.capabilities.has(.clientRepeat) && app.capabilities.isSupported)
            #expect(app.linkIndicator.state == .ready && app.linkIndicator.deviceName == app.connectedDevice?.nodeName)
            try await app.fetchDeviceBattery()
            #expect(app.linkIndicator.batteryPercent != nil)

            await app.disconnect()
            #expect(app.servicesVersion == 2 && app.services == nil && app.deviceBatteryMillivolts == nil)
            #expect(app.linkIndicator.state == .disconnected)
            let before = kinds.count
            subscription.cancel()
            app.messageEventBroadcaster.broadcast(.contactsChanged)
            #expect(kinds.count == before)
        }
    }

    @Test(.proves("SVC-172")) func `versions rise with each change, and observers run`() throws {
        try withApp { bench in
            try await bench.connect()
            let bob = try await bench.mesh.app("bob")
            let (contacts, conversations) = (bench.app.contactsVersion, bench.app.conversationsVersion)
            let changes = Notes<Int>()
            withObservationTracking {
                _ = bench.app.contactsVersion
            } onChange: {
                changes.add(1)
            }
            _ = try await bench.meet(bob)
            #expect(bench.app.contactsVersion > contacts)
            #expect(changes.all == [1])
            try await bench.text(from: bob, "hello")
            #expect(await bench.wait { bench.app.conversationsVersion > conversations })
        }
    }

    @Test func `the pill shows contacts and settings, and no message`() throws {
        try withApp { bench in
            let app = bench.app
            let shown = Notes<Bool>()
            var phases: [SyncPhase] = []
            let subscription = app.messageEventBroadcaster.observe { _ in
                shown.add(app.syncPill.isShown)
                if let progress = app.contactsSyncProgress { phases.append(progress.phase) }
            }
            try await bench.connect()
            #expect(!phases.isEmpty && phases.allSatisfy { $0 == .contacts } && app.contactsSyncProgress == nil)
            #expect(shown.all.contains(true) && shown.all.last == false)
            let value = await app.withSyncActivity { app.syncPill.isShown && app.isLinkBusy }
            #expect(value && !app.syncPill.isShown)
            subscription.cancel()
        }
    }

    @Test func `a radio is read again on request`() throws {
        try withApp { bench in
            await #expect(throws: StackError.self) { try await bench.app.syncAgain() }
            try await bench.connect()
            let device = try bench.required(bench.app.deviceID)
            // Another app writes a channel to the radio.
            try await bench.required(bench.app.services).session.setChannel(
                3, name: "hikers", secret: FixedBytes(repeatElement(9, count: 16)))
            #expect(try await bench.app.store.fetchChannels(deviceID: device).contains { $0.name == "hikers" } == false)

            try await bench.app.syncAgain()

            #expect(try await bench.app.store.fetchChannels(deviceID: device).contains { $0.name == "hikers" })
            #expect(bench.app.syncPill.failure == nil && !bench.app.syncPill.isShown)
        }
    }

    @Test func `a link that is degraded says why`() throws {
        try withApp { bench in
            try await bench.connect()
            #expect(bench.app.linkIndicator.warnings == [])
            for _ in 0..<3 { bench.app.linkQuality.noteTimeout() }
            #expect(bench.app.linkIndicator.state == .degraded && bench.app.linkIndicator.warnings.count == 1)
            bench.app.linkQuality.noteAnswer(after: .seconds(1))
            #expect(bench.app.linkIndicator.state == .ready && bench.app.linkIndicator.warnings == [])
        }
    }

    @MainActor @Test func `each kind of notification has its title, its text and its buttons`() async throws {
        let log = NotificationLog()
        let sink = PageNotificationSink(log: log)
        for category in NotificationCategory.allCases {
            try await sink.show(
                NotificationRequest(
                    id: category.rawValue, category: category, title: "bob", body: "hello", subject: .device,
                    group: "g", amount: 3))
        }

        #expect(log.presentations.map(\.category) == NotificationCategory.allCases.map(\.rawValue))
        for shown in log.presentations {
            let buttons: [NotificationAction] =
                switch NotificationCategory(rawValue: shown.category) {
                case .directMessage: [.reply, .markRead, .dismiss]
                case .channelMessage: [.markRead, .dismiss]
                default: [.dismiss]
                }
            let (title, body) =
                switch NotificationCategory(rawValue: shown.category) {
                case .summary: ("New messages", "3 new messages")
                case .newContact: ("New contact", "hello")
                case .lowBattery: ("bob", "The battery is low: 3 mV")
                case .quickReplyFailed: ("bob", "The reply was not sent; it is kept as a draft")
                default: ("bob", "hello")
                }
            #expect(shown.title == title && shown.body == body && shown.hasSound)
            #expect(shown.actions == buttons.map(\.rawValue) && shown.actionLabels == buttons.map(\.label))
        }
        // Each page gets them in its language, whatever it was as they came.
        let german = Texts.$language.withValue(TextLanguage(tag: "de")) { log.presentations }
        #expect(german.map(\.title).filter { $0 != "bob" } == ["Neuer Kontakt", "Neue Nachrichten"])
        #expect(german.last?.body == "3 neue Nachrichten" && german.last?.actionLabels == ["Verwerfen"])
    }

    @Test func `a connection that is wanted is resumed by the next start of the program`() throws {
        let store = try PersistenceStore()
        try withApp(store: store) { bench in
            try await bench.connect()
            await bench.app.stop()
            #expect(bench.app.connectionState == .disconnected)
            try await bench.app.initialize()
            #expect(await bench.wait { bench.app.connectionState == .ready })
            await bench.app.disconnect()
            try await bench.app.initialize()
            try await bench.pass(60)
            #expect(bench.app.connectionState == .disconnected, "what the user has ended stays so")
        }
    }

    @Test func `a failed connection is told of, with what to do`() throws {
        try withApp { bench in
            await #expect(throws: StackError.self) { try await bench.app.connect(to: "nonsense") }
            await #expect(throws: (any Error).self) { try await bench.app.connect(to: "loopback:nobody") }
            #expect(bench.app.showingConnectionFailedAlert)
            let message = try #require(bench.app.connectionFailedMessage)
            #expect(message.title == "Connection" && !message.recovery.isEmpty)
        }
    }

    @Test(.proves("SVC-173")) func `touched notifications set what opens next, once`() throws {
        try withApp { bench in
            try await bench.connect()
            let contact = try await bench.know("bob")
            let message = UUID()
            let app = bench.app
            func touch(_ subject: NotificationSubject) async {
                await app.notificationService.tap(
                    NotificationRequest(
                        id: "n", category: .directMessage, title: "bob", body: "hello", subject: subject, group: "g",
                        messageID: message))
            }
            app.selectedTab = .map
            await touch(.contact(contact.id))
            #expect(app.selectedTab == .chats)
            #expect(app.takeNavigation() && !app.takeNavigation())
            let pending = try #require(app.takePendingChat())
            #expect(pending.contact.id == contact.id && pending.messageID == message)
            #expect(app.takePendingChat() == nil && app.pendingMessageID == nil)

            app.navigateToContacts()
            #expect(app.selectedTab == .contacts)
            app.selectedTab = .map
            await touch(.discovery(contactID: contact.id))
            #expect(app.selectedTab == .contacts)
            #expect(app.takePendingDiscovery() && !app.takePendingDiscovery())

            let room = try await bench.know("room1")
            let session = try #require(
                try await app.services?.remoteNodeService.createSession(
                    deviceID: room.deviceID, contact: room, password: "hello"))
            await touch(.room(sessionID: session.id))
            #expect(app.takePendingRoom()?.id == session.id && app.takePendingRoom() == nil)

            let channel = try #require(try await app.store.fetchChannels(deviceID: room.deviceID).first)
            await touch(.channel(deviceID: room.deviceID, index: channel.index))
            #expect(app.navigation.path(of: .chats) == [.channel(channelID: channel.id)])
        }
    }

    @Test func `a quick reply is sent, or kept as a draft with a notification`() throws {
        try withApp { bench in
            try await bench.connect()
            let bob = try await bench.mesh.app("bob")
            let contact = try await bench.meet(bob)
            try await bench.text(from: bob, "are you there?")
            #expect(await bench.wait { !bench.app.notifications.requests.isEmpty })
            let shown = try #require(bench.app.notifications.presentations.last)
            #expect(shown.body == "are you there?" && shown.actions.contains("REPLY_ACTION"))
            #expect(await bench.sink.shown.count == 1, "the desktop shows it too")
            #expect(await bench.wait { bench.app.notifications.badge == 1 })
            let request = try #require(bench.app.notifications.request(id: shown.id))
            await bench.app.notificationService.perform(.reply, on: request, text: "yes")
            #expect(bench.app.notifications.requests.isEmpty)
            let chat = ChatViewModel()
            chat.configure(appState: bench.app)
            await chat.open(.direct(contact))
            #expect(chat.messages.map(\.text) == ["are you there?", "yes"])
            #expect(await bench.wait { bench.app.notifications.badge == 0 })

            await bench.app.disconnect()
            await bench.app.notificationService.perform(.reply, on: request, text: "later")
            #expect(bench.app.notifications.presentations.map(\.category) == ["QUICK_REPLY_FAILED"])
            await chat.open(.direct(contact))
            #expect(chat.draft == "later")
        }
    }

    @Test func `the last page that closes takes the conversation out of view`() throws {
        try withApp { bench in
            try await bench.connect()
            let chat = ChatViewModel()
            chat.configure(appState: bench.app)
            bench.app.handleClientAttached()
            await chat.open(.direct(try await bench.know("bob")))
            #expect(bench.app.notificationService.activeContactID != nil)
            bench.app.handleClientDetached()
            #expect(bench.app.notificationService.activeContactID == nil && bench.app.clientCount == 0)
        }
    }
}
