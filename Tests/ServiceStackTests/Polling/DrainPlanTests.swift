import MeshCompanion
import MeshCore
import MeshTestSupport
import Testing

@testable import PocketMeshServices

/// The end of emptying a radio's queue, without any time passing.
@Suite struct DrainPlanTests {
    private func plan(isAuto: Bool = false, _ change: (inout SyncPolicy) -> Void = { _ in }) -> DrainPlan {
        var policy = SyncPolicy()
        change(&policy)
        var plan = DrainPlan(policy: policy)
        plan.begin(isAuto: isAuto)
        return plan
    }

    private static func message(_ number: UInt32) -> MessageResult {
        var message = ContactMessage()
        message.timestamp = number
        return .contactMessage(ReceivedContactMessage(message: message, snr: nil))
    }

    /// Counts messages, by number, until the plan ends that: their number, and the reason for the end.
    private func take(_ plan: inout DrainPlan, _ numbers: some Sequence<UInt32>) -> String {
        for number in numbers {
            plan.note(Self.message(number))
            do {
                guard try plan.goesOn(isFetching: false) else { return "\(plan.count) taken, no more wanted" }
            } catch {
                guard case .queueDoesNotEnd(let drained, let isRepeated) = error.reason else { return "\(error)" }
                return "\(drained) drained" + (isRepeated ? ", the same again" : "")
            }
        }
        return "\(plan.count)"
    }

    @Test func `the same message sixteen times in a row ends a drain, and fifteen times do not`() {
        var plan = plan()
        let copies = Array(repeating: UInt32(7), count: 15)

        #expect(take(&plan, copies + [8] + copies) == "31")
        #expect(take(&plan, copies) == "32 drained, the same again")
        #expect(plan.isEndless)
    }

    @Test func `ten thousand messages end a drain, and the next one begins anew`() {
        var plan = plan()

        #expect(take(&plan, 1...9_999) == "9999")
        #expect(take(&plan, 1...1) == "10000 drained")
        plan.end()
        #expect(plan.isEndless)
        plan.begin(isAuto: false)
        #expect(!plan.isEndless)
        #expect(take(&plan, 1...9_999) == "9999")
    }

    @Test func `seventeen messages in a row that cannot be read end a drain, and one between them that can does not`() {
        var plan = plan()
        let first = (0..<17).map { _ in plan.dropsUnreadable() }
        plan.noteReadable()
        let second = plan.dropsUnreadable()

        #expect(first == Array(repeating: true, count: 16) + [false])
        #expect(second)
    }

    @Test func `a drain that only the radio asked for ends when nobody fetches any more`() throws {
        var own = plan()
        var radios = plan(isAuto: true)

        #expect(try own.goesOn(isFetching: false) == true)
        #expect(try radios.goesOn(isFetching: true) == true)
        #expect(try radios.goesOn(isFetching: false) == false)
        own.end()
        #expect(try own.goesOn(isFetching: true) == false)
    }

    @Test func `the task whose handler takes too long has no say any more, and no number comes twice`() {
        var plan = plan()
        let first = plan.takeOver()
        plan.handle(until: .seconds(30))
        #expect(plan.isAt(first) && plan.due == .seconds(30))
        let second = plan.takeOver()
        #expect(!plan.isAt(first) && plan.isAt(second) && plan.due == nil)
        plan.handle(until: .seconds(40))
        plan.noteHandled()
        #expect(plan.due == nil)
        plan.end()
        #expect(!plan.isAt(second))
        plan.handle(until: .seconds(50))
        #expect(plan.due == nil)
        plan.begin(isAuto: false)
        let third = plan.takeOver()

        #expect(Set([first, second, third]).count == 3)
        #expect(plan.isAt(third) && !plan.isAt(second))
    }

    // MARK: Fetching by itself

    /// Returns the drains that a line of events leads to, one character a second: "D" for each drain that begins.
    ///
    /// The events are calls ("c"), ends of pauses ("p") and the end of fetching ("s"). Ends of drains are "e" (well),
    /// "t" (by a time-out) and "x" (by an error that stays).
    private func fetches(_ events: String, _ change: (inout SyncPolicy) -> Void = { _ in }) -> String {
        var policy = SyncPolicy()
        change(&policy)
        var plan = FetchPlan(policy: policy)
        let passing = StackError(.polling, .pollingFailed(drained: 0, .timeout(.syncNextMessage, after: .seconds(5))))
        var line = plan.start(isEndless: true, at: .zero) ? "D" : ""
        for (second, event) in events.enumerated() {
            var begins = false
            switch event {
            case "c": begins = plan.call(at: .seconds(second))
            case "e", "t", "x":
                let failure = event == "e" ? nil : event == "t" ? passing : StackError(.polling, .notConnected)
                switch plan.end(failure) {
                case .again: begins = true
                case .againAfter(let pause): line += "(\(pause.components.seconds))"
                case .rest: line += "."
                }
            case "p": begins = plan.resume()
            case "s": plan.stop()
            default: break
            }
            if begins {
                plan.begin()
                line += "D"
            }
        }
        return line
    }

    @Test func `calls while a queue is emptied bring one more drain behind it, however many they are`() {
        #expect(fetches("ce") == "D.")
        #expect(fetches("cccce") == "DD")
        #expect(fetches("cccceece") == "DD.D.")
    }

    @Test func `what fails for a moment is tried three times more, what stays not at all, until the radio calls`() {
        #expect(fetches("ctptptpt") == "D(2)D(2)D(2)D.")
        #expect(fetches("ctptpecttt") == "D(2)D(2)D.D(2)(2)(2)")
        #expect(fetches("cxcx") == "D.D.")
        #expect(fetches("ct", { $0.retries = 0 }) == "D.")
    }

    @Test func `nothing follows the end of fetching, nor where the queue is another client's`() {
        #expect(fetches("ccse") == "D.")
        #expect(fetches("ctsp") == "D(2)")
        #expect(fetches("ccs" + "cec") == "D.")
        #expect(fetches("ccc", { $0.leavesQueue = true }) == "")
    }

    @Test func `fetching begins with a drain, unless the last one had no end`() {
        var plan = FetchPlan(policy: SyncPolicy())
        var endless = plan

        #expect(plan.start(isEndless: false, at: .zero) == true)
        #expect(endless.start(isEndless: true, at: .zero) == false)
        #expect(endless.call(at: .zero) == true)
        endless.halt()
        #expect(endless.call(at: .zero) == false)
    }

    @Test func `the silence of a radio is counted from its last sign`() {
        var plan = FetchPlan(policy: SyncPolicy())
        _ = plan.call(at: .seconds(10))
        #expect(plan.rest(of: .seconds(60), at: .seconds(30)) == .seconds(40))
        plan.note(at: .seconds(25))
        #expect(plan.rest(of: .seconds(60), at: .seconds(30)) == .seconds(55))
        #expect(plan.rest(of: .seconds(60), at: .seconds(90)) == .seconds(-5))
    }
}
