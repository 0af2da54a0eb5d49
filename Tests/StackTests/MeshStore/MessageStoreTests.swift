import Foundation
import MeshTestSupport
import MeshTime
import Testing

@testable import MeshStore

/// Messages: once each, in order, page by page, counted.
@Suite struct MessageStoreTests {
    @Test(.proves("SVC-116", "SVC-R-015"))
    func `a message is stored once, with date and count, however often it comes`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        let contact = ContactDTO.numbered(0, of: devices[0])
        let message = MessageDTO.received(1, from: contact)
        var copy = message
        copy.id = .numbered(99)
        copy.pathLength = 3

        let first = try await store.saveMessage(message)
        let second = try await store.saveMessage(copy)
        let third = try await store.saveMessage(message)

        #expect(first == .inserted(receivedOrder: 1) && second.isDuplicate && third.isDuplicate)
        let after = try await store.fetchContact(id: contact.id)
        #expect(after?.unreadCount == 1 && after?.lastMessageDate == .at(1))
        let key = try #require(message.deduplicationKey)
        #expect(try await store.isDuplicateMessage(deviceID: devices[0].id, deduplicationKey: key))
        #expect(try await !store.isDuplicateMessage(deviceID: devices[0].id, deduplicationKey: "other"))
    }

    @Test(.proves("SVC-119", "SVC-R-016", "SVC-R-017"))
    func `another second, conversation or radio makes another message`() async throws {
        let (store, devices) = try await PersistenceStore.fixture(devices: 2)
        let here = ContactDTO.numbered(0, of: devices[0])
        let other = ContactDTO.numbered(1, of: devices[0])
        let there = ContactDTO.numbered(0, of: devices[1])

        let results = [
            try await store.saveMessage(.received(1, from: here, text: "same", timestamp: 100)),
            try await store.saveMessage(.received(2, from: here, text: "same", timestamp: 160)),
            try await store.saveMessage(.received(3, from: other, text: "same", timestamp: 100)),
            try await store.saveMessage(.received(4, from: there, text: "same", timestamp: 100)),
            try await store.saveMessage(.received(5, from: here, text: "same", timestamp: 100)),
        ]

        #expect(results.map(\.isDuplicate) == [false, false, false, false, true])
    }

    @Test func `deduplication keys tell channels, secrets and posts apart`() {
        let device = DeviceDTO.numbered(0).id
        func channel(_ index: UInt8, _ id: Int, _ sender: String?, _ text: String) -> String {
            DeduplicationKey.channel(
                deviceID: device, channelIndex: index, channelID: .numbered(id), senderNodeName: sender, timestamp: 7,
                text: text)
        }
        let keys = [
            channel(1, 1, "ann", "hi"), channel(2, 1, "ann", "hi"), channel(1, 2, "ann", "hi"),
            channel(1, 1, "bob", "hi"), channel(1, 1, nil, "hi"), channel(1, 1, "ann", "ho"),
        ]
        let post = DeduplicationKey.room(timestamp: 7, authorKeyPrefix: Data([0xAB, 1, 2, 3]), text: "hi")

        #expect(Set(keys).count == keys.count)
        #expect(post == "7-AB010203-8F434346", "timestamp, author, first 4 bytes of SHA-256")
    }

    @Test(.proves("SVC-120"))
    func `a blocked contact's messages are stored as read and counted nowhere`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        let contact = ContactDTO.numbered(0, of: devices[0])
        try await store.updateContactPreferences(id: contact.id, nickname: nil, isBlocked: true, isFavorite: false)

        try await store.saveMessage(.received(1, from: contact))

        #expect(try await store.fetchMessage(id: .numbered(1))?.isRead == true)
        #expect(try await store.fetchContact(id: contact.id)?.unreadCount == 0)
        #expect(try await store.fetchConversations(deviceID: devices[0].id).isEmpty)
    }

    @Test(.proves("SVC-121", "SVC-R-021"))
    func `wrong clocks do not reorder arrivals, and a drain follows each sender's clock`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        let ann = ContactDTO.numbered(0, of: devices[0])
        let secret = Data(repeating: 7, count: 16)
        let channel = try #require(
            try await store.saveChannel(ChannelDTO(deviceID: devices[0].id, index: 1, name: "c", secret: secret)))
        func heard(_ number: Int, _ sender: String, _ timestamp: UInt32) -> MessageDTO {
            MessageDTO(
                id: .numbered(number), deviceID: devices[0].id, channelIndex: 1, text: "\(number)",
                timestamp: timestamp, createdAt: .at(number), direction: .incoming, status: .delivered,
                senderNodeName: sender)
        }
        try await store.saveMessage(.received(1, from: ann, timestamp: 900_000))
        try await store.saveMessage(.received(2, from: ann, timestamp: 5))
        try await store.saveMessage(heard(10, "ann", 90))

        let mark = try await store.arrivalMark()
        for message in [heard(11, "ann", 50), heard(12, "bob", 1), heard(13, "ann", 30), heard(14, "ann", 40)] {
            try await store.saveMessage(message, drainedAfter: mark)
        }
        let last = try await store.saveMessage(heard(15, "ann", 20), drainedAfter: mark)

        let direct = try await store.fetchMessages(deviceID: devices[0].id, thread: .contact(ann.id))
        #expect(direct.map(\.id) == [.numbered(1), .numbered(2)], "arrival, whatever the clock says")
        let heardThere = try await store.fetchMessages(deviceID: devices[0].id, thread: .channel(channel.id))
        #expect(
            heardThere.map(\.text) == ["10", "15", "12", "13", "14", "11"],
            "ann's own order in ann's places; bob, and what came before the drain, unmoved")
        #expect(last == .inserted(receivedOrder: heardThere[1].receivedOrder))
    }

    @Test(.proves("SVC-121"), arguments: Array(UInt64(1)...20))
    func `any drain ends in the order of each sender's clock with ties as they came`(seed: UInt64) async throws {
        let (store, devices) = try await PersistenceStore.fixture(contacts: 3)
        var stream = Seed(seed).stream("drain")
        let contacts = (0..<3).map { ContactDTO.numbered($0, of: devices[0]) }
        var drained: [MessageDTO] = []
        for number in 1...30 {
            let contact = contacts[Int(stream.draw(0, 3))]
            drained.append(.received(number, from: contact, timestamp: stream.draw(0, 8)))
        }

        if seed % 2 == 0 {
            try await store.saveMessages(drained, drainedAfter: 0)
        } else {
            for message in drained { try await store.saveMessage(message, drainedAfter: 0) }
        }

        for contact in contacts {
            let own = drained.enumerated().filter { $0.element.contactID == contact.id }
            let expected = own.sorted { ($0.element.timestamp, $0.offset) < ($1.element.timestamp, $1.offset) }
            let page = try await store.fetchMessages(deviceID: devices[0].id, thread: .contact(contact.id))
            #expect(page.map(\.id) == expected.map(\.element.id))
        }
        #expect(try await store.number("SELECT count(*) FROM message WHERE receivedOrder < 1") == 0)
    }

    @Test(.proves("SVC-R-020", "SVC-178"))
    func `pages before an anchor do not overlap when messages come in between`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        let contact = ContactDTO.numbered(0, of: devices[0])
        let thread = MessageThread.contact(contact.id)
        try await store.saveMessages((1...120).map { .received($0, from: contact) })

        let newest = try await store.fetchMessages(deviceID: devices[0].id, thread: thread)
        try await store.saveMessage(.received(121, from: contact))
        let older = try await store.fetchMessages(
            deviceID: devices[0].id, thread: thread, limit: 50, before: newest.first?.receivedOrder)
        let oldest = try await store.fetchMessages(
            deviceID: devices[0].id, thread: thread, limit: 50, before: older.first?.receivedOrder)

        #expect((oldest + older + newest).map(\.id) == (1...120).map(UUID.numbered))
        let offset = try await store.fetchMessages(deviceID: devices[0].id, thread: thread, limit: 2, offset: 1)
        #expect(offset.map(\.id) == [.numbered(119), .numbered(120)])
        #expect(try await store.fetchMessages(deviceID: devices[0].id, thread: thread, limit: -1).isEmpty)
    }

    @Test func `reading and deleting keep the counters with the rows`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        let contact = ContactDTO.numbered(0, of: devices[0])
        try await store.saveMessages((1...4).map { .received($0, from: contact) })
        try await store.saveMessage(.composed(5, to: contact))

        try await store.markMessageAsRead(id: .numbered(1))
        try await store.markMessageAsRead(id: .numbered(1))
        try await store.deleteMessage(id: .numbered(2))
        #expect(try await store.fetchContact(id: contact.id)?.unreadCount == 2)
        try await store.deleteMessage(id: .numbered(5))
        #expect(try await store.fetchContact(id: contact.id)?.lastMessageDate == .at(4))
        try await store.clearUnreadCount(contactID: contact.id)
        #expect(try await store.fetchContact(id: contact.id)?.unreadCount == 0)
        #expect(try await store.number("SELECT count(*) FROM message WHERE NOT isRead") == 0)
        #expect(await failure(of: .store) { try await store.deleteMessage(id: .numbered(2)) } == .messageNotFound)
    }

    @Test(.proves("SVC-162", "SVC-R-101"))
    func `totals count one radio's chats, channels and rooms and nothing else`() async throws {
        let (store, devices) = try await PersistenceStore.fixture(devices: 2, contacts: 3)
        for device in devices {
            for number in 0..<3 {
                try await store.incrementUnreadCount(contactID: ContactDTO.numbered(number, of: device).id)
            }
            var repeater = ContactDTO.numbered(7, of: device)
            repeater.typeRawValue = 2
            repeater.unreadCount = 100
            try await store.saveContact(repeater)
            for (slot, isEnabled) in [(UInt8(0), true), (1, false)] {
                var channel = ChannelDTO(
                    deviceID: device.id, index: slot, name: "c", secret: Data(repeating: slot, count: 16))
                channel.isEnabled = isEnabled
                channel.unreadCount = 10
                try await store.saveChannel(channel)
            }
            for (number, role) in [(8, RemoteNodeRole.roomServer), (9, .repeater)] {
                try await store.saveRemoteNodeSession(
                    RemoteNodeSessionDTO(
                        deviceID: device.id, publicKey: .key(number), name: "n", role: role, unreadCount: 1000))
            }
        }
        try await store.updateContactPreferences(
            id: ContactDTO.numbered(2, of: devices[0]).id, nickname: nil, isBlocked: true, isFavorite: false)

        let counts = try await store.getTotalUnreadCounts(deviceID: devices[0].id)

        #expect(counts == UnreadCounts(contacts: 2, channels: 10, rooms: 1000))
        #expect(counts.total == 1012)
        #expect(try await store.getTotalUnreadCounts(deviceID: .numbered(5)).total == 0)
    }
}
