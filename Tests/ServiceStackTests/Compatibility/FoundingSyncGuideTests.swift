import Foundation
import Logging
import MeshCompanion
import MeshCore
import MeshPacket
import MeshTestSupport
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// The code of the founding Sync Guide works on the services of today.
@Suite struct FoundingSyncGuideTests {
    private static let mail = [
        Frames.message(from: 2, "hello", timestamp: 1000),
        Frames.message(from: 9, "who am I", timestamp: 1001),
        Frames.channelMessage(0, "bob: hi all", timestamp: 1002),
        Frames.message(from: 4, "a post", timestamp: 1003, type: .signedPlain, author: 7),
        Frames.message(from: 3, "> 22", timestamp: 1004, type: .cliData),
    ]

    private func run<R: Sendable>(
        _ radio: QueueRadio,
        _ body: @escaping @Sendable (ContainerBench, FoundingSyncGuide, Notes<String>) async throws -> R
    ) throws -> R {
        try withQueueRadio(radio) { bench, link in
            let app = try await ContainerBench(bench, link, radio)
            let notes = Notes<String>()
            let guide = Self.guide(app, notes)
            app.services.events.note(in: notes) {
                switch $0 {
                case .commandAnswered(_, let text): "answer \(text)"
                case .roomMessageReceived(let room, let post): "\(post.text) in \(room.name)"
                default: nil
                }
            }
            let result = try await body(app, guide, notes)
            await app.services.tearDown()
            return result
        }
    }

    private static func guide(_ app: ContainerBench, _ notes: Notes<String>) -> FoundingSyncGuide {
        FoundingSyncGuide(
            deviceID: app.deviceID, services: app.services, dataStore: app.bench.store,
            logger: Logger(label: "guide") { _ in SwiftLogNoOpLogHandler() },
            onDirectMessageReceived: { notes.add("\($0.text) from \($1.name)") },
            onChannelMessageReceived: { notes.add("\($0.text) on \($1) from \($0.senderNodeName ?? "nobody")") })
    }

    private static func radio(_ queue: [[UInt8]] = mail) -> QueueRadio {
        QueueRadio(
            queue: queue,
            contacts: [
                Frames.contact(2), Frames.contact(3, name: "hill", type: .repeater),
                Frames.contact(4, name: "lounge", type: .room),
            ], channels: [0: Frames.channel(0, name: "Public", secret: FixedBytes(repeatElement(8, count: 16)))])
    }

    private func wireMessages(_ guide: FoundingSyncGuide) async {
        await guide.wireContactMessageHandler()
        await guide.wireChannelMessageHandler()
        await guide.wireSignedMessageHandler()
        await guide.wireCLIMessageHandler()
    }

    @Test func `the guide's handlers take each kind of message, also behind the wiring of the coordinator`() throws {
        try run(Self.radio()) { app, guide, notes in
            await wireMessages(guide)
            try await app.connect()
            try await app.bench.clock.sleep(for: .seconds(1))

            #expect(
                notes.all == ["hello from bob", "hi all on 0 from bob", "a post in lounge", "answer > 22"])
            let bob = try await app.contact(2)
            #expect(try await app.texts(.contact(bob.id)) == ["hello"])
            let stored = try await app.bench.store.fetchMessages(deviceID: app.deviceID, thread: .contact(bob.id))
            #expect(stored.map(\.timestamp) == [1000])
            #expect(stored.map(\.snr) == [10])
            #expect(stored.map(\.textType) == [.plain])
        }
    }

    @Test func `a handler that is taken back leaves its messages to the coordinator`() throws {
        try run(Self.radio([])) { app, guide, notes in
            await wireMessages(guide)
            try await app.connect()
            await guide.services.messagePollingService.setContactMessageHandler(nil)
            app.radio.add(Frames.message(from: 2, "again", timestamp: 2000))
            try await guide.services.messagePollingService.pollAllMessages()

            #expect(notes.all == [])
            #expect(try await app.texts(.contact(try await app.contact(2).id)) == ["again"])
        }
    }

    @Test func `what a handler throws ends nothing but its message`() throws {
        struct Refused: Error {}
        try run(Self.radio()) { app, guide, notes in
            await wireMessages(guide)
            await guide.services.messagePollingService.setContactMessageHandler { message, contact in
                notes.add("\(message.text) from \(contact?.name ?? "a stranger")")
                throw Refused()
            }
            try await app.connect()
            try await app.bench.clock.sleep(for: .seconds(1))

            #expect(
                notes.all == [
                    "hello from bob", "who am I from a stranger", "hi all on 0 from bob", "a post in lounge",
                    "answer > 22",
                ])
        }
    }

    @Test func `handlers of discoveries are told in place of the coordinator, until they are taken back`() throws {
        let radio = Self.radio([])
        try run(radio) { app, guide, notes in
            let adverts = app.services.advertisementService
            await adverts.setNewContactDiscoveredHandler { name, _ in notes.add(name) }
            await adverts.setContactSyncRequestHandler { _ in notes.add("sync") }
            try await app.connect()
            let listings = radio.count(.getContacts)
            try await Self.hear(8, 6, app)
            #expect(notes.takeAll() == ["hana", "sync"])
            #expect(radio.count(.getContacts) == listings)

            await guide.wireDiscoveryHandlers()
            try await Self.hear(9, 5, app)
            #expect(radio.count(.getContacts) == listings + 1)

            await adverts.setNewContactDiscoveredHandler(nil)
            await adverts.setContactSyncRequestHandler(nil)
            try await Self.hear(10, 7, app)
            #expect(radio.count(.getContacts) == listings + 2)
            #expect(notes.all == [])
        }
    }

    /// Sends the pushes for a node that the radio leaves to the user, and for one that it may have added.
    private static func hear(_ discovered: UInt8, _ unknown: UInt8, _ app: ContainerBench) async throws {
        var push = Push.NewAdvert()
        push.record = Frames.contact(discovered, name: "hana")
        await app.link.simulateReceive(push.encoded())
        await app.link.simulateReceive(Push.Advert(publicKey: Frames.key(unknown)).encoded())
        try await app.bench.clock.sleep(for: .seconds(10))
    }

    @Test func `the guide's phases and its recovery synchronise`() throws {
        try run(Self.radio()) { app, guide, notes in
            let state = FoundingAppState()
            await state.wire(app.services)
            await app.services.startEventMonitoring(deviceID: app.deviceID, enableAutoFetch: false)
            await wireMessages(guide)

            let (contacts, channels) = try await guide.syncPhases(lastContactSync: nil)
            await guide.recover()
            try await app.bench.clock.sleep(for: .seconds(1))

            #expect(contacts.contactsReceived == 3)
            #expect(channels.channelsSynced == 1)
            #expect(notes.all.count == 4)
            #expect(await state.contactsVersion > 0)
            #expect(await !state.shouldShowSyncingPill)
            await state.disconnect(app.services)
        }
    }

    @Test func `handlers that hold the services do not keep them after the end`() throws {
        let radio = Self.radio()
        try withQueueRadio(radio) { bench, link in
            weak var services: ServiceContainer?
            do {
                let app = try await ContainerBench(bench, link, radio)
                services = app.services
                let guide = Self.guide(app, Notes())
                await wireMessages(guide)
                await guide.wireDiscoveryHandlers()
                try await app.connect()
                #expect(services != nil)
                await app.services.tearDown()
            }
            try await bench.clock.sleep(for: .seconds(1))

            #expect(services == nil)
        }
    }
}
