import Foundation
import MeshCompanion
import MeshCore
import MeshTestSupport
import MeshTime
import MeshVirtualTime
import StackTestSupport
import Testing

@testable import PocketMeshServices

/// The parts of sending that decide and do not wait.
@Suite struct DecisionTests {
    // MARK: Ledger

    private let one = UUID()
    private let two = UUID()

    private func ledger() -> ConfirmationLedger {
        ConfirmationLedger(repeatWindow: .seconds(60), earlyWindow: .seconds(10))
    }

    private func attempt(_ code: UInt32, at seconds: Int = 0) -> ConfirmationLedger.Attempt {
        .init(code: code, writtenAt: .seconds(seconds), isFlood: false)
    }

    @Test(.proves("SVC-103")) func `an early confirmation is claimed for ten seconds`() {
        for (seconds, isClaimed) in [(10, true), (11, false)] {
            var ledger = ledger()
            ledger.open(one, isLooped: true)
            let early = ledger.confirm(7, tripTime: nil, at: .seconds(1))
            let now = Duration.seconds(1 + seconds)
            let verdict = ledger.add(attempt(7), to: one, deadline: now, now: now)

            #expect(early == .unknown)
            #expect(verdict == (isClaimed ? .delivered(.init(messageID: one, code: 7, roundTripTime: 1000)) : .unknown))
        }
    }

    @Test(.proves("SVC-096", "SVC-102")) func `any attempt delivers once, then repeats count for a minute`() {
        var ledger = ledger()
        ledger.open(one, isLooped: true)
        ledger.open(two, isLooped: false)
        _ = ledger.add(attempt(1), to: one, deadline: .seconds(5), now: .zero)
        _ = ledger.add(attempt(2, at: 5), to: one, deadline: .seconds(10), now: .seconds(5))
        _ = ledger.add(attempt(3), to: two, deadline: .seconds(5), now: .zero)

        let first = ledger.confirm(1, tripTime: nil, at: .seconds(7))
        let repeated = ledger.confirm(2, tripTime: 5, at: .seconds(66))
        let tooLate = ledger.confirm(2, tripTime: 5, at: .seconds(67))
        let stranger = ledger.confirm(9, tripTime: 5, at: .seconds(8))
        let mayFail = ledger.fail(one, lateUntil: .seconds(99))

        #expect(first == .delivered(.init(messageID: one, code: 1, roundTripTime: 7000)))
        #expect([repeated, tooLate, stranger] == [.repeated(one), .unknown, .unknown])
        #expect(ledger[one]?.roundTripTime == 7000)
        // Only the one without a loop expires.
        #expect(ledger.expired(at: .seconds(4)) == [])
        #expect(ledger.expired(at: .seconds(5)) == [two])
        #expect(!mayFail)
    }

    @Test(.proves("SVC-R-028", "SVC-R-030"))
    func `a failed message may be confirmed for a while, a closed one never`() {
        var ledger = ledger()
        var mayFail: [Bool] = []
        for id in [one, two] {
            ledger.open(id, isLooped: true)
            _ = ledger.add(attempt(id == one ? 1 : 2), to: id, deadline: .zero, now: .zero)
            mayFail.append(ledger.fail(id, lateUntil: .seconds(60)))
        }
        ledger.close(two)
        let closed = ledger.confirm(2, tripTime: 1, at: .seconds(1))
        let late = ledger.confirm(1, tripTime: 1, at: .seconds(59))
        ledger.clean(at: .seconds(500))

        #expect(mayFail == [true, true])
        #expect(closed == .unknown)
        #expect(late == .delivered(.init(messageID: one, code: 1, roundTripTime: 1)))
        #expect(ledger.entries.isEmpty)
    }

    @Test(.proves("SVC-R-034")) func `equal texts never have one second`() {
        var register = TimestampRegister()
        var times = ["a", "a", "b", "a"].map { register.reserve($0, at: 100) }
        register.note("c", 100)
        times += [register.reserve("c", at: 99), register.reserve("c", at: 99)]

        #expect(times == [100, 101, 100, 102, 99, 101])
    }

    @Test func `the last second that a text can have is followed by the first`() {
        var register = TimestampRegister()

        #expect(["a", "a", "b"].map { register.reserve($0, at: .max) } == [.max, 0, .max])
    }

    // MARK: Plan

    @Test func `the presets of retries are those of the profiles, name by name`() {
        #expect(RetryPolicy.presets.map(\.name) == StackProfile.presets.map(\.name))
        #expect(RetryPolicy.presets.map(\.policy) == StackProfile.presets.map(\.profile.messages.retry))
    }

    @Test(.proves("SVC-097")) func `a suggestion beyond belief is none`() {
        let policy = StackProfile.architectureV2.messages.retry
        let waits = [0, 1, 3_600_000, 3_600_001, .max].map { policy.wait(suggested: $0) }

        #expect(waits == [.seconds(30), .microseconds(1200), .seconds(4320), .seconds(30), .seconds(30)])
    }

    @Test(.proves("SVC-098", "SVC-099", "SVC-100", "SVC-104"))
    func `each preset plans its attempts as its policy says`() {
        func plan(_ profile: StackProfile, _ hasPath: Bool, floods: Set<Int>) -> String {
            var plan = RetryPlan(policy: profile.messages.retry, hasPath: hasPath, textBytes: 5)
            var line = ""
            while let next = plan.next {
                line += next.resetsPath ? "r" : ""
                line += floods.contains(Int(next.number)) ? "f" : "d"
                _ = plan.sent(.init(route: floods.contains(Int(next.number)) ? 1 : 0, tag: 1, timeout: 100))
            }
            return line
        }
        #expect(plan(.architectureV2, true, floods: [2, 3]) == "ddrff")
        #expect(plan(.architectureV1, true, floods: [2]) == "ddrf")
        #expect(plan(.prd, true, floods: [3]) == "dddrf")
        #expect(plan(.upstreamFinal, true, floods: [4]) == "ddddrf")
        // The radio has lost the path itself: as without one.
        #expect(plan(.architectureV2, true, floods: [0, 1, 2, 3]) == "ffff")
        #expect(plan(.prd, false, floods: [0, 1, 2, 3]) == "ffff")
        // A path that comes back is used, and does not count as a flood.
        #expect(plan(.architectureV2, true, floods: [2]) == "ddrfd")
        // It goes in the middle: the second flood is the last.
        #expect(plan(.architectureV2, true, floods: [1, 2, 3]) == "dfrf")
    }

    // MARK: Gate

    @Test func `a gate lets in by order of tickets, and who leaves the line holds nobody up`() throws {
        try VirtualTime.run { clock in
            let gate = Gate(capacity: 2)
            let tickets = (0..<5).map { _ in gate.ticket() }
            let inside = Notes<Int>()
            let waits = [4, 2, 3, 0, 1].map { number in
                Task {
                    try await gate.pass(tickets[number])
                    inside.add(number)
                }
            }
            try await clock.sleep(for: .seconds(1))
            #expect(Set(inside.takeAll()) == [0, 1])
            waits[1].cancel()
            gate.leave(tickets[2])
            gate.leave(tickets[0])
            gate.leave(tickets[0])
            try await clock.sleep(for: .seconds(1))
            #expect(inside.takeAll() == [3])
            gate.close(StackError(.messages, .notConnected))
            #expect(await failure(of: .messages) { try await waits[0].value } == .notConnected)
            await #expect(throws: CancellationError.self) { try await waits[1].value }
        }
    }
}
