import Foundation
import MeshCompanion
import MeshCore
import MeshPacket
import MeshSimulator
import MeshTestSupport
import MeshTime
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// Messages on channels, and what the radio hears of them.
@Suite struct ChannelSendingTests {
    @Test(.proves("SVC-110"))
    func `a channel message is stored, then written bare, and sent on OK without waiting`() throws {
        try withMessages([.take()]) { messages in
            let channel = try await messages.addChannel()
            messages.script.answerChannels([])
            let sending = Task {
                try await messages.service.sendChannelMessage(
                    text: "hello all", channelIndex: 3, deviceID: messages.device)
            }
            await messages.radio.waitUntilSent(4)
            let before = try await messages.store.fetchMessages(
                deviceID: messages.device, thread: .channel(channel.id))
            await messages.radio.simulateOK()
            let id = try await sending.value

            let sent = messages.script.channelTexts
            #expect(before.map(\.id) == [id] && before.map(\.status) == [.sending])
            #expect(sent.map(\.text) == ["hello all"] && sent.map(\.channelIndex) == [3])
            let row = try await messages.row(id)
            #expect(row?.status == .sent && row?.ackCode == nil && row?.timestamp == sent.first?.timestamp)
            #expect(messages.clock.now.sinceStart == .zero)
            try await messages.clock.sleep(for: .seconds(100))
            #expect(try await messages.row(id)?.status == .sent)
        }
    }

    @Test(
        .proves("SVC-093"),
        arguments: [("architectureV2", StackProfile.architectureV2, 153), ("upstreamFinal", .upstreamFinal, 147)])
    func `a channel text shares 160 bytes with the node's name`(name: String, profile: StackProfile, limit: Int) throws
    {
        try withMessages([.take()], profile: profile) { messages in
            _ = try await messages.addChannel()
            let longest = String(repeating: "€", count: limit / 3) + String(repeating: "a", count: limit % 3)
            _ = try await messages.service.sendChannelMessage(text: longest, channelIndex: 3, deviceID: messages.device)
            await #expect(throws: StackError(.messages, .messageTooLong(count: limit + 1, limit: limit))) {
                try await messages.service.sendChannelMessage(
                    text: longest + "a", channelIndex: 3, deviceID: messages.device)
            }
            await #expect(throws: StackError(.messages, .channelNotFound)) {
                try await messages.service.sendChannelMessage(text: "hi", channelIndex: 4, deviceID: messages.device)
            }
            #expect(messages.script.channelTexts.map(\.text.count) == [limit])
        }
    }

    @Test func `a slot that the radio does not have fails the message`() throws {
        try withMessages([.take()]) { messages in
            let channel = try await messages.addChannel()
            messages.script.answerChannels([Frames.refusal(.notFound)])
            await #expect(throws: StackError(.messages, .channelNotFound)) {
                try await messages.service.sendChannelMessage(text: "hi", channelIndex: 3, deviceID: messages.device)
            }
            let rows = try await messages.store.fetchMessages(deviceID: messages.device, thread: .channel(channel.id))
            #expect(rows.map(\.status) == [.failed])
            #expect(messages.told.all == ["failed"])
        }
    }

    @Test(.proves("SVC-096")) func `echoes of an own message raise its repeats, other packets do not`() throws {
        try withMessages([.take()]) { messages in
            _ = try await messages.addChannel()
            let id = try await messages.service.sendChannelMessage(
                text: "hello", channelIndex: 3, deviceID: messages.device)
            let time = try #require(try await messages.row(id)).timestamp
            try await messages.hear("hello", at: time)
            try await messages.hear("hello", at: time)
            // Another second, text, sender, channel: each somebody else's message.
            try await messages.hear("hello", at: time + 1)
            try await messages.hear("hallo", at: time)
            try await messages.hear("hello", from: "bob", at: time)
            try await messages.hear("hello", at: time, on: "#other")
            await messages.radio.simulateReceive(Push.LogRxData(snr: 1, rssi: -90, raw: [0x15, 0, 1]).encoded())
            try await messages.clock.sleep(for: .seconds(61))
            try await messages.hear("hello", at: time)
            try await messages.clock.sleep(for: .seconds(1))

            let row = try await messages.row(id)
            #expect(row?.heardRepeats == 2 && row?.status == .sent)
            #expect(messages.told.all.isEmpty)
        }
    }

    @Test(.proves("SVC-096")) func `a text of full length is recognised`() throws {
        try withMessages([.take()]) { messages in
            _ = try await messages.addChannel()
            let text = String(repeating: "a", count: 153)
            let id = try await messages.service.sendChannelMessage(
                text: text, channelIndex: 3, deviceID: messages.device)
            try await messages.hear(text, at: try #require(try await messages.row(id)).timestamp)
            try await messages.clock.sleep(for: .seconds(1))
            #expect(try await messages.row(id)?.heardRepeats == 1)
        }
    }

    @Test(.proves("SVC-R-077"))
    func `a resent channel message counts from 0, and echoes of its first send no more`() throws {
        try withMessages([.take()]) { messages in
            let channel = try await messages.addChannel()
            let id = try await messages.service.sendChannelMessage(
                text: "hello", channelIndex: 3, deviceID: messages.device)
            let first = try #require(try await messages.row(id)).timestamp
            for _ in 0..<3 { try await messages.hear("hello", at: first) }
            try await messages.clock.sleep(for: .seconds(2))
            #expect(try await messages.row(id)?.heardRepeats == 3)

            try await messages.service.resendChannelMessage(messageID: id)
            let row = try #require(try await messages.row(id))
            #expect(row.heardRepeats == 0 && row.timestamp > first && row.status == .sent)
            try await messages.hear("hello", at: first)
            try await messages.hear("hello", at: row.timestamp)
            try await messages.clock.sleep(for: .seconds(1))

            #expect(try await messages.row(id)?.heardRepeats == 1)
            #expect(messages.script.channelTexts.map(\.timestamp) == [first, row.timestamp])
            let rows = try await messages.store.fetchMessages(deviceID: messages.device, thread: .channel(channel.id))
            #expect(rows.map(\.id) == [id])
        }
    }

    @Test(.proves("SVC-R-075"))
    func `a crash during a channel send leaves the message, and it is sent after the restart`() throws {
        try withMessages([.take()]) { messages in
            _ = try await messages.addChannel()
            messages.script.answerChannels([])
            let sending = Task {
                try await messages.service.sendChannelMessage(text: "hello", channelIndex: 3, deviceID: messages.device)
            }
            await messages.radio.waitUntilSent(4)
            // The process ends here; the next one finds the store as it is, and cleans up.
            sending.cancel()
            try await messages.store.failStaleSending()
            let queued = try await messages.store.fetchPendingSends(deviceID: messages.device)
            #expect(queued.map(\.text) == ["hello"])
            await messages.radio.simulateOK()
            _ = try? await sending.value
            messages.script.answerChannels([Frames.ok])
            let count = try await messages.another().drainQueue(deviceID: messages.device)

            #expect(count == 1)
            let times = messages.script.channelTexts.map(\.timestamp)
            #expect(times.count == 2 && times[0] == times[1])
            #expect(try await messages.row(try #require(queued.first).messageID)?.status == .sent)
        }
    }

    @Test(.proves("SVC-096")) func `in a mesh the repeater's echo is counted once`() throws {
        try withMesh { mesh in
            let alice = try await mesh.app("alice")
            let info = try await alice.session.getChannel(0)
            try await alice.store.saveChannel(
                ChannelDTO(
                    deviceID: alice.device.id, index: 0, name: info.name.text.readable,
                    secret: Data(info.secret.array)))
            let service = MessageService(
                session: alice.session, store: alice.store, profile: .architectureV2, dependencies: alice.dependencies)
            try await mesh.clock.sleep(for: .seconds(40))
            let id = try await service.sendChannelMessage(
                text: "who is there?", channelIndex: 0, deviceID: alice.device.id)
            try await mesh.clock.sleep(for: .seconds(20))

            let row = try await alice.store.fetchMessage(id: id)
            #expect(row?.status == .sent && row?.heardRepeats == 1)
            await service.stop()
            await alice.session.stop()
        }
    }

    // MARK: Temporary settings

    @Test(.proves("SVC-R-117")) func `a flood scope and a zero-hop path are restored, however the send ends`() throws {
        for fails in [false, true] {
            try withMessages([.take(limit: 9000)]) { messages in
                _ = try await messages.addChannel()
                if fails { messages.script.answerChannels([Frames.refusal(.notFound)]) }
                _ = try? await messages.service.withFloodScope(.region("muc")) {
                    try await messages.service.sendChannelMessage(
                        text: "near", channelIndex: 3, deviceID: messages.device)
                }
                let scopes = messages.script.commands.compactMap { try? SetFloodScopeKey(decoding: $0) }
                #expect(scopes.map(\.key) == [ScopeKey.region("muc").key, ScopeKey.disabled.key])
                #expect(messages.script.codes == [.setFloodScopeKey, .sendChannelTxtMsg, .setFloodScopeKey])
            }
            try withMessages([fails ? .refuse(.illegalArg) : .take(limit: 9000)]) { messages in
                _ = try? await messages.service.withZeroHopPath(to: messages.bob) {
                    try await messages.service.sendDirectMessage(text: "near", to: messages.bob)
                }
                let paths = messages.script.commands.compactMap { try? AddUpdateContact(decoding: $0) }
                #expect(paths.map(\.outPathLength) == [.empty, PathLength(hashSize: 1, hops: 1)])
                #expect(
                    messages.script.codes == [.getContactByKey, .addUpdateContact, .sendTxtMsg, .addUpdateContact])
            }
        }
    }

    @Test func `a message on a channel with a region goes out under its scope alone`() throws {
        try withMessages([.take(limit: 9000)]) { messages in
            let channel = try await messages.addChannel()
            try await messages.store.setChannelScope(id: channel.id, "muc")
            @Sendable func send(_ text: String) async throws {
                _ = try await messages.service.sendChannelMessage(
                    text: text, channelIndex: 3, deviceID: messages.device)
            }

            try await send("near")
            try await messages.service.withFloodScope(.region("nl")) { try await send("there") }

            let scopes = messages.script.commands.compactMap { try? SetFloodScopeKey(decoding: $0) }
            let (muc, nl, none) = (ScopeKey.region("muc").key, ScopeKey.region("nl").key, ScopeKey.disabled.key)
            #expect(scopes.map(\.key) == [muc, none, nl, none])
            #expect(
                messages.script.codes == [
                    .setFloodScopeKey, .sendChannelTxtMsg, .setFloodScopeKey,
                    .setFloodScopeKey, .sendChannelTxtMsg, .setFloodScopeKey,
                ])
        }
    }

    @Test func `a message with a region is not sent by a radio that has no scopes`() throws {
        try withMessages([.take(limit: 9000)]) { messages in
            let channel = try await messages.addChannel()
            try await messages.store.setChannelScope(id: channel.id, "muc")
            messages.script.answerScopes([Frames.refusal(.unsupportedCmd)])

            let reason = await failure(of: .messages) {
                try await messages.service.sendChannelMessage(text: "near", channelIndex: 3, deviceID: messages.device)
            }

            #expect(reason == .needsFirmware(.floodScope))
            #expect(!messages.script.codes.contains(.sendChannelTxtMsg))
        }
    }

    @Test(.proves("SVC-R-117"))
    func `a cancelled caller restores the scope, and nobody else's message goes out under it`() throws {
        try withMessages([.take(limit: 9000)]) { messages in
            _ = try await messages.addChannel()
            let scoped = Task {
                try await messages.service.withFloodScope(.region("muc")) {
                    try await messages.clock.sleep(for: .seconds(100))
                }
            }
            await messages.radio.waitUntilSent(4)
            let other = Task { try await messages.service.sendDirectMessage(text: "usual", to: messages.bob) }
            try await messages.clock.sleep(for: .seconds(1))
            #expect(messages.script.codes == [.setFloodScopeKey])
            scoped.cancel()
            await #expect(throws: CancellationError.self) { try await scoped.value }
            _ = try await other.value

            #expect(messages.script.codes == [.setFloodScopeKey, .setFloodScopeKey, .sendTxtMsg])
        }
    }
}
