import Foundation
import MeshCore
import MeshTime
import MeshWire
import PocketMeshServices
import Testing

@testable import MeshScenarios

/// The findings of the rules of a stack's store, when one thing is not as it should be.
@Suite struct StoreRuleTests {
    private static let alice = Person.stack("alice")
    private static let bob = Person.client("bob") { $0.attempts = 4 }
    private static let tavern = Room("tavern")

    /// An action that scripts do not have: it leaves the state of a defect behind.
    private struct Spoils: Action {
        let sentence = "something is spoilt"
        let cast: [Member] = []
        let body: @Sendable (Stage, StackApp) async throws -> Void

        func perform(on stage: Stage) async throws { try await body(stage, stage.stackApp(of: alice.member)) }
    }

    /// Alice and bob write, speak and post; then something is spoilt.
    private func verdict(
        _ rules: [Rule], _ spoil: @escaping @Sendable (Stage, StackApp) async throws -> Void = { _, _ in }
    ) -> ScenarioResult.Verdict {
        let (alice, bob, tavern) = (Self.alice, Self.bob, Self.tavern)
        let scenario = Scenario("spoilt", .sync, "Something is not as it should be.") {
            together(alice, bob, tavern)
            acquainted(alice, bob)
            alice.knows(tavern)
            bob.knows(tavern)
            rules

            alice.enters(tavern).tried(for: .seconds(60))
            bob.enters(tavern).tried(for: .seconds(60))
            alice.sends("to bob", to: bob)
            bob.sends("to alice", to: alice)
            pause(.seconds(10))
            alice.says("of alice")
            bob.says("of bob")
            pause(.seconds(10))
            alice.posts("post of alice", in: tavern)
            bob.posts("post of bob", in: tavern)
            pause(.seconds(60))
            Spoils(body: spoil)
            pause(.seconds(100))
        }
        var run = ScenarioRun(scenario, seed: Seed(1))
        run.invariants = []
        return run.onVirtualTime().verdict
    }

    private func reason(_ verdict: ScenarioResult.Verdict) -> String? {
        if case .broken(let failure) = verdict { failure.reason } else { nil }
    }

    private static let all =
        StoreRules.all + [
            always(tavern.keepsDelivered), eventually(tavern.bringsAll), always(tavern.countsTruly),
            always(tavern.postsAreTrue), always(tavern.postsArrive), eventually(alice.seesOnlyErrors([])),
            always(NothingTwice()),
        ]

    @Test func `where nothing is spoilt every rule holds`() {
        #expect(verdict(Self.all) == .kept)
    }

    @Test func `what came and is not stored is found`() {
        let verdict = verdict([eventually(StoreRules.arrivalsAreStored)]) { _, app in
            try await app.store.deleteMessage(id: app.row("to alice").id)
        }
        #expect(reason(verdict) == "alice lacks “to alice”, which the radio has handed out")
    }

    @Test func `what was confirmed to its sender and never came is found`() {
        let verdict = verdict([eventually(StoreRules.arrivalsAreStored)]) { stage, app in
            stage.ledger.forgetHanded(to: Self.alice.member)
            try await app.store.deleteMessage(id: app.row("to alice").id)
        }
        #expect(reason(verdict) == "alice lacks “to alice”, which bob was confirmed")
    }

    @Test func `what is stored and never came is found`() {
        let verdict = verdict([eventually(StoreRules.storedHasArrived)]) { _, app in
            try await app.twin(of: "to alice") { $0.text = "never said" }
        }
        #expect(reason(verdict) == "alice has “never said”, which the radio never handed out")
    }

    @Test func `what is there twice is found`() {
        let received = verdict([always(NothingTwice())]) { _, app in try await app.twin(of: "to alice") }
        let written = verdict([eventually(StoreRules.writtenIsStored)]) { _, app in try await app.twin(of: "to bob") }

        #expect(reason(received) == "alice has “to alice” more often than it was sent")
        #expect(reason(written) == "alice wrote “to bob” 1 times, and it is stored 2 times")
    }

    @Test func `what was written and is gone is found`() {
        let verdict = verdict([eventually(StoreRules.writtenIsStored)]) { _, app in
            try await app.store.deleteMessage(id: app.row("of alice").id)
        }
        #expect(reason(verdict) == "alice wrote “of alice” 1 times, and it is stored 0 times")
    }

    @Test(arguments: [
        ("to bob", MessageStatus.failed, "has failed, and its confirmation came"),
        ("to bob", .retrying, "ended as retrying"), ("of alice", .failed, "ended as failed"),
    ])
    func `a status that is not true is found`(text: String, status: MessageStatus, reason found: String) {
        let verdict = verdict([eventually(StoreRules.statusesAreTrue)]) { _, app in
            try await app.replace(text) { $0.status = status }
        }
        #expect(reason(verdict) == "alice's “\(text)” \(found)")
    }

    @Test func `what is delivered without a confirmation is found`() {
        let verdict = verdict([eventually(StoreRules.statusesAreTrue)]) { _, app in
            try await app.replace("to bob") { $0.text = "never sent" }
        }
        #expect(reason(verdict) == "alice's “never sent” is delivered, and no confirmation came")
    }

    @Test func `what was delivered and is not any more is found`() {
        let verdict = verdict([always(StoreRules.deliveredStays)]) { _, app in
            try await app.replace("to bob") { $0.status = .failed }
        }
        #expect(reason(verdict) == "alice's “to bob” was delivered and is failed now")
    }

    @Test func `a text with two timestamps is found`() {
        let verdict = verdict([always(TextsStayOne())]) { stage, app in
            _ = try await app.session().sendMessage(
                to: .bytes(stage.key(of: Self.bob).array), text: "to bob", timestamp: stage.seconds, attempt: 0)
        }
        #expect(reason(verdict) == "“to bob” is 2 texts at bob")
    }

    @Test func `wrong counts of unread messages are found`() {
        let contact = verdict([eventually(StoreRules.unreadIsTrue)]) { stage, app in
            try await app.store.incrementUnreadCount(contactID: app.contact(stage.key(of: Self.bob)).id)
        }
        let room = verdict([eventually(StoreRules.unreadIsTrue)]) { _, app in
            try await app.store.incrementRoomUnreadCount(sessionID: app.room().id)
        }

        #expect(reason(contact) == "alice's app: bob counts 2 unread, and 1 are")
        #expect(reason(room) == "alice's app: tavern counts 2 unread, and 1 are")
    }

    @Test func `what is left over is found`() {
        let stranger = verdict([eventually(StoreRules.nothingIsLeft)]) { stage, app in
            let key = Data(try await stage.key(of: Self.bob).array.prefix(6))
            try await app.twin(of: "to alice") { ($0.contactID, $0.senderKeyPrefix) = (nil, key) }
        }
        let away = verdict([eventually(StoreRules.nothingIsLeft)]) { _, app in await app.close() }

        #expect(reason(stranger) == "alice's app: “to alice” is nobody's")
        #expect(reason(away) == "alice's app is not connected")
    }

    @Test func `an error that nobody expects is found`() {
        let verdict = verdict([eventually(Self.alice.seesOnlyErrors(["not-connected"]))]) { stage, app in
            try? await app.enter(stage.key(of: Self.tavern), password: "wrong")
        }
        #expect(reason(verdict) == "there was no-answer")
    }

    @Test func `a delivered post that the room has not kept is found`() {
        let verdict = verdict([always(Self.tavern.keepsDelivered)]) { _, app in
            let post = try #require(try await app.posts().first { $0.isFromSelf })
            try await app.store.saveRoomMessage(
                RoomMessageDTO(
                    id: UUID(), sessionID: post.sessionID, authorKeyPrefix: post.authorKeyPrefix,
                    text: "never posted", timestamp: post.timestamp + 100, createdAt: post.createdAt,
                    isFromSelf: true, status: .delivered))
        }
        #expect(reason(verdict) == "alice's “never posted” is delivered, and was not kept")
    }

    @Test func `posts that a member lacks are found`() {
        let brought = verdict([always(Self.tavern.keepsDelivered), eventually(Self.tavern.bringsAll)]) { stage, _ in
            await (try stage.player(Self.alice.member)).link.cut()
            try await Self.bob.posts("late", in: Self.tavern).perform(on: stage)
        }
        let counted = verdict([always(Self.tavern.countsTruly)]) { stage, _ in
            await (try stage.player(Self.bob.member)).link.cut()
            try await Self.alice.posts("late", in: Self.tavern).perform(on: stage)
        }

        #expect(reason(brought) == "alice has not got “late”")
        #expect(reason(counted) == "bob lacks 1 posts, and the room counts 0")
    }
}

extension StackApp {
    fileprivate func row(_ text: String) async throws -> MessageDTO {
        let device = try device()
        var threads = try await store.fetchContacts(deviceID: device).map { MessageThread.contact($0.id) }
        threads += try await store.fetchChannels(deviceID: device).map { .channel($0.id) }
        for thread in threads {
            let rows = try await store.fetchMessages(deviceID: device, thread: thread, limit: .max)
            if let row = rows.first(where: { $0.text == text }) { return row }
        }
        throw ScenarioError("there is no “\(text)”")
    }

    fileprivate func replace(_ text: String, _ change: @Sendable (inout MessageDTO) -> Void) async throws {
        var row = try await row(text)
        try await store.deleteMessage(id: row.id)
        change(&row)
        try await store.saveMessage(row)
    }

    fileprivate func twin(of text: String, _ change: @Sendable (inout MessageDTO) -> Void = { _ in }) async throws {
        var row = try await row(text)
        (row.id, row.deduplicationKey) = (UUID(), nil)
        change(&row)
        try await store.saveMessage(row)
    }

    fileprivate func room() async throws -> RemoteNodeSessionDTO {
        try #require(try await store.fetchRemoteNodeSessions(deviceID: device()).first)
    }

    fileprivate func posts() async throws -> [RoomMessageDTO] {
        try await store.fetchRoomMessages(sessionID: room().id, limit: .max)
    }
}

extension LinkLedger {
    fileprivate func forgetHanded(to who: Member) { change(who) { $0.handed = [] } }
}
