import Foundation
import MeshCompanion
import MeshPacket
import MeshTestSupport
import MeshTime
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// Many messages at once: they are stored without waiting.
@Suite struct IncomingBurstTests {
    /// All kinds of messages, copies and wrong clocks among them.
    private static func queue(_ seed: UInt64) -> [[UInt8]] {
        var stream = Seed(seed).stream("burst")
        return (0..<700).map { number in
            let time = UInt32(1_749_800_000) + stream.draw(0, 40)
            let text = ByteText("text \(stream.draw(0, 200))")
            switch stream.draw(0, 9) {
            case 0: return Frames.message(from: 3, text, timestamp: time)
            case 1: return Frames.message(from: 9, text, timestamp: time)
            case 2: return Frames.message(from: 4, text, timestamp: time, type: .cliData)
            case 3: return Frames.message(from: 5, text, timestamp: time, type: .signedPlain, author: 0xAB)
            case 4: return Frames.channelMessage(3, ByteText("carol: \(text.string)"), timestamp: time)
            case 5: return Frames.channelMessage(UInt8(stream.draw(3, 5)), text, timestamp: time)
            case 6: return Frames.channelMessage(3, "mallory: buy this", timestamp: time)
            case 7: return Frames.channelMessage(3, "alice: hello", timestamp: number == 0 ? 50 : time)
            default: return Frames.message(from: 2, text, timestamp: time)
            }
        }
    }

    /// Returns the rows and events that a synchronisation leaves.
    private func outcome(_ seed: UInt64, isShort: Bool) throws -> (rows: [String], told: [String]) {
        try withIncoming(hasOwnTurn: !isShort) { incoming in
            try await incoming.addContact(2)
            try await incoming.addContact(3, name: "mallory", isBlocked: true)
            try await incoming.addContact(4, name: "relay")
            let room = try await incoming.addRoom(5)
            let channel = try #require(try await incoming.addChannel(3, name: "hikers", secret: 8))
            try await incoming.store.saveMessage(
                MessageDTO(
                    id: incoming.bench.dependencies.random.uuid(), deviceID: incoming.deviceID, channelID: channel.id,
                    channelIndex: 3, text: "hello", timestamp: 50, createdAt: incoming.bench.dependencies.now(),
                    direction: .outgoing, status: .sent))
            incoming.radio.change {
                $0.queue = [Frames.channelMessage(3, "alice: hello", timestamp: 50)] + Self.queue(seed)
            }
            let rest = FakeConnection()
            try await incoming.coordinator.performFullSync(
                deviceID: incoming.deviceID, contactService: rest, channelService: rest,
                messagePollingService: incoming.polling)

            var rows: [String] = []
            let threads: [MessageThread] = try await [
                incoming.store.fetchContacts(deviceID: incoming.deviceID).map { .contact($0.id) },
                [.channel(channel.id), .unknownChannel(4), .unknownSender(Data(repeating: 9, count: 6))],
            ].flatMap(\.self)
            for thread in threads {
                rows += try await incoming.store.fetchMessages(
                    deviceID: incoming.deviceID, thread: thread, limit: 1000, offset: 0, before: nil
                ).map { "\($0.timestamp) \($0.text) \($0.isRead) \($0.senderNodeName ?? "-") \($0.heardRepeats)" }
            }
            rows += try await incoming.store.fetchRoomMessages(sessionID: room, limit: 1000, offset: 0).map(\.text)
            for contact in try await incoming.store.fetchContacts(deviceID: incoming.deviceID) {
                rows.append("\(contact.name) \(contact.unreadCount) \(contact.lastMessageDate != nil)")
            }
            rows.append("\(try await incoming.store.fetchChannel(id: channel.id)?.unreadCount ?? -1)")
            return (rows, incoming.trace.all.filter { !$0.hasPrefix("event") && !$0.hasPrefix("unknown") })
        }
    }

    @Test(arguments: Array(UInt64(1)...8))
    func `what a drain stores, counts and tells does not depend on whether each message is handed over`(
        seed: UInt64
    ) throws {
        let long = try outcome(seed, isShort: false)
        let short = try outcome(seed, isShort: true)

        #expect(short.rows == long.rows)
        #expect(short.rows.count > 300)
        #expect(short.told.filter { $0 != "badge" }.sorted() == long.told.filter { $0 != "badge" }.sorted())
        #expect(short.told.contains("repeat 1"))
        #expect(short.told.count { $0.hasPrefix("notification hikers") } > 50)
        #expect(!short.told.contains { $0.contains("mallory") })
        #expect(short.told.count { $0 == "version" } == 1)
    }

    @Test(
        .proves("SVC-083", "SVC-R-003"),
        arguments: [VirtualTime.Order.arrival, .drawn(Seed(1)), .drawn(Seed(2)), .drawn(Seed(3))])
    func `all of 300 posts are taken when a synchronisation ends, although their taker is slow`(
        order: VirtualTime.Order
    ) throws {
        try withIncoming(order: order) { incoming in
            let clock = incoming.bench.clock
            let taken = Notes<String>()
            await incoming.wire { post in
                try await clock.sleep(for: .milliseconds(50))
                taken.add(post.text)
                return nil
            }
            incoming.radio.change { contents in
                contents.queue = (0..<300).map {
                    Frames.message(
                        from: 5, ByteText("text \($0)"), timestamp: UInt32(1000 + $0), type: .signedPlain, author: 0xAB)
                }
            }
            let rest = FakeConnection()

            try await incoming.coordinator.performFullSync(
                deviceID: incoming.deviceID, contactService: rest, channelService: rest,
                messagePollingService: incoming.polling)

            #expect(clock.now.sinceStart == .seconds(15))
            #expect(taken.all == (0..<300).map { "text \($0)" })
        }
    }
}
