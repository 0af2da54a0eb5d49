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

/// Attempts, confirmations and what races between them.
@Suite struct RetryTests {
    @Test(.proves("SVC-097"))
    func `the wait is 1.2 of the suggestion, a minimum at least, and 30 s without one`() throws {
        var patient = StackProfile()
        patient.messages.retry.minTimeout = .seconds(3)
        patient.messages.retry.maxAttempts = 1
        var single = patient
        single.messages.retry.minTimeout = .zero
        let rows: [(StackProfile, UInt32, Duration)] = [
            (single, 1000, .milliseconds(1200)), (single, 12_345, .milliseconds(14_814)), (single, 0, .seconds(30)),
            (patient, 1000, .seconds(3)), (patient, 10_000, .seconds(12)), (patient, 0, .seconds(30)),
        ]
        for (profile, limit, wait) in rows {
            let failed = try withMessages([.take(limit: limit)], profile: profile) { messages in
                let row = try await messages.service.sendMessageWithRetry(text: "hello", to: messages.bob)
                return (row.status, messages.clock.now.sinceStart)
            }
            #expect(failed == (.failed, wait))
        }
        let own = try withMessages([.take(limit: 1000)], profile: single) { messages in
            _ = try await messages.service.sendMessageWithRetry(
                text: "hello", to: messages.bob, timeout: .seconds(7))
            return messages.clock.now.sinceStart
        }
        #expect(own == .seconds(7))
    }

    @Test(.proves("SVC-102", "SVC-R-027"))
    func `the confirmation of attempt 0 during attempt 2 delivers, and there is no attempt 3`() throws {
        try withMessages([.take(confirmedAfter: [.seconds(3)]), .take()]) { messages in
            let row = try await messages.service.sendMessageWithRetry(text: "hello", to: messages.bob)
            try await messages.clock.sleep(for: .seconds(20))

            #expect(row.status == .delivered && row.roundTripTime == 3000)
            #expect(messages.script.texts.map(\.attempt) == [0, 1, 2])
            #expect(messages.told.all == ["retry 1/3", "retry 2/3", "delivered 3000", "flood"])
        }
    }

    @Test(.proves("SVC-105", "SVC-R-066"))
    func `the path is looked up by one question, stored, and told once`() throws {
        try withMessages([.take(), .take(), .take(confirmedAfter: [.milliseconds(10)])]) { messages in
            messages.script.learnsOther()
            let row = try await messages.service.sendMessageWithRetry(text: "hello", to: messages.bob)
            _ = try await messages.service.sendMessageWithRetry(text: "again", to: messages.bob)

            let bob = try await messages.store.fetchContact(id: messages.bob.id)
            #expect(row.status == .delivered)
            #expect(bob?.outPathLengthRaw == 2 && bob?.outPath == Data([0x88, 0x99]))
            #expect(messages.told.all.filter { $0 == "direct" || $0 == "flood" } == ["direct"])
            #expect(!messages.script.codes.contains(.getContacts))
            #expect(messages.script.codes.filter { $0 == .getContactByKey }.count == 2)
        }
    }

    @Test func `a path is asked for after a flood delivered, if the profile says so, and not waited for`() throws {
        for wants in [true, false] {
            var profile = StackProfile()
            profile.messages.discoversPathAfterFlood = wants
            try withMessages([.take(confirmedAfter: [.milliseconds(10)])], profile: profile, hasPath: false) {
                messages in
                let row = try await messages.service.sendMessageWithRetry(text: "hello", to: messages.bob)
                #expect(row.status == .delivered && messages.clock.now.sinceStart == .milliseconds(10))
                try await messages.clock.sleep(for: .seconds(1))
                #expect(messages.script.codes.contains(.sendPathDiscoveryReq) == wants)
            }
        }
    }

    @Test(.proves("SVC-106", "SVC-R-018", "SVC-R-019"))
    func `a manual retry is one at a time, with a fresh time, in the same row`() throws {
        var profile = StackProfile()
        profile.messages.retry.maxAttempts = 1
        try withMessages([.take()], profile: profile) { messages in
            let failed = try await messages.service.sendMessageWithRetry(text: "hello", to: messages.bob)
            try await messages.store.updateMessageHeardRepeats(id: failed.id, heardRepeats: 3)
            messages.script.then([.take(confirmedAfter: [.milliseconds(300)])])

            let first = Task { try await messages.service.retryDirectMessage(messageID: failed.id, to: messages.bob) }
            await messages.radio.waitUntilSent(6)
            await #expect(throws: StackError.self) {
                try await messages.service.retryDirectMessage(messageID: failed.id, to: messages.bob)
            }
            let row = try await first.value
            await #expect(throws: StackError.self) {
                try await messages.service.retryDirectMessage(messageID: failed.id, to: messages.bob)
            }

            let times = messages.script.texts.map(\.timestamp)
            #expect(failed.status == .failed && row.status == .delivered && row.heardRepeats == 0)
            #expect(times.count == 2 && times[1] > times[0])
            #expect(messages.script.texts.map(\.attempt) == [0, 0])
            #expect(try await messages.rows().map(\.id) == [failed.id])
            #expect(messages.told.all == ["failed", "delivered 300"])
        }
    }

    @Test(.proves("SVC-R-018")) func `a retry in the same second has another time all the same`() throws {
        try withMessages([.refuse(.illegalArg), .take(confirmedAfter: [.milliseconds(1)])]) { messages in
            _ = try? await messages.service.sendMessageWithRetry(text: "hello", to: messages.bob)
            let failed = try #require(try await messages.rows().first)
            let row = try await messages.service.retryDirectMessage(messageID: failed.id, to: messages.bob)

            #expect(row.status == .delivered && row.timestamp == failed.timestamp + 1)
        }
    }

    @Test(.proves("SVC-107", "SVC-R-029"))
    func `a confirmation at the very end of the last wait leaves the row delivered`() throws {
        for order in [VirtualTime.Order.arrival] + (1...40).map({ .drawn(Seed($0)) }) {
            var profile = StackProfile()
            profile.messages.retry.maxAttempts = 2
            try withMessages([.take(), .take(confirmedAfter: [.milliseconds(1200)])], profile: profile, order: order) {
                messages in
                let row = try await messages.service.sendMessageWithRetry(text: "hello", to: messages.bob)
                try await messages.clock.sleep(for: .seconds(1))

                let final = try await messages.row(row.id)
                #expect(final?.status == .delivered && final?.roundTripTime == 1200)
                #expect(messages.told.all.filter { $0.hasPrefix("delivered") } == ["delivered 1200"])
                let texts = messages.script.texts.count
                #expect(texts == 2)
            }
        }
    }

    @Test(.proves("SVC-107")) func `nothing takes delivered back`() throws {
        try withMessages([.take(confirmedAfter: [.milliseconds(100)])]) { messages in
            let row = try await messages.service.sendMessageWithRetry(text: "hello", to: messages.bob)
            await messages.service.checkExpiredAcks()
            await messages.service.failAllPendingMessages()
            await messages.service.stopAndFailAllPending()
            for status in [MessageStatus.sent, .retrying, .failed] {
                #expect(
                    try await messages.store.updateMessageStatus(id: row.id, to: status) == .refused(.delivered))
            }
            #expect(try await messages.row(row.id)?.status == .delivered)
            #expect(messages.told.all == ["delivered 100"])
        }
    }

    @Test(.proves("SVC-108", "SVC-R-036"))
    func `every five seconds expired single sends fail, once, and no message of a loop`() throws {
        try withMessages([.take(limit: 5000), .take(limit: 1000), .take(limit: 20_000)]) { messages in
            let told = Notes<Duration>()
            messages.service.events.note(in: told) { [clock = messages.clock] in
                if case .messageFailed = $0 { clock.now.sinceStart } else { nil }
            }
            await messages.service.startAckExpiryChecking()
            // 6 s, so the check at 10 s finds it; 1.2 s, found at 5 s.
            let first = try await messages.service.sendDirectMessage(text: "one", to: messages.bob)
            let second = try await messages.service.sendDirectMessage(text: "two", to: messages.bob)
            let loop = Task { try await messages.service.sendMessageWithRetry(text: "three", to: messages.bob) }
            try await messages.clock.sleep(for: .seconds(20))

            #expect(told.all == [.seconds(5), .seconds(10)])
            for id in [first.id, second.id] { #expect(try await messages.row(id)?.status == .failed) }
            #expect(try await messages.rows().last?.status == .sent)
            try await messages.clock.sleep(for: .seconds(200))
            #expect(try await loop.value.status == .failed)
            #expect(told.all.count == 3)
        }
    }

    @Test(.proves("SVC-R-036"))
    func `the checker leaves a message alone whose loop pauses between two attempts`() throws {
        // Waited for until 4.8 s, sent again at 5.8 s; the checker looks at 5 s.
        try withMessages([.take(limit: 4000), .take(confirmedAfter: [.seconds(1)])], profile: .prd) { messages in
            await messages.service.startAckExpiryChecking()
            let row = try await messages.service.sendMessageWithRetry(text: "hello", to: messages.bob)

            #expect(row.status == .delivered && messages.script.texts.count == 2)
            #expect(messages.told.all == ["retry 1/3", "delivered 1000"])
        }
    }

    @Test(.proves("SVC-R-028"))
    func `a confirmation two seconds late delivers once; one after a manual retry is of the past`() throws {
        var profile = StackProfile()
        profile.messages.retry.maxAttempts = 1
        try withMessages([.take()], profile: profile) { messages in
            let row = try await messages.service.sendMessageWithRetry(text: "hello", to: messages.bob)
            try await messages.clock.sleep(for: .seconds(2))
            await messages.confirm(row.ackCode ?? 0)
            await messages.confirm(row.ackCode ?? 0)
            try await messages.clock.sleep(for: .seconds(1))

            #expect(row.status == .failed)
            #expect(try await messages.row(row.id)?.status == .delivered)
            #expect(messages.told.all == ["failed", "delivered 7"])
        }
        try withMessages([.take()], profile: profile) { messages in
            let row = try await messages.service.sendMessageWithRetry(text: "hello", to: messages.bob)
            let retry = Task { try await messages.service.retryDirectMessage(messageID: row.id, to: messages.bob) }
            await messages.radio.waitUntilSent(6)
            await messages.confirm(row.ackCode ?? 0)

            #expect(try await retry.value.status == .failed)
            #expect(messages.told.all == ["failed", "failed"])
        }
        // A minute after the last attempt it is too late.
        for (seconds, status) in [(59, MessageStatus.delivered), (61, .failed)] {
            try withMessages([.take()], profile: profile) { messages in
                let row = try await messages.service.sendMessageWithRetry(text: "hello", to: messages.bob)
                try await messages.clock.sleep(until: .init(sinceStart: .seconds(seconds)))
                await messages.confirm(row.ackCode ?? 0)
                try await messages.clock.sleep(for: .seconds(1))
                #expect(try await messages.row(row.id)?.status == status)
            }
        }
    }

    @Test(.proves("SVC-R-030")) func `a code of a write that failed matches nothing later`() throws {
        var profile = StackProfile()
        profile.messages.unfinishedSends = .fail
        try withMessages([.take(limit: 9000)], profile: profile) { messages in
            await messages.radio.failSends(with: .sendFailed("busy"))
            #expect(
                await failure(of: .messages) {
                    try await messages.service.sendMessageWithRetry(text: "hello", to: messages.bob)
                } == .notConnected)
            await messages.radio.failSends(with: nil)
            let failed = try #require(try await messages.rows().first)
            let stale = TextPlaintext(timestamp: failed.timestamp, text: "hello")?
                .ackHash(sender: Frames.key(1), receiver: Frames.key(2))
            let sent = try await messages.service.sendDirectMessage(text: "hello", to: messages.bob)
            await messages.confirm(stale ?? 0)
            try await messages.clock.sleep(for: .seconds(1))

            #expect(sent.ackCode != stale)
            #expect(try await messages.statuses() == [.failed, .sent])
            #expect(messages.told.all == ["failed"])
        }
    }

    @Test(.proves("SVC-R-031")) func `with limits of 25 s nothing fails before the last attempt's limit`() throws {
        try withMessages([.take(limit: 25_000)]) { messages in
            let row = try await messages.service.sendMessageWithRetry(text: "hello", to: messages.bob)

            #expect(row.status == .failed && messages.script.texts.count == 4)
            #expect(messages.clock.now.sinceStart == .seconds(120))
        }
        try withMessages(
            [.take(limit: 25_000)] + Array(repeating: .take(limit: 25_000), count: 2)
                + [.take(confirmedAfter: [.milliseconds(29_900)], limit: 25_000)]
        ) { messages in
            let row = try await messages.service.sendMessageWithRetry(text: "hello", to: messages.bob)
            #expect(row.status == .delivered && row.retryAttempt == 3)
        }
    }

    @Test(.proves("SVC-R-033"))
    func `beyond four attempts the numbers go on, unless the text leaves no room for them`() throws {
        var profile = StackProfile()
        profile.messages.retry.maxAttempts = 6
        for (length, numbers) in [(158, [0, 1, 2, 3, 4, 5]), (159, [0, 1, 2, 3])] as [(Int, [UInt8])] {
            try withMessages([.take()], profile: profile, hasPath: false) { messages in
                _ = try await messages.service.sendMessageWithRetry(
                    text: String(repeating: "a", count: length), to: messages.bob)
                #expect(messages.script.texts.map(\.attempt) == numbers)
            }
        }
    }

    @Test(.proves("SVC-R-034")) func `equal texts to two contacts in one second have codes of their own`() throws {
        try withMessages([.take(limit: 9000)]) { messages in
            let id = try await messages.store.saveContact(
                deviceID: messages.device, from: Frames.contact(3, name: "carol"))
            let carol = try #require(try await messages.store.fetchContact(id: id))
            let toBob = try await messages.service.sendDirectMessage(text: "on my way", to: messages.bob)
            let toCarol = try await messages.service.sendDirectMessage(text: "on my way", to: carol)
            await messages.confirm(toCarol.ackCode ?? 0)
            try await messages.clock.sleep(for: .milliseconds(1))

            #expect(toCarol.timestamp == toBob.timestamp + 1 && toCarol.ackCode != toBob.ackCode)
            #expect(try await messages.row(toCarol.id)?.status == .delivered)
            #expect(try await messages.row(toBob.id)?.status == .sent)
        }
    }

    @Test(.proves("SVC-R-035")) func `never more than four messages are unconfirmed`() throws {
        var profile = StackProfile()
        profile.messages.spacing = nil
        for order in [VirtualTime.Order.arrival] + (1...6).map({ .drawn(Seed($0)) }) {
            try withMessages([.take(limit: 60_000)], profile: profile, order: order) { messages in
                let sends = (0..<9).map { number in
                    Task { try await messages.service.sendMessageWithRetry(text: "\(number)", to: messages.bob) }
                }
                var open: [Int] = []
                for confirmed in 0..<9 {
                    try await messages.clock.sleep(for: .seconds(1))
                    open.append(messages.script.texts.count - confirmed)
                    await messages.confirm(messages.script.acks[confirmed])
                }
                for send in sends { #expect(try await send.value.status == .delivered) }
                #expect(open == [4, 4, 4, 4, 4, 4, 3, 2, 1])
            }
        }
    }

    @Test func `messages to one contact go out in the order of the calls, each behind the other's SENT`() throws {
        for order in [VirtualTime.Order.arrival] + (1...6).map({ .drawn(Seed($0)) }) {
            try withMessages([.refuse(.tableFull), .take(limit: 9000)], order: order) { messages in
                let first = Task { try await messages.service.sendDirectMessage(text: "first", to: messages.bob) }
                try await messages.clock.sleep(for: .milliseconds(1))
                let second = Task { try await messages.service.sendDirectMessage(text: "second", to: messages.bob) }
                _ = try await (first.value, second.value)

                #expect(messages.script.texts.map(\.text) == ["first", "first", "second"])
                #expect(try await messages.rows().map(\.text) == ["first", "second"])
            }
        }
    }

    @Test func `a caller who goes ends its attempts, and a confirmation still counts`() throws {
        try withMessages([.take(limit: 9000)]) { messages in
            let send = Task { try await messages.service.sendMessageWithRetry(text: "hello", to: messages.bob) }
            await messages.radio.waitUntilSent(4)
            try await messages.clock.sleep(for: .seconds(1))
            send.cancel()
            await #expect(throws: CancellationError.self) { try await send.value }
            #expect(try await messages.statuses() == [.sent])
            await messages.confirm(messages.script.acks[0])
            try await messages.clock.sleep(for: .seconds(60))

            #expect(try await messages.statuses() == [.delivered])
            #expect(messages.script.texts.count == 1)
        }
    }
}
