import Foundation
import MeshTestSupport
import Testing

@testable import PocketMeshServices

/// Notifications alone, in heaps and in bursts, without any time passing.
@Suite struct NotificationPlanTests {
    private enum Stage: CaseIterable {
        case single, heap, burst, burstInHeap
    }

    private let first = NotificationPreferences()
    private var second: NotificationPreferences {
        var preferences = NotificationPreferences()
        preferences.soundEnabled = false
        return preferences
    }

    /// Returns a plan in a state; a burst has counted one message.
    private func plan(at stage: Stage) -> NotificationPlan {
        var plan = NotificationPlan()
        if stage == .heap || stage == .burstInHeap { _ = plan.beginHeap(first) { 0 } }
        if stage == .burst || stage == .burstInHeap {
            plan.beginBurst()
            _ = plan.post(isMessage: true)
        }
        return plan
    }

    @Test func `messages are counted in a burst alone, and all else is shown`() {
        let messages = Stage.allCases.map { stage in
            var plan = plan(at: stage)
            return plan.post(isMessage: true)
        }
        let others = Stage.allCases.map { stage in
            var plan = plan(at: stage)
            return plan.post(isMessage: false)
        }

        #expect(messages == [.show, .show, .counted, .counted])
        #expect(others == [.show, .show, .show, .show])
    }

    @Test func `the end of a burst is one summary of the messages that were counted`() {
        for stage in Stage.allCases {
            let isBurst = stage == .burst || stage == .burstInHeap
            var plan = plan(at: stage)
            _ = plan.post(isMessage: true)
            _ = plan.post(isMessage: false)
            let ended = plan.endBurst()
            let again = plan.endBurst()

            #expect(ended == (isBurst ? .summary(1, count: 2) : .nothing), "\(stage)")
            #expect(again == .nothing)
        }
    }

    @Test func `an empty burst has no summary, and summaries are numbered`() {
        var plan = NotificationPlan()
        plan.beginBurst()
        let empty = plan.endBurst()
        let numbered = (1...2).map { _ in
            plan.beginBurst()
            _ = plan.post(isMessage: true)
            return plan.endBurst()
        }

        #expect(empty == .nothing)
        #expect(numbered == [.summary(1, count: 1), .summary(2, count: 1)])
    }

    @Test func `a burst that begins again goes on`() {
        for stage in [Stage.burst, .burstInHeap] {
            var plan = plan(at: stage)
            plan.beginBurst()

            #expect(plan.endBurst() == .summary(1, count: 1))
        }
    }

    @Test func `a heap is posted one by one, and in a burst counted as far as it is wanted`() {
        let outcomes = Stage.allCases.map { stage in
            var plan = plan(at: stage)
            var isAsked = false
            let outcome = plan.beginHeap(second) {
                isAsked = true
                return 5
            }
            return (outcome, isAsked, plan.endBurst())
        }

        #expect(outcomes.map(\.0) == [.postEach, .postEach, .counted, .counted])
        #expect(outcomes.map(\.1) == [false, false, true, true])
        #expect(
            outcomes.map(\.2) == [.nothing, .nothing, .summary(1, count: 6), .summary(1, count: 6)])
    }

    @Test func `the preferences of a heap hold until it is over, whatever becomes of a burst`() {
        let begun = Stage.allCases.map { plan(at: $0).preferences }
        let afterBurst = Stage.allCases.map { stage in
            var plan = plan(at: stage)
            _ = plan.endBurst()
            return plan.preferences
        }
        let afterHeap = Stage.allCases.map { stage in
            var plan = plan(at: stage)
            plan.endHeap()
            return plan.preferences
        }

        #expect(begun == [nil, first, nil, first])
        #expect(afterBurst == begun)
        #expect(afterHeap == [nil, nil, nil, nil])
    }

    @Test func `a burst outlives the heap in which it began`() {
        var plan = plan(at: .burstInHeap)
        plan.endHeap()

        #expect(plan.post(isMessage: true) == .counted)
        #expect(plan.endBurst() == .summary(1, count: 2))
    }

    @Test func `a dropped burst has no summary, and leaves a heap as it was`() {
        for stage in Stage.allCases {
            var plan = plan(at: stage)
            let preferences = plan.preferences
            plan.dropBurst()

            #expect(plan.endBurst() == .nothing)
            #expect(plan.post(isMessage: true) == .show)
            #expect(plan.preferences == preferences)
        }
    }
}

/// The state in which drafts may be stored, and the drafts that are kept.
@Suite struct DraftKeepingTests {
    private enum Stage: CaseIterable {
        case unread, reading, kept
    }

    private func keeping(at stage: Stage) -> DraftKeeping {
        var keeping = DraftKeeping()
        if stage != .unread { _ = keeping.beginReading() }
        if stage == .kept { keeping.read(NotificationDrafts()) }
        return keeping
    }

    @Test func `stored drafts are read once`() {
        let begun = Stage.allCases.map { stage in
            var keeping = keeping(at: stage)
            return keeping.beginReading()
        }

        #expect(begun == [true, false, false])
    }

    @Test func `drafts are stored only when the stored ones were read, one task behind the other`() {
        for stage in Stage.allCases {
            var keeping = keeping(at: stage)
            var previous: [Bool] = []
            for _ in 0..<2 {
                keeping.store { _, task in
                    previous.append(task != nil)
                    return Task {}
                }
            }

            #expect(previous == (stage == .kept ? [false, true] : []))
            #expect((keeping.storing != nil) == (stage == .kept))
        }
    }

    @Test func `a draft is kept in every state, and returned once`() {
        for stage in Stage.allCases {
            var keeping = keeping(at: stage)
            keeping.change { $0.save("hi", for: .numbered(1)) }
            let taken = (0..<2).map { _ in keeping.change { $0.take(for: .numbered(1)) } }

            #expect(taken == ["hi", nil])
        }
    }

    @Test func `stored drafts count once, where they are being read, and a new one replaces the old`() {
        var stored = NotificationDrafts()
        stored.save("old", for: .numbered(1))
        stored.save("other", for: .numbered(2))
        for stage in Stage.allCases {
            var keeping = keeping(at: stage)
            keeping.change { $0.save("new", for: .numbered(1)) }
            keeping.read(stored)
            let taken = [1, 2].map { number in keeping.change { $0.take(for: .numbered(number)) } }

            #expect(taken == ["new", stage == .reading ? "other" : nil])
        }
    }
}

/// Values that a service of notifications remembers.
@Suite struct ShownNotificationsTests {
    @Test func `a conversation has its ids once, without those that were closed, and at most a hundred`() {
        var shown = ShownNotifications()
        for number in 1...102 { shown.add(request("\(number)", in: "contact-a")) }
        shown.add(request("other", in: "contact-b"))
        shown.forget(id: "102")
        let ids = shown.forget(group: "contact-a")

        #expect(ids == (3...101).map(String.init))
        #expect(shown.forget(group: "contact-a") == [])
        #expect(shown.forget(group: "contact-b") == ["other"])
    }

    private func request(_ id: String, in group: String) -> NotificationRequest {
        NotificationRequest(
            id: id, category: .directMessage, title: "Ann", body: "hi", subject: .device, group: group)
    }

    @Test func `a battery is low once until it has risen over the threshold by the hysteresis`() {
        var batteries = LowBatteries()
        batteries.threshold = 3000
        batteries.hysteresis = 50
        let other = batteries.note(2000, of: .numbered(2))
        let warnings = [3000, 2999, 2900, 3049, 2999, 3050, 2999].map { batteries.note($0, of: .numbered(1)) }

        #expect(warnings == [false, true, false, false, false, false, true])
        #expect(other, "another radio has its own")
    }
}
