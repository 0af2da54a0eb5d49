import Foundation
import MeshCompanion
import MeshCore
import MeshPacket
import MeshTestSupport
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// The effects of a received direct message.
@Suite struct IncomingDirectTests {
    @Test(.proves("SVC-116"))
    func `a direct message is stored, then notified, counted on the badge, and told`() throws {
        try withIncoming { incoming in
            let bob = try #require(try await incoming.addContact(2))
            await incoming.notifier.setLook { await incoming.account(of: bob.id) }
            try await incoming.drain(Frames.message(from: 2, "hello", timestamp: 1_749_800_000))

            #expect(
                incoming.trace.all == [
                    "rows 1, date true, unread 1", "notification bob: hello", "badge", "version", "event hello of bob",
                ])
            let message = try #require(
                try await incoming.store.fetchMessages(deviceID: incoming.deviceID, thread: .contact(bob.id)).first)
            #expect(message.direction == .incoming)
            #expect(message.status == .delivered)
            #expect(!message.isRead)
            #expect(message.snr == 10)
            #expect(message.pathLength == 0xFF)
            #expect(message.senderKeyPrefix == Data(repeating: 2, count: 6))
            #expect(message.timestamp == 1_749_800_000)
            #expect(message.createdAt == ServiceBench.startDate)
            #expect(message.textType == .plain)
        }
    }

    @Test(.proves("SVC-117"))
    func `a message of an unknown sender is stored, told, and found by the contact later`() throws {
        try withIncoming { incoming in
            try await incoming.drain(Frames.message(from: 9, "who am I", timestamp: 5))

            #expect(
                incoming.trace.all == ["badge", "version", "unknown sender 090909090909"])
            let prefix = Data(repeating: 9, count: 6)
            #expect(try await incoming.texts(.unknownSender(prefix)) == ["who am I"])
            let carol = try #require(try await incoming.addContact(9, name: "carol"))
            #expect(try await incoming.texts(.contact(carol.id)) == ["who am I"])
            #expect(carol.unreadCount == 1)
            #expect(try await incoming.texts(.unknownSender(prefix)).isEmpty)
        }
    }

    @Test(.proves("SVC-119", "SVC-R-015", "SVC-R-017"))
    func `a copy is stored and told once, another second or sender is another message`() throws {
        try withIncoming { incoming in
            let bob = try #require(try await incoming.addContact(2))
            let carol = try #require(try await incoming.addContact(3, name: "carol"))
            // The attempt byte of a retransmission is not part of what the radio passes on; the path may differ.
            try await incoming.drain(
                Frames.message(from: 2, "same", timestamp: 60), Frames.message(from: 2, "same", timestamp: 60))
            try await incoming.drain(Frames.message(from: 2, "same", timestamp: 60))
            #expect(try await incoming.texts(.contact(bob.id)) == ["same"])
            #expect(incoming.trace.takeAll().count { $0.hasPrefix("notification") } == 1)
            try await incoming.drain(
                Frames.message(from: 2, "same", timestamp: 120), Frames.message(from: 3, "same", timestamp: 60))

            #expect(try await incoming.texts(.contact(bob.id)) == ["same", "same"])
            #expect(try await incoming.texts(.contact(carol.id)) == ["same"])
            #expect(try await incoming.store.fetchContact(id: bob.id)?.unreadCount == 2)
        }
    }

    @Test(.proves("SVC-R-016")) func `two radios that hear the same message have a row each`() throws {
        try withIncoming { incoming in
            var other = incoming.bench.device
            other.id = UUID(uuidString: "00000000-0000-4000-8000-000000000009")!
            other.publicKey = Data(repeating: 77, count: 32)
            other = try await incoming.store.saveDevice(other)
            let frame = Frames.channelMessage(0, "bob: hi", timestamp: 60)
            try await incoming.drain(frame)
            await incoming.polling.startEventMonitoring(deviceID: other.id)
            try await incoming.drain(frame)

            for device in [incoming.deviceID, other.id] {
                let messages = try await incoming.store.fetchMessages(deviceID: device, channelIndex: 0)
                #expect(messages.map(\.text) == ["hi"])
            }
        }
    }

    @Test(.proves("SVC-120")) func `a blocked contact's message is stored as read, and nothing is raised`() throws {
        try withIncoming { incoming in
            let bob = try #require(try await incoming.addContact(2, isBlocked: true))
            try await incoming.drain(Frames.message(from: 2, "buy this", timestamp: 5))

            #expect(incoming.trace.all.isEmpty)
            let messages = try await incoming.store.fetchMessages(
                deviceID: incoming.deviceID, thread: .contact(bob.id))
            #expect(messages.map(\.isRead) == [true])
            #expect(try await incoming.store.fetchContact(id: bob.id)?.unreadCount == 0)
        }
    }

    @Test(.proves("SVC-121", "SVC-R-021"))
    func `of one drain each sender's messages follow its own clock, and arrival decides else`() throws {
        try withIncoming { incoming in
            let bob = try #require(try await incoming.addContact(2))
            // Bob's clock is a day ahead and then a day behind: what was drained before does not move.
            try await incoming.drain(Frames.message(from: 2, "first", timestamp: 1_749_986_400))
            try await incoming.drain(
                Frames.message(from: 2, "third", timestamp: 1_749_813_602),
                Frames.message(from: 2, "second", timestamp: 1_749_813_601),
                Frames.message(from: 2, "fourth", timestamp: 1_749_813_602))

            #expect(try await incoming.texts(.contact(bob.id)) == ["first", "second", "third", "fourth"])
        }
    }

    @Test func `a sender's clock that is far ahead is not shown`() throws {
        try withIncoming { incoming in
            let bob = try #require(try await incoming.addContact(2))
            let now = UInt32(ServiceBench.startDate.timeIntervalSince1970)
            try await incoming.drain(
                Frames.message(from: 2, "a bit", timestamp: now + 300),
                Frames.message(from: 2, "far", timestamp: now + 301))
            let messages = try await incoming.store.fetchMessages(
                deviceID: incoming.deviceID, thread: .contact(bob.id))

            #expect(messages.map(\.shownDate) == [ServiceBench.startDate + 300, ServiceBench.startDate])
        }
    }

    // MARK: Other texts

    @Test(.proves("SVC-122")) func `the answer to a command line reaches its taker only, and needs a contact`() throws {
        try withIncoming { incoming in
            let relay = try #require(try await incoming.addContact(4, name: "relay"))
            try await incoming.drain(
                Frames.message(from: 4, "ver 1.2", timestamp: 5, type: .cliData),
                Frames.message(from: 8, "ver 1.3", timestamp: 5, type: .cliData))

            #expect(incoming.trace.all == ["command ver 1.2 of relay"])
            #expect(try await incoming.texts(.contact(relay.id)).isEmpty)
            #expect(try await incoming.texts(.unknownSender(Data(repeating: 8, count: 6))).isEmpty)
        }
    }

    @Test(.proves("SVC-123"))
    func `a post reaches the room service with its author, and is notified unless it is a copy or ours`() throws {
        try withIncoming { incoming in
            let room = RemoteNodeSessionDTO(
                deviceID: incoming.deviceID, publicKey: Data(repeating: 5, count: 32), name: "lounge",
                role: .roomServer)
            try await incoming.store.saveRemoteNodeSession(room)
            let store = incoming.store
            await incoming.wire { post in
                #expect(post.deviceID == incoming.deviceID)
                #expect(post.roomPrefix == Data(repeating: 5, count: 6))
                let message = RoomMessageDTO(
                    id: incoming.bench.dependencies.random.uuid(), sessionID: room.id,
                    authorKeyPrefix: post.authorPrefix,
                    text: post.text, timestamp: post.timestamp, createdAt: incoming.bench.dependencies.now(),
                    isFromSelf: post.authorPrefix == Data(repeating: 1, count: 4))
                return try await store.saveRoomMessage(message).isDuplicate ? nil : message
            }
            let post = Frames.message(from: 5, "welcome", timestamp: 7, type: .signedPlain, author: 0xAB)
            try await incoming.drain(
                post, post, Frames.message(from: 5, "mine", timestamp: 8, type: .signedPlain, author: 1))

            #expect(incoming.trace.all == ["notification lounge, ABABABAB: welcome", "badge", "version"])
        }
    }

    @Test(.proves("SVC-R-014")) func `handlers that are wired twice handle a message once`() throws {
        try withIncoming { incoming in
            let bob = try #require(try await incoming.addContact(2))
            try await incoming.addContact(4, name: "relay")
            await incoming.wire()
            await incoming.wire()
            try await incoming.drain(
                Frames.message(from: 2, "hello", timestamp: 5),
                Frames.message(from: 4, "ver 1.2", timestamp: 5, type: .cliData))

            #expect(try await incoming.texts(.contact(bob.id)) == ["hello"])
            #expect(
                incoming.trace.all == [
                    "notification bob: hello", "badge", "version", "event hello of bob", "command ver 1.2 of relay",
                ])
        }
    }
}
