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

/// Whole connections: the services of a container against a radio with a queue.
@Suite struct ConnectedSyncTests {
    private static let orders: [VirtualTime.Order] = [.arrival, .drawn(Seed(1)), .drawn(Seed(2)), .drawn(Seed(3))]

    private func run<R: Sendable>(
        _ radio: QueueRadio, _ profile: StackProfile = .architectureV2, order: VirtualTime.Order = .arrival,
        _ body: @escaping @Sendable (ContainerBench) async throws -> R
    ) throws -> R {
        try withQueueRadio(radio, order: order) { bench, link in
            let container = try await ContainerBench(bench, link, radio, profile: profile)
            let result = try await body(container)
            await container.services.tearDown()
            return result
        }
    }

    // MARK: Order

    @Test(.proves("SVC-071", "SVC-072", "SVC-R-002"), arguments: orders)
    func `nothing is fetched before contacts and channels stand, and each finds its place`(order: VirtualTime.Order)
        throws
    {
        let radio = QueueRadio(
            queue: [
                Frames.channelMessage(2, "bob: on the way", timestamp: 5),
                Frames.message(from: 2, "hello", timestamp: 6),
            ],
            contacts: [Frames.contact(2)],
            channels: [2: Frames.channel(2, name: "hikers", secret: FixedBytes(repeatElement(8, count: 16)))])
        try run(radio, order: order) { app in
            // A radio that calls all the time does not change the order.
            let calling = Task {
                for _ in 0..<50 {
                    await app.link.simulateReceive(Frames.waiting)
                    try await app.bench.clock.sleep(for: .microseconds(10))
                }
            }
            try await app.connect()
            try await app.bench.clock.sleep(for: .seconds(1))
            calling.cancel()

            let commands = radio.received
            let fetched = try #require(commands.firstIndex(of: .syncNextMessage))
            #expect(commands.prefix(fetched).contains(.getContacts))
            #expect(commands.prefix(fetched).count { $0 == .getChannel } == 40)
            let channel = try #require(try await app.bench.store.fetchChannel(deviceID: app.deviceID, index: 2))
            #expect(try await app.texts(.channel(channel.id)) == ["on the way"])
            #expect(try await app.texts(.contact(try await app.contact(2).id)) == ["hello"])
            #expect(await app.services.syncCoordinator.state == .synced)
        }
    }

    // MARK: Failures

    @Test(.proves("SVC-R-004"))
    func `a radio that stops answering in the drain leaves no suppression and no stuck state`() throws {
        let radio = QueueRadio(queue: Frames.messages(5), contacts: [Frames.contact(2)])
        try run(radio, .sync { $0.retries = 0 }) { app in
            app.services.events.observe { event in
                guard case .directMessageReceived(let message, _) = event, message.text == "text 1" else { return }
                radio.change { $0.silent = [.syncNextMessage] }
            }
            #expect(await failure(of: .sync) { try await app.connect() } != nil)
            #expect(await app.sink.shown.map(\.category) == [.summary])
            #expect(app.bench.clock.now.sinceStart == .seconds(5))
            guard case .failed(let error) = await app.services.syncCoordinator.state,
                case .syncFailed(let why) = error.reason
            else {
                Issue.record("the state is not failed")
                return
            }
            #expect(why.hasPrefix("messages: the radio's queue was not emptied; 2 messages came"))
            try await app.bench.clock.sleep(for: .seconds(10))
            radio.change { $0.silent = [] }
            await app.link.simulateReceive(Frames.waiting)
            // An answer right behind one that was missed is doubted for a second.
            try await app.bench.clock.sleep(for: .seconds(2))

            // What was left is live now.
            #expect(await app.sink.shown.count { $0.category == .directMessage } == 3)
            #expect(try await app.contact(2).unreadCount == 5)
        }
    }

    @Test(.proves("SVC-R-005"))
    func `a message lost in the radio's write is reported, and no question is put beside another`() throws {
        let radio = QueueRadio(queue: Frames.messages(6), contacts: [Frames.contact(2)])
        try run(radio) { app in
            app.services.events.observe { event in
                guard case .directMessageReceived(let message, _) = event, message.text == "text 1" else { return }
                radio.change {
                    $0.queue.removeFirst()
                    $0.silent = [.syncNextMessage]
                }
            }
            let failure = await #expect(throws: StackError.self) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await app.connect() }
                    try await app.bench.clock.sleep(for: .seconds(4))
                    radio.change { $0.silent = [] }
                    try await group.waitForAll()
                }
            }
            try await app.bench.clock.sleep(for: .seconds(20))

            #expect(failure.map { "\($0)".contains("2 messages came") } == true)
            #expect(await app.services.syncCoordinator.state == .synced)
            #expect(
                try await app.texts(.contact(try await app.contact(2).id)) == [
                    "text 0", "text 1", "text 3", "text 4", "text 5",
                ])
        }
    }

    @Test(.proves("SVC-R-009"))
    func `a listing that stalls keeps its 24 contacts and no watermark, and is taken up again`() throws {
        let table = (0..<24).map { Frames.contact(UInt8(100 + $0), name: "node", lastModified: UInt32(1000 + $0)) }
        let listings = Notes<Duration>()
        let radio = QueueRadio()
        try withScriptedRadio(
            answers: { frame in
                guard frame.first == CommandCode.getContacts.rawValue else { return radio.answers(frame) }
                listings.add(.zero)
                let count: UInt32 = listings.all.count == 1 ? 350 : 24
                let start = Resp.ContactsStart(count: count).encoded()
                let end = count == 24 ? [Resp.EndOfContacts(mostRecentLastModified: 1023).encoded()] : []
                return [start] + table.map(Frames.frame) + end
            }
        ) { bench, link in
            let app = try await ContainerBench(bench, link, radio)
            #expect(await failure(of: .sync) { try await app.connect() } != nil)
            #expect(bench.clock.now.sinceStart == .seconds(15))
            #expect(try await bench.store.fetchContacts(deviceID: app.deviceID).count == 24)
            #expect(try await bench.store.fetchDevice(id: app.deviceID)?.lastContactSync == 0)
            try await bench.clock.sleep(for: .seconds(3))

            #expect(await app.services.syncCoordinator.state == .synced)
            #expect(try await bench.store.fetchDevice(id: app.deviceID)?.lastContactSync == 1023)
            #expect(radio.count(.syncNextMessage) > 0)
            await app.services.tearDown()
        }
    }

    @Test(.proves("SVC-R-120"))
    func `a connection that leaves the queue to another client never asks for a message`() throws {
        let radio = QueueRadio(queue: Frames.messages(2), contacts: [Frames.contact(2)])
        try run(radio, .sync { $0.leavesQueue = true }) { app in
            try await app.connect()
            await app.link.simulateReceive(Frames.waiting)
            try await app.bench.clock.sleep(for: .seconds(100))

            #expect(await app.services.syncCoordinator.state == .synced)
            #expect(radio.count(.syncNextMessage) == 0)
            #expect(radio.queue.count == 2)
        }
    }

    // MARK: Notifications

    @Test(.proves("SVC-161", "SVC-R-100"), arguments: orders)
    func `what is drained is summed up once, and what comes right after is shown`(order: VirtualTime.Order) throws {
        let radio = QueueRadio(queue: Frames.messages(200), contacts: [Frames.contact(2)])
        try run(radio, order: order) { app in
            try await app.connect()
            #expect(await app.sink.shown.map(\.body) == ["200 new messages"])
            radio.add(Frames.message(from: 2, "live", timestamp: 5000))
            await app.link.simulateReceive(Frames.waiting)
            try await app.bench.clock.sleep(for: .seconds(1))

            #expect(await app.sink.shown.map(\.body) == ["200 new messages", "live"])
            #expect(await app.sink.badge == 201)
        }
    }

    @Test(.proves("SVC-R-101")) func `the badge counts the active radio's contacts and channels only`() throws {
        let radio = QueueRadio(
            queue: [Frames.message(from: 2, "hello", timestamp: 6), Frames.message(from: 3, "beep", timestamp: 7)],
            contacts: [Frames.contact(2), Frames.contact(3, name: "relay", type: .repeater)])
        try run(radio) { app in
            let store = app.bench.store
            var other = app.bench.device
            other.id = UUID(uuidString: "00000000-0000-4000-8000-000000000009")!
            other.publicKey = Data(repeating: 77, count: 32)
            other = try await store.saveDevice(other)
            let stranger = try await store.saveContact(deviceID: other.id, from: Frames.contact(2))
            try await store.incrementUnreadCount(contactID: stranger)
            try await app.connect()
            try await app.bench.clock.sleep(for: .seconds(1))

            #expect(await app.sink.badge == 1)
        }
    }

    // MARK: Discovery

    @Test(.proves("SVC-071", "SVC-088"))
    func `adverts that are heard during the synchronisation lead to one more, behind it`() throws {
        let radio = QueueRadio(contacts: [Frames.contact(2)])
        try run(radio) { app in
            radio.change { $0.silent = [.getChannel] }
            let connecting = Task { try await app.connect() }
            try await app.bench.clock.sleep(for: .seconds(1))
            for number: UInt8 in [50, 51, 52] {
                await app.link.simulateReceive(Push.Advert(publicKey: Frames.key(number)).encoded())
            }
            try await app.bench.clock.sleep(for: .seconds(3))
            #expect(radio.count(.getContacts) == 1)
            radio.change {
                $0.silent = []
                $0.contacts += [50, 51, 52].map { Frames.contact($0, name: "new", lastModified: 200) }
            }
            try await connecting.value
            try await app.bench.clock.sleep(for: .seconds(10))

            #expect(radio.count(.getContacts) == 2)
            #expect(try await app.bench.store.fetchContacts(deviceID: app.deviceID).count == 4)
        }
    }
}
