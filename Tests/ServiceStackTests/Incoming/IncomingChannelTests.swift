import Foundation
import MeshCompanion
import MeshCore
import MeshTestSupport
import MeshTime
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// The effects of a received channel message.
@Suite struct IncomingChannelTests {
    @Test(
        .proves("SVC-118"),
        arguments: [
            ("bob: hello", "bob", "hello"),
            ("  bob :  hello  ", "bob", "hello"),
            ("bob: see http://a:1", "bob", "see http://a:1"),
            ("no colon", nil, "no colon"),
            (": nobody", nil, ": nobody"),
            ("bob:", "bob", ""),
            ("", nil, ""),
            ("Zoë 🌍: grüß", "Zoë 🌍", "grüß"),
        ])
    func `the name before the first colon is the sender`(raw: String, sender: String?, text: String) {
        let split = ChannelText(raw)

        #expect(split.senderName == sender)
        #expect(split.text == text)
    }

    @Test(arguments: Array(UInt64(1)...20))
    func `a colon is one only where it stands for itself, and all kinds of blanks are trimmed`(seed: UInt64) {
        var stream = Seed(seed).stream("channel text")
        let scalars: [Unicode.Scalar] = [
            ":", ":", " ", "\t", "\u{A0}", "b", "\u{301}", "\u{600}", "\r", "\n", "\u{1F30D}",
        ]
        for _ in 0..<200 {
            var raw = ""
            for _ in 0..<stream.draw(0, 8) { raw.unicodeScalars.append(scalars[Int(stream.draw(0, 11))]) }
            let parts = raw.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let trimmed = parts.map { $0.trimmingCharacters(in: .whitespaces) }
            let split = ChannelText(raw)

            if parts.count == 2, !trimmed[0].isEmpty {
                #expect(split.senderName == trimmed[0] && split.text == trimmed[1])
            } else {
                #expect(split.senderName == nil && split.text == raw)
            }
        }
    }

    @Test(.proves("SVC-118")) func `what is stored, notified and told is the text without the name`() throws {
        try withIncoming { incoming in
            let channel = try #require(try await incoming.addChannel(3, name: "hikers", secret: 8))
            try await incoming.drain(
                Frames.channelMessage(3, "bob: hello", timestamp: 5), Frames.channelMessage(3, "beacon", timestamp: 6))

            #expect(
                incoming.trace.all == [
                    "notification hikers, bob: hello", "badge", "version", "event hello on 3",
                    "notification hikers, nobody: beacon", "badge", "version", "event beacon on 3",
                ])
            let messages = try await incoming.store.fetchMessages(
                deviceID: incoming.deviceID, thread: .channel(channel.id))
            #expect(messages.map(\.text) == ["hello", "beacon"])
            #expect(messages.map(\.senderNodeName) == ["bob", nil])
            #expect(messages.map(\.channelIndex) == [3, 3])
            #expect(messages.map(\.snr) == [-2, -2])
            #expect(messages.allSatisfy { $0.direction == .incoming && $0.status == .delivered && !$0.isRead })
            #expect(try await incoming.store.fetchChannel(id: channel.id)?.unreadCount == 2)
        }
    }

    @Test(.proves("SVC-R-074", "SVC-R-078"))
    func `a message for a slot that holds nothing is kept aside, and not notified`() throws {
        try withIncoming { incoming in
            try await incoming.drain(Frames.channelMessage(5, "bob: hello", timestamp: 5))

            #expect(incoming.trace.all == ["badge", "version", "event hello on 5"])
            #expect(try await incoming.texts(.unknownChannel(5)) == ["hello"])
            let channel = try #require(try await incoming.addChannel(5, name: "private", secret: 9))
            #expect(try await incoming.texts(.channel(channel.id)).isEmpty)
        }
    }

    @Test(.proves("SVC-R-102")) func `a blocked sender raises nothing on a channel`() throws {
        try withIncoming { incoming in
            let channel = try #require(try await incoming.addChannel(3, name: "hikers", secret: 8))
            try await incoming.addContact(2, name: "mallory", isBlocked: true)
            try await incoming.drain(Frames.channelMessage(3, "mallory: buy this", timestamp: 5))
            #expect(incoming.trace.all.isEmpty)
            try await incoming.drain(Frames.channelMessage(3, "bob: hello", timestamp: 6))

            #expect(incoming.trace.all.first == "notification hikers, bob: hello")
            let messages = try await incoming.store.fetchMessages(
                deviceID: incoming.deviceID, thread: .channel(channel.id))
            #expect(messages.map(\.isRead) == [true, false])
            #expect(try await incoming.store.fetchChannel(id: channel.id)?.unreadCount == 1)
        }
    }

    @Test func `a channel that is switched off is not notified`() throws {
        try withIncoming { incoming in
            let channel = try #require(try await incoming.addChannel(3, name: "hikers", secret: 8))
            try await incoming.store.setChannelEnabled(id: channel.id, false)
            try await incoming.drain(Frames.channelMessage(3, "bob: hello", timestamp: 5))

            #expect(incoming.trace.all == ["badge", "version", "event hello on 3"])
        }
    }

    @Test func `an own message that comes back counts as a repeat; a namesake's does not`() throws {
        try withIncoming { incoming in
            let channel = try #require(try await incoming.addChannel(3, name: "hikers", secret: 8))
            let own = MessageDTO(
                id: incoming.bench.dependencies.random.uuid(), deviceID: incoming.deviceID, channelID: channel.id,
                channelIndex: 3, text: "hello", timestamp: 50, createdAt: incoming.bench.dependencies.now(),
                direction: .outgoing, status: .sent)
            try await incoming.store.saveMessage(own)
            try await incoming.drain(
                Frames.channelMessage(3, "alice: hello", timestamp: 50),
                Frames.channelMessage(3, "alice: hello", timestamp: 50))
            #expect(incoming.trace.takeAll() == ["repeat 1", "repeat 2"])
            #expect(try await incoming.texts(.channel(channel.id)) == ["hello"])
            #expect(try await incoming.store.fetchMessage(id: own.id)?.heardRepeats == 2)
            try await incoming.drain(
                Frames.channelMessage(3, "alice: goodbye", timestamp: 50),
                Frames.channelMessage(3, "alice: hello", timestamp: 51))

            #expect(try await incoming.texts(.channel(channel.id)) == ["hello", "goodbye", "hello"])
            #expect(try await incoming.store.fetchMessage(id: own.id)?.heardRepeats == 2)
        }
    }
}
