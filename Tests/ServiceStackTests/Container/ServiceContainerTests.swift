import Foundation
import MeshCompanion
import MeshCore
import MeshPacket
import MeshTestSupport
import MeshTime
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// The services of a connection together: wired once, listening once, and gone with it.
@Suite struct ServiceContainerTests {
    private func run<R: Sendable>(
        _ radio: QueueRadio = QueueRadio(), _ body: @escaping @Sendable (ContainerBench) async throws -> R
    ) throws -> R {
        try withQueueRadio(radio) { bench, link in
            try await body(try await ContainerBench(bench, link, radio))
        }
    }

    @Test func `listening begins once, asks for messages only when it may, and ends`() throws {
        try run { app in
            let before = await app.bench.session.subscriberCount
            await app.services.startEventMonitoring(deviceID: app.deviceID, enableAutoFetch: false)
            let subscribers = await app.bench.session.subscriberCount
            await app.services.startEventMonitoring(deviceID: app.deviceID, enableAutoFetch: true)
            try await app.bench.clock.sleep(for: .seconds(1))
            #expect(subscribers > before)
            #expect(await app.bench.session.subscriberCount == subscribers)
            #expect(app.radio.count(.syncNextMessage) == 0)
            await app.services.stopEventMonitoring()
            try await app.bench.clock.sleep(for: .seconds(1))
            #expect(await app.bench.session.subscriberCount == before)
            await app.services.startEventMonitoring(deviceID: app.deviceID, enableAutoFetch: true)
            try await app.bench.clock.sleep(for: .seconds(1))

            #expect(app.radio.count(.syncNextMessage) == 1)
            await app.services.tearDown()
        }
    }

    @Test(.proves("SVC-162")) func `a badge that cannot be counted stays as it is`() throws {
        try run(QueueRadio(queue: Frames.messages(3), contacts: [Frames.contact(2)])) { app in
            try await app.connect()
            try await app.bench.clock.sleep(for: .seconds(1))
            #expect(await app.services.notificationService.badgeCount == 3)
            try await app.bench.store.close()
            await app.services.notificationService.updateBadgeCount()
            try await app.bench.clock.sleep(for: .seconds(1))

            #expect(await app.services.notificationService.badgeCount == 3)
            await app.services.tearDown()
        }
    }

    @Test(.proves("SVC-069"))
    func `after the end nothing listens, nothing is told, and the services are gone`() throws {
        let radio = QueueRadio(queue: Frames.messages(3), contacts: [Frames.contact(2)])
        try withQueueRadio(radio) { bench, link in
            weak var services: ServiceContainer?
            weak var coordinator: SyncCoordinator?
            weak var polling: MessagePollingService?
            weak var messages: MessageService?
            let told = Notes<String>()
            do {
                let app = try await ContainerBench(bench, link, radio)
                (services, coordinator) = (app.services, app.services.syncCoordinator)
                (polling, messages) = (app.services.messagePollingService, app.services.messageService)
                await app.services.syncCoordinator.setMessageEventCallbacks(
                    onDirectMessageReceived: { message, _ in told.add(message.text) }, onChannelMessageReceived: nil)
                try await app.connect()
                await app.services.onConnectionReady(deviceID: app.deviceID)
                try await bench.clock.sleep(for: .seconds(1))
                await app.services.tearDown()
            }
            try await bench.clock.sleep(for: .seconds(1))
            radio.add(Frames.message(from: 2, "too late", timestamp: 9))
            await link.simulateReceive(Frames.waiting)
            try await bench.clock.sleep(for: .seconds(1000))

            #expect(told.all == ["text 0", "text 1", "text 2"])
            #expect(await bench.session.subscriberCount == 0)
            #expect(radio.queue.count == 1)
            #expect(services == nil && coordinator == nil && polling == nil && messages == nil)
        }
    }

    @Test(.proves("SVC-R-094")) func `what waits at the end of a connection ends within a second`() throws {
        let radio = QueueRadio(queue: Frames.messages(3), contacts: [Frames.contact(2)])
        try run(radio) { app in
            radio.change { $0.silent = [.getContacts, .syncNextMessage] }
            let connecting = Task { try await app.connect() }
            try await app.bench.clock.sleep(for: .seconds(1))
            await app.services.tearDown()
            _ = await connecting.result
            #expect(app.bench.clock.now.sinceStart == .seconds(1))
            #expect(await app.services.syncCoordinator.state == .idle)
        }
    }

    @Test(.proves("SVC-123"))
    func `a post reaches the room's session and is shown; the answer to a command line is no message`() throws {
        let radio = QueueRadio(
            queue: [
                Frames.message(from: 5, "welcome", timestamp: 7, type: .signedPlain, author: 2),
                Frames.message(from: 6, "ver 1.2", timestamp: 8, type: .cliData),
            ],
            contacts: [
                Frames.contact(2), Frames.contact(5, name: "lounge", type: .room),
                Frames.contact(6, name: "relay", type: .repeater),
            ])
        try run(radio) { app in
            let answers = Notes<String>()
            app.services.events.note(in: answers) { if case .commandAnswered(_, let text) = $0 { text } else { nil } }
            await app.services.wireServices()
            try await app.connect()
            let room = try #require(
                try await app.bench.store.fetchRemoteNodeSessions(deviceID: app.deviceID).first { $0.isRoom })
            let posts = try await app.bench.store.fetchRoomMessages(sessionID: room.id, limit: 10, offset: 0)

            #expect(posts.map(\.text) == ["welcome"])
            #expect(posts.map(\.authorName) == ["bob"])
            #expect(room.unreadCount == 1)
            #expect(answers.all == ["ver 1.2"])
            #expect(await app.sink.shown.map(\.body) == ["1 new message"])
            await app.services.tearDown()
        }
    }

    @Test func `changes of contacts and channels raise the versions that pages look at`() throws {
        try run(QueueRadio(contacts: [Frames.contact(2)])) { app in
            try await app.connect()
            let coordinator = app.services.syncCoordinator
            let before = await (coordinator.contactsVersion, coordinator.conversationsVersion)
            let bob = try await app.contact(2)
            try await app.services.contactService.updateContactPreferences(
                id: bob.id, nickname: "Bobby", isBlocked: false, isFavorite: false)
            try await app.services.channelService.fetchChannel(deviceID: app.deviceID, index: 1)

            #expect(await coordinator.contactsVersion == before.0 + 1)
            #expect(await coordinator.conversationsVersion == before.1 + 1)
            await app.services.tearDown()
        }
    }

    @Test func `at the start of the process nobody is logged in`() throws {
        try run { app in
            var node = RemoteNodeSessionDTO(
                deviceID: app.deviceID, publicKey: Data(repeating: 5, count: 32), name: "lounge", role: .roomServer)
            node.isConnected = true
            try await app.bench.store.saveRemoteNodeSession(node)
            try await ServiceContainer.warmUp(app.bench.store)
            let count = try await ServiceContainer.resetRemoteNodeConnections(app.bench.store)

            #expect(count == 1)
            #expect(try await app.bench.store.fetchConnectedRemoteNodeSessions(deviceID: app.deviceID).isEmpty)
        }
    }
}
