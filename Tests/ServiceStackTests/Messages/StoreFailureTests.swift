import Foundation
import MeshCompanion
import MeshTestSupport
import MeshVirtualTime
import MeshWire
import StackTestSupport
import Testing

@testable import PocketMeshServices

/// The outcome for a message whose row cannot be changed: no place is lost, and its confirmation counts.
@Suite struct StoreFailureTests {
    /// One message at a time may be unconfirmed: a place that is not given up stops the next one.
    private static let narrow: StackProfile = {
        var profile = StackProfile()
        profile.messages.maxUnconfirmed = 1
        return profile
    }()

    private static let isBroken = StackError(
        .messages, .saveFailed("a broken disk"), underlying: .database(code: 1811, message: "a broken disk"))

    @Test func `a message that is deleted while it waits gives its place to the next`() throws {
        try withMessages([.take(), .take(confirmedAfter: [.milliseconds(100)])], profile: Self.narrow) { messages in
            let first = Task { try await messages.service.sendMessageWithRetry(text: "one", to: messages.bob) }
            try await messages.clock.sleep(for: .milliseconds(500))
            let row = try #require(try await messages.rows().first)
            try await messages.store.deleteMessage(id: row.id)

            await #expect(throws: StackError(.messages, .notSent("it was deleted"))) { try await first.value }
            let second = Task { try await messages.service.sendMessageWithRetry(text: "two", to: messages.bob) }
            try await messages.clock.sleep(for: .seconds(60))
            second.cancel()
            #expect(try await messages.statuses() == [.delivered])
            #expect(messages.script.texts.map(\.text) == ["one", "two"])
        }
    }

    @Test(.proves("SVC-102", "SVC-108"))
    func `a retry that is not noted ends with the checker, and may still be confirmed`() throws {
        try withMessages([.take(), .take(confirmedAfter: [.milliseconds(100)])], profile: Self.narrow) { messages in
            let first = Task { try await messages.service.sendMessageWithRetry(text: "one", to: messages.bob) }
            try await messages.clock.sleep(for: .milliseconds(500))
            try messages.store.breakDown("UPDATE OF retryAttempt ON message")
            await #expect(throws: Self.isBroken) { try await first.value }
            #expect(try await messages.statuses() == [.sent])
            try messages.store.repair()
            let second = Task { try await messages.service.sendMessageWithRetry(text: "two", to: messages.bob) }
            try await messages.clock.sleep(for: .seconds(10))
            second.cancel()

            #expect(try await messages.statuses() == [.failed, .delivered])
            #expect(messages.told.all == ["failed", "delivered 100"])
            await messages.confirm(messages.script.acks[0])
            try await messages.clock.sleep(for: .seconds(1))
            #expect(try await messages.statuses() == [.delivered, .delivered])
        }
    }

    @Test(.proves("SVC-102")) func `a message that was sent and not noted may still be confirmed`() throws {
        try withMessages([.take()], profile: Self.narrow) { messages in
            try messages.store.breakDown("UPDATE OF ackCode ON message")
            await #expect(throws: Self.isBroken) {
                try await messages.service.sendDirectMessage(text: "one", to: messages.bob)
            }
            try messages.store.repair()
            #expect(try await messages.statuses() == [.failed])
            await messages.confirm(messages.script.acks[0])
            try await messages.clock.sleep(for: .seconds(1))

            #expect(try await messages.statuses() == [.delivered])
            #expect(messages.told.all == ["failed", "delivered 7"])
        }
    }

    @Test(.proves("SVC-102")) func `a retry that was sent and not noted may still be confirmed`() throws {
        try withMessages([.take()], profile: Self.narrow) { messages in
            let send = Task { try await messages.service.sendMessageWithRetry(text: "one", to: messages.bob) }
            try await messages.clock.sleep(for: .milliseconds(500))
            try messages.store.breakDown("UPDATE OF ackCode ON message")
            await #expect(throws: Self.isBroken) { try await send.value }
            try messages.store.repair()
            #expect(try await messages.statuses() == [.failed])
            #expect(messages.script.acks.count == 2)
            await messages.confirm(messages.script.acks[1])
            try await messages.clock.sleep(for: .seconds(1))

            #expect(try await messages.statuses() == [.delivered])
        }
    }

    @Test func `a message that cannot be begun has failed, and gives its place up; a queued one stays`() throws {
        try withMessages([.take(confirmedAfter: [.milliseconds(100)])], profile: Self.narrow) { messages in
            let begin = "UPDATE OF status ON message WHEN new.status = 1"
            try messages.store.breakDown(begin)
            await #expect(throws: Self.isBroken) {
                try await messages.service.sendDirectMessage(text: "one", to: messages.bob)
            }
            let queued = try await messages.service.enqueueDirectMessage(text: "two", to: messages.bob)
            #expect(try await messages.service.drainQueue(deviceID: messages.device) == 0)
            #expect(messages.script.texts.isEmpty)
            #expect(try await messages.statuses() == [.failed, .pending])
            try messages.store.repair()
            let drain = Task { try await messages.service.drainQueue(deviceID: messages.device) }
            try await messages.clock.sleep(for: .seconds(1))
            drain.cancel()

            #expect(try await messages.row(queued.id)?.status == .delivered)
            #expect(messages.script.texts.map(\.text) == ["two"])
        }
    }

    /// The confirmation comes while the path is being forgotten.
    private struct SlowReset: PathResetting {
        var during: @Sendable () async throws -> Void

        func resetPath(deviceID: UUID, publicKey: Data) async throws { try await during() }
    }

    @Test(.proves("SVC-R-027"))
    func `a confirmation that comes while the path is forgotten ends the attempts`() throws {
        try withMessages([.take()]) { messages in
            await messages.service.stop()
            let service = await messages.another(
                paths: SlowReset {
                    await messages.confirm(messages.script.acks[0])
                    try await messages.clock.sleep(for: .milliseconds(1))
                })
            let row = try await service.sendMessageWithRetry(text: "one", to: messages.bob)
            await service.stop()

            #expect(row.status == .delivered)
            #expect(messages.script.texts.map(\.attempt) == [0, 1])
        }
    }
}
