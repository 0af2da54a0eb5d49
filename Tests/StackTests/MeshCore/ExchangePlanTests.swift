import MeshCompanion
import MeshWire
import Testing

@testable import MeshCore

/// The role of a radio's frames for the command that waits, without any time passing.
@Suite struct ExchangePlanTests {
    private static let ok = ReceivedFrame([0])
    private static let time = ReceivedFrame(Resp.CurrTime(epoch: 3).encoded())
    private static let contact = ReceivedFrame(Fixture.frame(Fixture.contact(2)))

    private static let refusal = ReceivedFrame([1, 6])
    private static func sent(_ tag: UInt32) -> ReceivedFrame { ReceivedFrame(Fixture.sent(tag)) }

    private static func limits(total: Duration? = nil) -> ExchangeLimits {
        ExchangeLimits(pause: .seconds(5), total: total) { _ in .timeout(.getDeviceTime, after: .zero) }
    }

    private static let turn: AsyncSemaphore.Turn = {
        guard let turn = try? AsyncSemaphore().passAtOnce() else { preconditionFailure("a new semaphore is free") }
        return turn
    }()

    /// A plan that waits for the answer to a command, and its decisions as words.
    private final class Timeline {
        private var plan: ExchangePlan

        init(lateAnswerWindow: Duration = .seconds(1)) {
            plan = ExchangePlan(lateAnswerWindow: lateAnswerWindow)
        }

        var due: Duration? { plan.due }

        func begin(_ command: CommandCode, at seconds: Double, _ limits: ExchangeLimits = ExchangePlanTests.limits()) {
            plan.begin(exchange(command, limits), at: .seconds(seconds))
        }

        private func exchange(_ command: CommandCode, _ limits: ExchangeLimits) -> Exchange {
            Exchange(
                number: plan.number(), turn: ExchangePlanTests.turn, command: command, limits: limits,
                take: { _ in .ignored }, fail: { _ in })
        }

        var waiting: Int? { plan.exchange?.number }

        func frame(_ frame: ReceivedFrame) -> String {
            switch plan.place(frame) {
            case .nobodys: return "nobody's"
            case .noise: return "noise"
            case .held(let late): return "held" + (late == nil ? "" : ", the one before was late")
            case .candidate(let late): return "for the command" + (late == nil ? "" : ", the one before was late")
            }
        }

        func notePart(at seconds: Double) { plan.notePart(at: .seconds(seconds)) }

        /// Ends a command, by default the one that waits; returns whether it waited.
        @discardableResult
        func end(_ number: Int? = nil) -> Bool { plan.end(number ?? waiting ?? 0) != nil }

        func reset() -> Int? { plan.reset()?.number }

        /// Returns the steps that are due before a frame is looked at.
        func overdue(at seconds: Double) -> [String] { steps { plan.overdue(at: .seconds(seconds)) } }

        /// Returns the due steps; the command accepts no frame.
        func wake(at seconds: Double) -> [String] { steps { plan.next(at: .seconds(seconds)) } }

        private func steps(_ next: () -> ExchangePlan.Step?) -> [String] {
            var steps: [String] = []
            while let step = next() {
                switch step {
                case .judge: steps.append("for the command")
                case .expired(_, let limit): steps.append("over after \(limit)")
                }
            }
            return steps
        }

        /// Lets a command time out.
        func lose(_ command: CommandCode, at seconds: Double, _ limits: ExchangeLimits = ExchangePlanTests.limits()) {
            begin(command, at: seconds, limits)
            _ = wake(at: seconds + 5)
        }
    }

    @Test func `only what the table foresees is for the command`() {
        let line = Timeline()
        #expect(line.frame(Self.time) == "nobody's", "no command waits")
        line.begin(.getDeviceTime, at: 0)

        #expect(line.frame(Self.ok) == "nobody's")
        #expect(line.frame(Self.refusal) == "nobody's", "this command is never refused")
        #expect(line.frame(ReceivedFrame([0xEE, 1])) == "nobody's")
        #expect(line.frame(Self.time) == "for the command")
        line.end()
        #expect(line.frame(Self.time) == "nobody's")

        line.begin(.setRadioTxPower, at: 1)
        #expect(line.frame(ReceivedFrame([0, 1, 2, 3, 4])) == "noise")
        #expect(line.frame(Self.refusal) == "for the command")
    }

    @Test func `a command waits for five seconds, and each part of an answer begins them anew`() {
        let line = Timeline()
        line.begin(.getContacts, at: 0, Self.limits(total: .seconds(12)))

        #expect(line.due == .seconds(5))
        #expect(line.wake(at: 4.999) == [])
        for second in [4, 8] as [Double] {
            #expect(line.frame(Self.contact) == "for the command")
            line.notePart(at: second)
        }
        #expect(line.due == .seconds(12), "and all parts have an end")
        #expect(line.wake(at: 11.9) == [])
        #expect(line.wake(at: 12) == ["over after 12.0 seconds"])
        #expect(line.due == nil)
    }

    @Test func `what comes at the end of the whole comes too late`() {
        let line = Timeline()
        line.begin(.getContacts, at: 0, Self.limits(total: .seconds(4)))

        #expect(line.overdue(at: 3.9) == [])
        #expect(line.overdue(at: 4) == ["over after 4.0 seconds"])
        #expect(line.frame(Self.contact) == "nobody's")
    }

    @Test func `of two answers behind a time-out the first is late`() {
        let line = Timeline()
        line.lose(.setAdvertName, at: 0)
        line.begin(.setRadioTxPower, at: 5)

        #expect(line.due == .seconds(6))
        #expect(line.frame(Self.ok) == "held")
        #expect(line.frame(Self.refusal) == "for the command, the one before was late")
    }

    @Test func `one answer behind a time-out is taken when no other follows within a second`() {
        let line = Timeline()
        line.lose(.setAdvertName, at: 0)
        line.begin(.setAdvertName, at: 5)

        #expect(line.frame(Self.ok) == "held")
        #expect(line.wake(at: 5.9) == [])
        #expect(line.wake(at: 6) == ["for the command"])
        #expect(line.frame(Self.ok) == "for the command", "nothing is doubted any more")
    }

    @Test func `a frame that is held when time is up is judged first`() {
        let line = Timeline(lateAnswerWindow: .seconds(60))
        line.lose(.setAdvertName, at: 0)
        line.begin(.setAdvertName, at: 5)

        #expect(line.frame(Self.ok) == "held")
        #expect(line.wake(at: 10) == ["for the command", "over after 5.0 seconds"])
    }

    @Test func `only kinds of answers that are owed are doubted, and by the next command only`() {
        let line = Timeline()
        line.lose(.getDeviceTime, at: 0)
        line.begin(.setAdvertName, at: 5)
        #expect(line.frame(Self.ok) == "for the command")
        line.end()

        line.begin(.getDeviceTime, at: 6)
        #expect(line.frame(Self.time) == "for the command")
    }

    @Test func `an answer that tells whose it is is not doubted`() {
        let line = Timeline()
        line.lose(.getDeviceTime, at: 0)
        var limits = Self.limits()
        limits.isTelling = true
        line.begin(.getDeviceTime, at: 5, limits)

        #expect(line.frame(Self.time) == "for the command")
    }

    @Test func `where an answer shows whose it is, all others are late, however many and whenever they come`() {
        func text(_ tag: UInt32) -> ExchangeLimits {
            var limits = Self.limits()
            limits.isOwn = { ($0 as? Resp.Sent)?.tag == tag }
            return limits
        }
        let line = Timeline()
        line.lose(.sendTxtMsg, at: 0, text(1))
        line.lose(.sendTxtMsg, at: 5, text(2))
        line.lose(.getDeviceTime, at: 10)
        line.begin(.sendTxtMsg, at: 15, text(3))

        #expect(line.wake(at: 16) == [], "a link that stalls brings them whenever it goes on")
        #expect(line.frame(Self.sent(1)) == "held")
        #expect(line.frame(Self.sent(2)) == "held, the one before was late")
        #expect(line.frame(Self.sent(3)) == "for the command, the one before was late")
        line.end()
        line.begin(.sendTxtMsg, at: 17, text(4))
        #expect(line.frame(Self.sent(3)) == "for the command", "none of the earlier ones is left")
    }

    @Test func `at a radio with other apps an answer is held until the own one comes, and judged when none does`() {
        var limits = Self.limits()
        limits.isOwn = { ($0 as? Resp.Sent)?.tag == 3 }
        limits.isShared = true
        let line = Timeline()
        line.begin(.sendTxtMsg, at: 0, limits)

        #expect(line.frame(Self.sent(1)) == "held")
        #expect(line.wake(at: 4.9) == [], "the own one may come behind a listing")
        #expect(line.frame(Self.sent(3)) == "for the command, the one before was late")
        line.end()
        line.begin(.sendTxtMsg, at: 10, limits)
        #expect(line.frame(Self.refusal) == "for the command")
        line.end()
        line.begin(.sendTxtMsg, at: 20, limits)
        #expect(line.frame(Self.sent(1)) == "held")
        #expect(line.wake(at: 25) == ["for the command", "over after 5.0 seconds"])
    }

    // MARK: Transitions

    /// Timelines in the three states of a plan.
    private static var states: [(name: String, line: Timeline)] {
        let states = ["idle", "waiting", "doubting"].map { (name: $0, line: Timeline()) }
        states[1].line.begin(.setAdvertName, at: 5)
        states[2].line.lose(.setAdvertName, at: 0)
        states[2].line.begin(.setAdvertName, at: 5)
        return states
    }

    @Test func `without a command nothing ends, nothing is due and no frame is its answer`() {
        let line = Timeline()
        line.notePart(at: 1)

        #expect(line.due == nil)
        #expect(line.waiting == nil)
        #expect(line.wake(at: 100) == [])
        #expect(line.overdue(at: 100) == [])
        #expect(line.frame(Self.ok) == "nobody's")
        let hasEnded = line.end(1)
        #expect(!hasEnded)
        #expect(line.reset() == nil)
    }

    @Test func `only the command that waits can end`() {
        for (name, line) in Self.states where name != "idle" {
            let number = line.waiting ?? 0
            let hasEndedOther = line.end(number + 1)
            #expect(!hasEndedOther, "\(name)")
            #expect(line.waiting == number, "\(name)")

            let hasEnded = line.end(number)
            #expect(hasEnded, "\(name)")
            #expect(line.waiting == nil, "\(name)")
            #expect(line.due == nil, "\(name)")
        }
    }

    @Test func `a frame is for the command that waits, is held where one is owed, and is nobody's without one`() {
        let places = Self.states.map { $0.line.frame(Self.ok) }

        #expect(places == ["nobody's", "for the command", "held"])
    }

    @Test func `a frame of another kind changes nothing in any state`() {
        for (name, line) in Self.states {
            let (number, due) = (line.waiting, line.due)
            #expect(line.frame(Self.time) == "nobody's", "\(name)")
            #expect(line.waiting == number, "\(name)")
            #expect(line.due == due, "\(name)")
        }
    }

    @Test func `a part begins the pause anew, in doubt as well`() {
        for (name, line) in Self.states where name != "idle" {
            line.notePart(at: 9)
            #expect(line.wake(at: 13.9) == [], "\(name)")
            #expect(line.wake(at: 14) == ["over after 5.0 seconds"], "\(name)")
        }
    }

    @Test func `the loss of the link forgets the command and all that is owed`() {
        for (name, line) in Self.states {
            let number = line.waiting
            #expect(line.reset() == number, "\(name)")
            line.begin(.setAdvertName, at: 20)
            #expect(line.frame(Self.ok) == "for the command", "\(name)")
        }
    }
}
