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

    // MARK: Writing

    /// Returns the steps for a write that the radio refuses with these codes.
    ///
    /// "+" adds the contact, numbers are pauses in milliseconds, "w" is a write.
    private func writes(_ plan: SendPlan, refusedBy codes: [ErrorCode]) -> String {
        var plan = plan
        var line = plan.beginning == .addContact ? "+w" : "w"
        for code in codes {
            switch plan.refused(code) {
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

        #expect(writes(SendPlan(policy: policy, isOnRadio: true), refusedBy: full) == "w 500 w 1000 w 2000 w not-sent")
        #expect(writes(SendPlan(channel: policy), refusedBy: full) == "w 500 w 1000 w 2000 w not-sent")
    }

    @Test func `a radio gets a contact that it lacks once for each write`() {
        let missing: [ErrorCode] = [.notFound, .tableFull, .notFound]

        #expect(
            writes(SendPlan(policy: policy, isOnRadio: true), refusedBy: missing) == "w+w 500 w contact-not-found")
        #expect(writes(SendPlan(policy: policy, isOnRadio: false), refusedBy: missing) == "+w contact-not-found")
        #expect(writes(SendPlan(channel: policy), refusedBy: missing) == "w channel-not-found")
    }

    @Test func `any other refusal is final`() {
        #expect(writes(SendPlan(policy: policy, isOnRadio: true), refusedBy: [.illegalArg]) == "w refused")
        #expect(writes(SendPlan(channel: policy), refusedBy: [.badState]) == "w refused")
    }

    // MARK: Failures

    private static let lost = SessionError.connectionLost("it was closed")
    private static let silent = SessionError.timeout(.sendTxtMsg, after: .seconds(5))

    private func fates(of error: any Error, _ unfinished: MessagePolicy.UnfinishedSends) -> [SendPlan.Fate] {
        var policy = policy
        policy.unfinishedSends = unfinished
        return SendPlan.Stage.allCases.map { SendPlan.fate(of: error, at: $0, policy) }
    }

    @Test func `a lost link leaves messages queued or sent, or fails them, as the profile says`() {
        #expect(fates(of: Self.lost, .keep) == [.queue, .queue, .leaveSent, .queue])
        #expect(
            fates(of: Self.lost, .fail)
                == [.fail(isFinal: true), .fail(isFinal: true), .fail(isFinal: false), .fail(isFinal: true)])
    }

    @Test func `what is called off is kept whatever the profile says`() {
        for unfinished in [MessagePolicy.UnfinishedSends.keep, .fail] {
            #expect(fates(of: CancellationError(), unfinished) == [.queue, .queue, .leaveSent, .queue])
        }
    }

    @Test func `without an answer a first attempt may have been taken, and any other error fails a message`() {
        let refused = SessionError.refused(.sendTxtMsg, .illegalArg)

        #expect(
            fates(of: Self.silent, .keep)
                == [.queue, .failUnlessConfirmed, .fail(isFinal: false), .fail(isFinal: true)])
        #expect(
            fates(of: refused, .keep)
                == [.queue, .fail(isFinal: true), .fail(isFinal: false), .fail(isFinal: true)])
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
