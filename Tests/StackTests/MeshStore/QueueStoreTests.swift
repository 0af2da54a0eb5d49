import Foundation
import MeshTestSupport
import Testing

@testable import MeshStore

/// The offline queue: nothing is lost, nothing is sent as another message.
@Suite struct QueueStoreTests {
    @Test(.proves("SVC-112", "SVC-R-096")) func `the queue keeps its order and survives a restart`() async throws {
        let scratch = Scratch()
        let device = DeviceDTO.numbered(0)
        do {
            let store = try PersistenceStore(path: scratch.file("store.sqlite"))
            try await store.addRadio(0)
            for number in [5, 3, 9] {
                try await store.enqueueMessage(.composed(number, to: .numbered(number % 2, of: device)))
            }
            try await store.close()
        }

        let store = try PersistenceStore(path: scratch.file("store.sqlite"))
        let queue = try await store.fetchPendingSends(deviceID: device.id)

        #expect(queue.map(\.messageID) == [5, 3, 9].map(UUID.numbered))
        #expect(queue.map(\.text) == ["message 5", "message 3", "message 9"])
        #expect(try await store.countPendingMessages(deviceID: device.id) == 3)
        #expect(try await store.fetchMessage(id: .numbered(3))?.status == .pending)
    }

    @Test(.proves("SVC-113")) func `a full queue refuses, and keeps what it has`() async throws {
        let (store, devices) = try await PersistenceStore.fixture(devices: 2)
        for number in 0..<10 {
            try await store.enqueueMessage(.composed(number, to: .numbered(0, of: devices[0])), limit: 10)
        }

        #expect(
            await failure(of: .store) {
                try await store.enqueueMessage(.composed(10, to: .numbered(0, of: devices[0])), limit: 10)
            } == .queueFull(limit: 10))

        #expect(try await store.fetchMessage(id: .numbered(10)) == nil)
        #expect(try await store.countPendingMessages(deviceID: devices[0].id) == 10)
        try await store.enqueueMessage(.composed(11, to: .numbered(0, of: devices[0])))
        try await store.enqueueMessage(.composed(12, to: .numbered(0, of: devices[1])), limit: 1)
        #expect(StackError(.store, .queueFull(limit: 10)).description.contains("10 messages"))
    }

    @Test(.proves("SVC-114")) func `a waiting message can be deleted, one on its way cannot`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        let contact = ContactDTO.numbered(0, of: devices[0])
        for number in 1...2 { try await store.enqueueMessage(.composed(number, to: contact)) }
        try await store.updateMessageStatus(id: .numbered(1), to: .sending)

        #expect(try await store.deleteQueuedMessage(id: .numbered(1)) == .refused(.sending))
        #expect(try await store.deleteQueuedMessage(id: .numbered(2)) == .changed)

        #expect(try await store.fetchPendingSends(deviceID: devices[0].id).map(\.messageID) == [.numbered(1)])
        #expect(try await store.fetchMessage(id: .numbered(2)) == nil)
        #expect(try await store.fetchContact(id: contact.id)?.lastMessageDate == .at(1))
    }

    @Test(.proves("SVC-115")) func `sent and removed from the queue are one step`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        try await store.enqueueMessage(.composed(1, to: .numbered(0, of: devices[0])))
        try await store.updateMessageStatus(id: .numbered(1), to: .sending)
        try await store.execute(
            "CREATE TRIGGER planted BEFORE DELETE ON pendingSend BEGIN SELECT raise(ABORT, 'planted'); END")

        #expect(
            await failure(of: .store) {
                try await store.completePendingSend(messageID: .numbered(1), ackCode: 7)
            } == .saveFailed("planted"))
        #expect(try await store.fetchMessage(id: .numbered(1))?.status == .sending)
        try await store.execute("DROP TRIGGER planted")

        #expect(try await store.completePendingSend(messageID: .numbered(1), ackCode: 7) == .changed)
        let sent = try await store.fetchMessage(id: .numbered(1))
        #expect(sent?.status == .sent && sent?.ackCode == 7)
        #expect(try await store.countPendingMessages(deviceID: devices[0].id) == 0)
    }

    @Test(.proves("SVC-R-023", "SVC-115"))
    func `after a crash in the middle of a write the copy carries the same timestamp`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        let contact = ContactDTO.numbered(0, of: devices[0])
        try await store.enqueueMessage(.composed(1, to: contact))
        let first = try await store.recordSendAttempt(messageID: .numbered(1), timestamp: 500)
        try await store.recordSendError(messageID: .numbered(1), error: "table full")
        try await store.updateMessageStatus(id: .numbered(1), to: .sending)

        let recovered = try await store.failStaleSending()
        let second = try await store.recordSendAttempt(messageID: .numbered(1), timestamp: 900)

        #expect(recovered == 1)
        #expect(first.timestamp == 500 && second.timestamp == 500 && second.attemptCount == 2)
        #expect(second.lastError == "table full")
        let message = try await store.fetchMessage(id: .numbered(1))
        #expect(message?.status == .pending && message?.timestamp == 500)
    }

    @Test(.proves("SVC-115", "SVC-R-075"))
    func `what a crash left on its way goes back to the queue, or counts as sent`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        let contact = ContactDTO.numbered(0, of: devices[0])
        try await store.saveChannel(
            ChannelDTO(deviceID: devices[0].id, index: 1, name: "c", secret: Data(repeating: 1, count: 16)))
        var onChannel = MessageDTO.composed(3, to: contact, status: .sending)
        onChannel.contactID = nil
        onChannel.channelIndex = 1
        try await store.saveMessages([
            .composed(1, to: contact, status: .sending), .composed(2, to: contact, status: .sending, ackCode: 9),
            onChannel, .composed(4, to: contact, status: .retrying, ackCode: 8),
            .composed(5, to: contact, status: .delivered), .composed(6, to: contact, status: .failed),
        ])

        let recovered = try await store.failStaleSending()
        let again = try await store.failStaleSending()

        #expect(recovered == 4 && again == 0)
        var states: [MessageStatus?] = []
        for number in 1...6 { states.append(try await store.fetchMessage(id: .numbered(number))?.status) }
        #expect(states == [.pending, .sent, .pending, .sent, .delivered, .failed])
        let queue = try await store.fetchPendingSends(deviceID: devices[0].id)
        #expect(queue.map(\.messageID) == [.numbered(1), .numbered(3)])
        #expect(queue.map(\.kind) == [.direct, .channel])
        #expect(queue.map(\.timestamp) == [1_750_000_001, 1_750_000_003])
    }

    @Test func `a failed entry leaves the queue; a message is queued once and only while it is pending`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        let contact = ContactDTO.numbered(0, of: devices[0])
        try await store.enqueueMessage(.composed(1, to: contact))

        await #expect(throws: StackError.self) { try await store.enqueueMessage(.composed(1, to: contact)) }
        await #expect(throws: StackError.self) { try await store.requeueMessage(id: .numbered(1)) }
        #expect(try await store.failPendingSend(messageID: .numbered(1)) == .changed)
        await #expect(throws: StackError.self) { try await store.requeueMessage(id: .numbered(1)) }
        try await store.prepareResend(id: .numbered(1), timestamp: 9)
        let entry = try await store.requeueMessage(id: .numbered(1))

        #expect(entry.timestamp == nil && entry.attemptCount == 0)
        var lost = MessageDTO.composed(2, to: contact)
        lost.contactID = nil
        #expect(await failure(of: .store) { try await store.enqueueMessage(lost) } == .contactNotFound)
        lost.channelIndex = 7
        #expect(await failure(of: .store) { try await store.enqueueMessage(lost) } == .channelNotFound)
        #expect(try await store.number("SELECT count(*) FROM message") == 1)
    }

    @Test func `settings are kept by name`() async throws {
        let store = try PersistenceStore()

        try await store.setSetting("a\u{0}b", forKey: "intent")
        #expect(try await store.setting(forKey: "intent") == "a\u{0}b")
        try await store.setSetting("new", forKey: "intent")
        #expect(try await store.setting(forKey: "intent") == "new")
        try await store.setSetting(nil, forKey: "intent")
        #expect(try await store.setting(forKey: "intent") == nil)
    }
}
