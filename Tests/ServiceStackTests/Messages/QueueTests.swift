import Foundation
import MeshCompanion
import MeshCore
import MeshTestSupport
import MeshTime
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// The messages that are composed while the radio is not ready, or that a lost link or a crash leaves.
@Suite struct QueueTests {
    @Test(.proves("SVC-112", "SVC-R-096"))
    func `queued messages wait for the drain, survive a restart, and go out in order`() throws {
        let path = NSTemporaryDirectory() + "messages-\(UUID().uuidString).sqlite"
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
        try withMessages([.take(limit: 9000)]) { messages in
            do {
                let store = try PersistenceStore(path: path)
                try await store.saveDevice(messages.bench.device)
                try await store.saveContact(messages.bob)
                try await store.saveChannel(try await messages.addChannel())
                let outbox = MessageOutbox(
                    store: store, profile: .architectureV2, dependencies: messages.bench.dependencies)
                _ = try await outbox.enqueueDirectMessage(text: "one", to: messages.bob)
                _ = try await outbox.enqueueChannelMessage(text: "two", channelIndex: 3, deviceID: messages.device)
                _ = try await outbox.enqueueDirectMessage(text: "three", to: messages.bob)
                #expect(try await outbox.queuedCount(deviceID: messages.device) == 3)
                try await store.close()
            }
            try await messages.clock.sleep(for: .seconds(3600))
            let store = try PersistenceStore(path: path)
            let service = MessageService(
                session: messages.bench.session, store: store, profile: .architectureV2,
                dependencies: messages.bench.dependencies)
            // Connected, listening, and syncing for an hour: the queue waits for ready.
            await service.startEventListening(deviceID: messages.device)
            await service.startAckExpiryChecking()
            try await messages.clock.sleep(for: .seconds(3600))
            #expect(messages.script.marks.isEmpty)
            #expect(try await service.queuedCount(deviceID: messages.device) == 3)

            #expect(try await service.drainQueue(deviceID: messages.device) == 3)

            #expect(messages.script.marks.map(\.mark) == ["d", "c", "d"])
            #expect(messages.script.texts.map(\.text) == ["one", "three"])
            // Composed two hours ago, and sent so.
            let composed = UInt32(ServiceBench.startDate.timeIntervalSince1970)
            #expect(messages.script.texts.map(\.timestamp) == [composed, composed])
            #expect(try await service.queuedCount(deviceID: messages.device) == 0)
            await service.stop()
        }
    }

    @Test(.proves("SVC-112"))
    func `a message that waited for a day gets a fresh time, two equal ones times of their own`() throws {
        try withMessages([.take(limit: 60_000)]) { messages in
            for _ in 0..<2 { _ = try await messages.service.enqueueDirectMessage(text: "hello", to: messages.bob) }
            try await messages.clock.sleep(for: .seconds(24 * 3600))
            try await messages.service.drainQueue(deviceID: messages.device)

            let now = UInt32(ServiceBench.startDate.timeIntervalSince1970) + 24 * 3600
            #expect(messages.script.texts.map(\.timestamp) == [now, now + 1])
        }
    }

    @Test(.proves("SVC-113")) func `at the limit composing throws, and without one it does not`() throws {
        try withMessages([.take()], profile: .prd) { messages in
            for number in 0..<10 {
                _ = try await messages.service.enqueueDirectMessage(text: "\(number)", to: messages.bob)
            }
            await #expect(throws: StackError(.messages, .queueFull(limit: 10))) {
                try await messages.service.enqueueDirectMessage(text: "10", to: messages.bob)
            }
            #expect(try await messages.service.queuedCount(deviceID: messages.device) == 10)
            #expect(try await messages.rows().count == 10)
        }
        try withMessages([.take()]) { messages in
            for number in 0..<40 {
                _ = try await messages.service.enqueueDirectMessage(text: "\(number)", to: messages.bob)
            }
            #expect(try await messages.service.queuedCount(deviceID: messages.device) == 40)
        }
    }

    @Test(.proves("SVC-114")) func `a waiting message can be deleted, one in flight cannot`() throws {
        try withMessages([.silence]) { messages in
            let first = try await messages.service.enqueueDirectMessage(text: "one", to: messages.bob)
            let second = try await messages.service.enqueueDirectMessage(text: "two", to: messages.bob)
            let drain = Task { try await messages.service.drainQueue(deviceID: messages.device) }
            await messages.radio.waitUntilSent(4)
            await #expect(throws: StackError.self) {
                try await messages.service.deleteQueued(messageID: first.id)
            }
            try await messages.service.deleteQueued(messageID: second.id)
            messages.script.then([.take()])
            let count = try await drain.value

            // The answer to the first was lost; the second is gone.
            #expect(count == 0)
            #expect(messages.script.texts.map(\.text) == ["one"])
            #expect(try await messages.row(second.id) == nil)
            #expect(try await messages.row(first.id)?.status == .failed)
        }
    }

    /// The point of a drain at which the process ended: each step leaves one of these in the store.
    enum CrashPoint: CaseIterable {
        case beforeTheTime, beforeSending, beforeTheWrite, behindTheWrite, behindSent, behindTheStore
    }

    @Test(.proves("SVC-115", "SVC-R-023"), arguments: CrashPoint.allCases)
    func `a crash in a drain loses nothing, and doubles the message in flight at most`(point: CrashPoint) throws {
        try withMessages([.take(limit: 9000)]) { messages in
            var ids: [UUID] = []
            for text in ["one", "two", "three"] {
                ids.append(try await messages.service.enqueueDirectMessage(text: text, to: messages.bob).id)
            }
            let flown = try #require(try await messages.row(ids[0]))
            let taken = try await Self.crash(at: point, flown, messages)
            try await messages.clock.sleep(for: .seconds(100))
            try await messages.store.failStaleSending()
            try await messages.another().drainQueue(deviceID: messages.device)

            let texts = messages.script.texts
            let copies = texts.filter { $0.text == "one" }
            #expect(texts.filter { $0.text != "one" }.map(\.text) == ["two", "three"])
            #expect(copies.count == 1 + (taken && point != .behindTheStore ? 1 : 0))
            #expect(Set(copies.map(\.timestamp)) == [flown.timestamp])
            for id in ids { #expect(try await messages.row(id)?.status == .sent) }
            #expect(try await messages.service.queuedCount(deviceID: messages.device) == 0)
        }
    }

    /// Does the steps of a drain up to the point; returns whether the radio accepted the message.
    private static func crash(at point: CrashPoint, _ row: MessageDTO, _ messages: MessageBench) async throws -> Bool {
        if point == .beforeTheTime { return false }
        try await messages.store.recordSendAttempt(messageID: row.id, timestamp: row.timestamp)
        if point == .beforeSending { return false }
        try await messages.store.updateMessageStatus(id: row.id, from: .pending, to: .sending)
        if point == .beforeTheWrite { return false }
        let sent = try await messages.bench.session.sendMessage(
            to: .bytes([UInt8](messages.bob.publicKey)), text: row.text, timestamp: row.timestamp)
        if point != .behindTheStore { return true }
        try await messages.store.completePendingSend(messageID: row.id, ackCode: sent.tag)
        return true
    }

    @Test(.proves("SVC-115"))
    func `a link that goes in a drain leaves the rest queued, with the times that were used`() throws {
        try withMessages([.take(limit: 9000), .silence]) { messages in
            for text in ["one", "two", "three"] {
                _ = try await messages.service.enqueueDirectMessage(text: text, to: messages.bob)
            }
            let drain = Task { try await messages.service.drainQueue(deviceID: messages.device) }
            await messages.radio.waitUntilSent(5)
            await messages.radio.simulateLoss()
            let count = try await drain.value
            #expect(count == 1)
            #expect(try await messages.statuses() == [.sent, .pending, .pending])
            #expect(try await messages.service.queuedCount(deviceID: messages.device) == 2)
            #expect(messages.told.all.isEmpty)
            await messages.service.stop()

            try await messages.clock.sleep(for: .seconds(30))
            await messages.bench.session.stop()
            try await messages.bench.session.start()
            messages.script.then([.take(limit: 9000)])
            #expect(try await messages.another().drainQueue(deviceID: messages.device) == 2)
            let two = messages.script.texts.filter { $0.text == "two" }
            #expect(messages.script.texts.map(\.text) == ["one", "two", "two", "three"])
            #expect(Set(two.map(\.timestamp)).count == 1)
        }
    }

    @Test func `without a link a message is queued, or fails, as the profile says`() throws {
        for keeps in [true, false] {
            try withMessages([.take()], profile: keeps ? .architectureV2 : .architectureV1) { messages in
                let channel = try await messages.addChannel()
                await messages.radio.simulateLoss()
                try await messages.clock.sleep(for: .milliseconds(1))
                let row = try? await messages.service.sendMessageWithRetry(text: "one", to: messages.bob)
                let id = try? await messages.service.sendChannelMessage(
                    text: "two", channelIndex: 3, deviceID: messages.device)

                #expect(row?.status == (keeps ? .pending : nil))
                #expect((id != nil) == keeps)
                #expect(try await messages.service.queuedCount(deviceID: messages.device) == (keeps ? 2 : 0))
                let rows = try await messages.store.fetchMessages(
                    deviceID: messages.device, thread: .channel(channel.id))
                #expect(rows.map(\.status) == [keeps ? .pending : .failed])
                #expect(try await messages.statuses() == [keeps ? .pending : .failed])
                #expect(messages.told.all.count == (keeps ? 0 : 2))
            }
        }
    }

    // MARK: Teardown

    @Test(.proves("SVC-109"), arguments: [true, false], ["line", "confirmation", "pause", "room"])
    func `a teardown keeps or fails what is unfinished, and nobody is left waiting`(keeps: Bool, phase: String) throws {
        var profile = StackProfile()
        profile.messages.unfinishedSends = keeps ? .keep : .fail
        profile.messages.retry.backoff = .linear(.seconds(10))
        // Four are under way at once where nothing keeps texts to one contact apart.
        profile.messages.spacing = nil
        let deeds: [RadioScript.Deed] = phase == "room" ? [.refuse(.tableFull)] : [.take(limit: 10_000)]
        try withMessages(deeds, profile: profile) { messages in
            let count = phase == "line" ? 6 : 1
            let sends = (0..<count).map { number in
                Task { try await messages.service.sendMessageWithRetry(text: "\(number)", to: messages.bob) }
            }
            try await messages.clock.sleep(for: phase == "pause" ? .seconds(13) : .milliseconds(100))
            let stopped = messages.clock.now
            await messages.service.stop()
            for send in sends { #expect(await failure(of: .messages) { try await send.value } == .notConnected) }

            #expect(messages.clock.now == stopped)
            let statuses = try await messages.statuses()
            let written = phase == "room" ? 0 : min(count, 4)
            let expected: [MessageStatus] =
                keeps
                ? Array(repeating: .sent, count: written) + Array(repeating: .pending, count: count - written)
                : Array(repeating: .failed, count: count)
            #expect(statuses == expected)
            #expect(
                try await messages.store.countPendingMessages(deviceID: messages.device)
                    == (keeps ? count - written : 0))
            #expect(messages.told.all.filter { $0 == "failed" }.count == (keeps ? 0 : count))
            let sent = messages.script.texts.count
            try await messages.clock.sleep(for: .seconds(100))
            #expect(messages.script.texts.count == sent)
            #expect(
                await failure(of: .messages) {
                    try await messages.service.sendMessageWithRetry(text: "late", to: messages.bob)
                } == .notConnected)
        }
    }

    @Test(.proves("SVC-109")) func `what was sent before the link went is confirmed or tried again after it`() throws {
        for isConfirmed in [true, false] {
            try withMessages([.take(limit: 10_000)]) { messages in
                let send = Task { try await messages.service.sendMessageWithRetry(text: "hello", to: messages.bob) }
                try await messages.clock.sleep(for: .seconds(13))
                // The second attempt is under way: retry 1 of 3.
                await messages.service.stop()
                _ = try? await send.value
                try await messages.clock.sleep(for: .seconds(60))
                let service = await messages.another()
                await service.startEventListening(deviceID: messages.device)
                if isConfirmed {
                    // Of the first attempt, whose code only the row's time and text tell.
                    try await service.drainQueue(deviceID: messages.device)
                    await messages.confirm(messages.script.acks[0])
                    try await messages.clock.sleep(for: .seconds(200))
                } else {
                    messages.script.then([.take(confirmedAfter: [.seconds(1)], limit: 10_000)])
                    try await service.drainQueue(deviceID: messages.device)
                    try await messages.clock.sleep(for: .seconds(200))
                }

                let row = try await messages.rows().first
                #expect(row?.status == .delivered)
                #expect(messages.script.texts.map(\.attempt) == (isConfirmed ? [0, 1] : [0, 1, 2]))
                #expect(Set(messages.script.texts.map(\.timestamp)).count == 1)
                #expect(messages.told.all.filter { $0.hasPrefix("delivered") }.count == 1)
                await service.stop()
            }
        }
    }

    @Test(.proves("SVC-109"))
    func `a confirmation that comes before the drain delivers what the last connection sent`() throws {
        try withMessages([.take(limit: 10_000)]) { messages in
            let sent = try await messages.service.sendDirectMessage(text: "hello", to: messages.bob)
            await messages.service.stop()
            let service = await messages.another()
            await service.startEventListening(deviceID: messages.device)
            await messages.confirm(sent.ackCode ?? 0, tripTime: 60_000)
            try await messages.clock.sleep(for: .milliseconds(1))

            let row = try await messages.row(sent.id)
            #expect(row?.status == .delivered && row?.roundTripTime == 60_000)
            #expect(messages.told.all == ["delivered 60000"])
            await service.stop()
        }
    }

    @Test func `failing all tells of each message, queued ones too`() throws {
        try withMessages([.take(limit: 10_000)]) { messages in
            _ = try await messages.service.sendDirectMessage(text: "one", to: messages.bob)
            _ = try await messages.service.enqueueDirectMessage(text: "two", to: messages.bob)
            await messages.service.stopAndFailAllPending()

            #expect(try await messages.statuses() == [.failed, .failed])
            #expect(messages.told.all == ["failed", "failed"])
            #expect(try await messages.store.countPendingMessages(deviceID: messages.device) == 0)
        }
    }
}
