import MeshTime
import Testing

@testable import MeshReports

/// The progress of long work, from counts and a clock that the caller passes.
struct ProgressMeterTests {
    @Test func `the time left follows from what is done and how long it took`() {
        var meter = ProgressMeter("soak", of: 1000, "seeds")
        for second in 1...10 { meter.advance(to: second * 20, at: .seconds(second)) }

        #expect(meter.timeLeft == .seconds(40))
        #expect(meter.line() == "soak: 200 of 1000 seeds, 20 %, 40 s left")
        #expect(meter.line("2 broken") == "soak: 200 of 1000 seeds, 20 %, 40 s left, 2 broken")
    }

    @Test func `nothing is said of the time left before there is something to go by`() {
        var meter = ProgressMeter("soak", of: 100, "seeds", at: .seconds(1_000_000))
        #expect(meter.timeLeft == nil)
        meter.advance(to: 0, at: .seconds(1_000_005))
        #expect(meter.timeLeft == nil)
        #expect(meter.line() == "soak: 0 of 100 seeds, 0 %")

        var quick = ProgressMeter("soak", of: 100, "seeds")
        quick.advance(to: 3, at: .milliseconds(100))
        #expect(quick.timeLeft == nil)
    }

    @Test func `a slow beginning is forgotten`() {
        var meter = ProgressMeter("run", of: 10_000, "s")
        meter.advance(to: 1, at: .seconds(600))
        for step in 1...60 { meter.advance(to: 1 + step * 10, at: .seconds(600 + step)) }

        // 9,399 steps at ten a second.
        #expect(meter.timeLeft == .milliseconds(939_900))
    }

    @Test func `many steps within a second count as one, and none is lost`() {
        var meter = ProgressMeter("run", of: 20_000, "s")
        for step in 1...10_000 { meter.advance(to: step, at: .milliseconds(step)) }

        #expect(meter.timeLeft == .seconds(10))
    }

    @Test func `the whole may be known later, and what is done has no time left`() {
        var meter = ProgressMeter("comply", "checks")
        #expect(meter.timeLeft == nil)
        meter.advance(to: 50, of: 100, at: .seconds(5))
        #expect(meter.timeLeft == .seconds(5))
        meter.advance(to: 100, at: .seconds(9))
        #expect(meter.timeLeft == .zero)
        #expect(meter.line() == "comply: 100 of 100 checks, 100 %")
        meter.advance(to: 120, at: .seconds(10))
        #expect(meter.line() == "comply: 120 of 100 checks, 100 %")
    }

    @Test func `clocks that stand still or run backwards, and counts that fall, trap nothing`() {
        var meter = ProgressMeter("run", of: .max, "s", at: .seconds(10))
        for (done, at) in [(1, 20), (Int.max, 5), (0, 5), (3, 5), (4, 100)] {
            meter.advance(to: done, at: .seconds(at))
        }

        #expect(meter.line().hasPrefix("run: 4 of "))
    }

    @Test func `times left read well`() {
        let spans: [(TimeSpan, String)] = [
            (.milliseconds(1), "1 s"), (.seconds(100), "100 s"), (.seconds(101), "2 min"), (.seconds(7140), "119 min"),
            (.seconds(7200), "2 h"), (.seconds(7500), "2 h 5 min"),
        ]
        for (span, words) in spans { #expect(ProgressMeter.words(span) == words) }
    }
}
