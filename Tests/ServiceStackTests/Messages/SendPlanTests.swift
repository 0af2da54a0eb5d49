import Foundation
import MeshCompanion
import MeshCore
import MeshTestSupport
import Testing

@testable import PocketMeshServices

/// The decisions of plans, without any time passing.
///
/// They are about messages that a radio does not accept at once, the distance of texts, and the order of a queue.
@Suite struct SendPlanTests {
    private let policy = StackProfile.architectureV2.messages

    // MARK: Ways

    /// The states of a way, in the order of the drawing.
    private enum Stage: CaseIterable {
        case queued, firstWrite, waiting, pausing, laterWrite, over
    }

    private static let sent = MessageSentInfo(route: 0, tag: 1, timeout: 100)

    private func way(_ attempts: Int = 3, isOnRadio: Bool = true, _ policy: MessagePolicy? = nil) -> SendPlan {
        var policy = policy ?? self.policy
        policy.retry.maxAttempts = attempts
        return SendPlan(
            RetryPlan(policy: policy.retry, hasPath: false, textBytes: 5), policy: policy, isOnRadio: isOnRadio)
    }

    /// Returns a way of several attempts that has reached a state.
    private func way(at stage: Stage, _ policy: MessagePolicy? = nil) -> SendPlan {
        var way = way(3, policy)
        if stage == .queued { return way }
        if stage == .over {
            way.end()
            return way
        }
        _ = way.write()
        if stage == .firstWrite { return way }
        _ = way.accepted(Self.sent)
        if stage == .waiting { return way }
        _ = way.unconfirmed()
        if stage == .pausing { return way }
        _ = way.write()
        return way
    }

    /// Returns the steps that a way accepts, as one word each: w(rite), r(efused), a(ccepted), u(nconfirmed).
    private func accepted(at stage: Stage) -> String {
        var line = ""
        var written = way(at: stage)
        if written.write() != .nothing { line += "w" }
        var refused = way(at: stage)
        if refused.refused(.notFound) != nil { line += "r" }
        var taken = way(at: stage)
        if taken.accepted(Self.sent) != nil { line += "a" }
        var unconfirmed = way(at: stage)
        if unconfirmed.unconfirmed() != .nothing { line += "u" }
        return line
    }

    @Test func `each state accepts its own steps, and refuses all others`() {
        #expect(Stage.allCases.map { accepted(at: $0) } == ["w", "ra", "u", "w", "ra", ""])
    }

    @Test func `a refused step leaves the state as it was`() {
        for stage in Stage.allCases {
            var way = way(at: stage)
            let steps = accepted(at: stage)
            if !steps.contains("w") { _ = way.write() }
            if !steps.contains("r") { _ = way.refused(.tableFull) }
            if !steps.contains("a") { _ = way.accepted(Self.sent) }
            if !steps.contains("u") { _ = way.unconfirmed() }

            let outcome = way.stopped(by: CancellationError())
            let expected: SendPlan.OnStopped =
                switch stage {
                case .queued, .firstWrite: .queue
                case .waiting, .pausing, .laterWrite: .leaveSent
                case .over: .nothing
                }
            #expect(outcome == expected, "\(stage)")
        }
    }

    @Test func `a message is written as often as its policy says, and then has failed`() {
        var way = way(3)
        var numbers: [UInt8] = []
        var end = SendPlan.OnUnconfirmed.nothing
        while case .write(let attempt, nil) = way.write() {
            numbers.append(attempt.number)
            _ = way.accepted(Self.sent)
            end = way.unconfirmed()
        }

        #expect(numbers == [0, 1, 2])
        #expect(end == .giveUp)
        #expect(way.unconfirmed() == .nothing)
    }

    @Test func `the attempt after a wait is announced before its pause, and written after it`() {
        var way = way(at: .waiting)

        guard case .retry(let attempt) = way.unconfirmed() else {
            Issue.record("there are attempts left")
            return
        }
        #expect(attempt.number == 1)
        #expect(way.write() == .write(attempt, after: nil))
    }

    @Test func `the wait for a confirmation is the one of the policy`() {
        var attempts = RetryPlan(policy: policy.retry, hasPath: false, textBytes: 5)
        let expected = attempts.sent(Self.sent)
        var way = SendPlan(
            RetryPlan(policy: policy.retry, hasPath: false, textBytes: 5), policy: policy, isOnRadio: true)
        _ = way.write()

        #expect(way.accepted(Self.sent) == expected)
    }

    @Test func `a message that waits is handed over with its attempts, and none in another state is`() {
        let counts = Stage.allCases.map { way(at: $0).handOver()?.attempts }

        #expect(counts == [nil, nil, 1, nil, nil, nil])
    }

    @Test func `a message of an earlier connection goes on from its wait`() {
        let attempts = RetryPlan(policy: policy.retry, hasPath: false, textBytes: 5, attempts: 2)
        var way = SendPlan(sent: attempts, policy: policy, isOnRadio: true)

        #expect(way.write() == .nothing)
        #expect(way.unconfirmed() == attempts.next.map(SendPlan.OnUnconfirmed.retry))
    }

    @Test func `a channel message has one attempt`() {
        var way = SendPlan(channel: policy)
        let first = way.write()
        let second = way.write()

        #expect(first != .nothing)
        #expect(second == .nothing)
    }

    // MARK: Writing

    /// Returns the steps for a write that the radio refuses with these codes.
    ///
    /// "+" adds the contact, numbers are pauses in milliseconds, "w" is a write.
    private func writes(_ way: consuming SendPlan, refusedBy codes: [ErrorCode]) -> String {
        guard case .write(_, let step) = way.write() else { return "" }
        var line = step == .addContact ? "+w" : "w"
        for code in codes {
            switch way.refused(code) {
            case .addContact: line += "+w"
            case .pause(let pause): line += " \(Int(pause / .milliseconds(1))) w"
            case .giveUp(let error): return line + " \(error.code)"
            case nil: return line + " refused"
            }
        }
        return line
    }

    @Test func `a radio without room is asked again three times, then the message fails`() {
        let full = Array(repeating: ErrorCode.tableFull, count: 9)

        #expect(writes(way(), refusedBy: full) == "w 500 w 1000 w 2000 w not-sent")
        #expect(writes(SendPlan(channel: policy), refusedBy: full) == "w 500 w 1000 w 2000 w not-sent")
    }

    @Test func `a radio gets a contact that it lacks once for each write`() {
        let missing: [ErrorCode] = [.notFound, .tableFull, .notFound]

        #expect(writes(way(), refusedBy: missing) == "w+w 500 w contact-not-found")
        #expect(writes(way(isOnRadio: false), refusedBy: missing) == "+w contact-not-found")
        #expect(writes(SendPlan(channel: policy), refusedBy: missing) == "w channel-not-found")
    }

    @Test func `a later attempt has the pauses and the contact anew`() {
        var way = way()
        _ = way.write()
        let first = [way.refused(.notFound), way.refused(.tableFull)]
        _ = way.accepted(Self.sent)
        _ = way.unconfirmed()
        _ = way.write()
        let later = [way.refused(.notFound), way.refused(.tableFull)]

        #expect(first == [.addContact, .pause(.milliseconds(500))])
        #expect(later == first)
    }

    @Test func `any other refusal is final`() {
        #expect(writes(way(), refusedBy: [.illegalArg]) == "w refused")
        #expect(writes(SendPlan(channel: policy), refusedBy: [.badState]) == "w refused")
    }

    // MARK: Failures

    private static let lost = SessionError.connectionLost("it was closed")
    private static let silent = SessionError.timeout(.sendTxtMsg, after: .seconds(5))

    /// Returns the outcomes of an error: at the turn, the first write, a later one, and the write to a channel.
    private func outcomes(
        of error: any Error, _ unfinished: MessagePolicy.UnfinishedSends
    ) -> [SendPlan.OnStopped] {
        var policy = policy
        policy.unfinishedSends = unfinished
        var outcomes: [SendPlan.OnStopped] = []
        for stage in [Stage.queued, .firstWrite, .laterWrite] {
            var way = way(at: stage, policy)
            outcomes.append(way.stopped(by: error))
        }
        var channel = SendPlan(channel: policy)
        _ = channel.write()
        return outcomes + [channel.stopped(by: error)]
    }

    @Test func `a lost link leaves messages queued or sent, or fails them, as the profile says`() {
        #expect(outcomes(of: Self.lost, .keep) == [.queue, .queue, .leaveSent, .queue])
        #expect(
            outcomes(of: Self.lost, .fail)
                == [.fail(isFinal: true), .fail(isFinal: true), .fail(isFinal: false), .fail(isFinal: true)])
    }

    @Test func `what is called off is kept whatever the profile says`() {
        for unfinished in [MessagePolicy.UnfinishedSends.keep, .fail] {
            #expect(outcomes(of: CancellationError(), unfinished) == [.queue, .queue, .leaveSent, .queue])
        }
    }

    @Test func `without an answer a first attempt may have been taken, and any other error fails a message`() {
        let refused = SessionError.refused(.sendTxtMsg, .illegalArg)

        #expect(
            outcomes(of: Self.silent, .keep)
                == [.queue, .failUnlessConfirmed, .fail(isFinal: false), .fail(isFinal: true)])
        #expect(
            outcomes(of: refused, .keep)
                == [.queue, .fail(isFinal: true), .fail(isFinal: false), .fail(isFinal: true)])
    }

    @Test func `a channel message fails before its turn where a direct one is kept, except for a lost link`() {
        var refused = SendPlan(channel: policy)
        var lost = SendPlan(channel: policy)

        #expect(refused.stopped(by: SessionError.refused(.sendTxtMsg, .illegalArg)) == .fail(isFinal: true))
        #expect(lost.stopped(by: Self.lost) == .queue)
    }

    @Test func `a message that the radio has stays sent under every profile, unless the store fails`() {
        for unfinished in [MessagePolicy.UnfinishedSends.keep, .fail] {
            var policy = policy
            policy.unfinishedSends = unfinished
            for stage in [Stage.waiting, .pausing] {
                var ended = way(at: stage, policy)
                var broken = way(at: stage, policy)

                #expect(ended.stopped(by: StackError(.messages, .notConnected)) == .leaveSent)
                #expect(broken.stopped(by: StackError(.store, .deviceNotFound)) == .fail(isFinal: false))
            }
        }
    }

    @Test func `a way that an error has ended is over, except where a confirmation may have come`() {
        var lost = way(at: .firstWrite)
        _ = lost.stopped(by: Self.lost)
        var silent = way(at: .firstWrite)
        _ = silent.stopped(by: Self.silent)

        #expect(lost.stopped(by: Self.lost) == .nothing)
        #expect(lost.handOver() == nil)
        #expect(silent.handOver()?.attempts == 0)
    }

    // MARK: Spacing

    private let bob = UUID()
    private let carol = UUID()
    private let texts = (0..<3).map { _ in UUID() }

    @Test func `a text rests behind the one before it to the same recipient only`() {
        var plan = SpacingPlan()
        plan.begin(behind: texts[0], to: bob, until: .seconds(5))

        #expect(plan.follow(bob, by: texts[1], at: .seconds(2)) == .seconds(3))
        #expect(plan.follow(carol, by: texts[2], at: .seconds(2)) == nil)
        plan.pass(bob)
        #expect(plan.follow(bob, by: texts[2], at: .seconds(2)) == nil)
    }

    @Test func `the last word on a text ends the rest behind it, and wakes who waits for it`() {
        var plan = SpacingPlan()
        plan.begin(behind: texts[0], to: bob, until: .seconds(5))
        #expect(plan.end(behind: texts[0]) == nil)
        #expect(plan.follow(bob, by: texts[1], at: .zero) == nil)

        plan.begin(behind: texts[0], to: bob, until: .seconds(5))
        _ = plan.follow(bob, by: texts[1], at: .zero)
        #expect(plan.end(behind: texts[2]) == nil)
        #expect(plan.end(behind: texts[0]) == texts[1])
        #expect(plan.end(behind: texts[0]) == nil)
    }

    @Test func `a later text begins the rest anew`() {
        var plan = SpacingPlan()
        plan.begin(behind: texts[0], to: bob, until: .seconds(5))
        plan.begin(behind: texts[1], to: bob, until: .seconds(9))

        #expect(plan.end(behind: texts[0]) == nil)
        #expect(plan.follow(bob, by: texts[2], at: .zero) == .seconds(9))
    }

    // MARK: Queue

    private func entry(
        _ messageID: UUID, at created: TimeInterval = 1000, timestamp: UInt32? = nil
    ) -> PendingSendDTO {
        PendingSendDTO(
            order: 1, messageID: messageID, deviceID: bob, kind: .direct, target: carol, text: "hi",
            timestamp: timestamp, createdAt: Date(timeIntervalSince1970: created))
    }

    @Test func `each message of a queue is tried once, in order, those that come meanwhile in another round`() {
        var plan = QueuePlan()
        let first = plan.round([entry(texts[0]), entry(texts[1])]).map(\.messageID)
        let second = plan.round([entry(texts[1]), entry(texts[2])]).map(\.messageID)

        #expect(first == [texts[0], texts[1]])
        #expect(second == [texts[2]])
        let third = plan.round([entry(texts[1]), entry(texts[2])])
        #expect(third.isEmpty)
    }

    @Test func `a refused message does not end a queue, and the loss of the link does`() {
        var plan = QueuePlan()
        let goesOn = [DirectSend.Launch.sent(wait: .seconds(5)), .obsolete, .parked].map { plan.goesOn(behind: $0) }

        #expect(goesOn == [true, true, false])
        #expect(plan.count == 1)
        #expect(QueuePlan.goesOn(behind: StackError(.messages, .contactNotFound)))
        #expect(!QueuePlan.goesOn(behind: Self.lost))
        #expect(!QueuePlan.goesOn(behind: StackError(.messages, .notConnected)))
        #expect(!QueuePlan.goesOn(behind: CancellationError()))
    }

    @Test func `a queued message bears the time of its composition for a day, and what was sent keeps its own`() {
        func stamp(_ entry: PendingSendDTO, after age: TimeInterval) -> QueuePlan.Stamp {
            let now = Date(timeIntervalSince1970: 1000 + age)
            return QueuePlan.stamp(entry, composed: 1000, now: now, seconds: UInt32(1000 + age), .seconds(86_400))
        }

        #expect(stamp(entry(texts[0]), after: 86_399) == .reserve(at: 1000))
        #expect(stamp(entry(texts[0]), after: 86_400) == .reserve(at: 87_400))
        #expect(stamp(entry(texts[0], timestamp: 1007), after: 90_000) == .same(1007))
    }
}
