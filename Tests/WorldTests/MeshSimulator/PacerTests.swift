import MeshFirmware
import MeshSimulator
import MeshTime
import Testing

struct PacerTests {
    @Test(arguments: [1, 20, 0.3, 1e-12])
    func `with a clock, what is due by the clock happens, and the next event when it is due`(speed: Double) {
        var pacer = Pacer(.clock(speed: speed))
        pacer.start(from: .seconds(5), at: .seconds(2))
        let next = Instant.seconds(8)

        let wake = pacer.wake(for: next, at: .seconds(2))

        guard let wake else { return #expect(Bool(false), "it never looks again") }
        #expect(abs(Double((wake - .seconds(2)).microseconds) * speed - 3_000_000) <= speed + 1)
        #expect(pacer.isDue(next, from: .seconds(5), at: wake))
        let microsecond = TimeSpan.microseconds(Int64(1 / speed) + 2)
        #expect(!pacer.isDue(next, from: .seconds(5), at: wake - microsecond))
        #expect(pacer.turn(from: .seconds(5), next: next, at: wake) == .run(until: next))
        #expect(pacer.turn(from: next, next: .never, at: .seconds(2)) == .wait, "no time goes back")
    }

    @Test func `a world that is late catches up in slices, and then goes to the present`() {
        var pacer = Pacer(.clock(speed: 1), slice: 2)
        pacer.start()
        var now = Instant.start
        var turns: [Pacer.Turn] = []

        repeat {
            let next = now + .milliseconds(10)
            turns.append(pacer.turn(from: now, next: next, at: .milliseconds(35)))
            if case .run(let moment) = turns.last { now = moment }
        } while turns.last != .wait

        let moments = [10, 20, 30].map { Pacer.Turn.run(until: .milliseconds($0)) }
        #expect(turns == moments[..<2] + [.pause, moments[2], .run(until: .milliseconds(35)), .wait])
    }

    @Test func `time that goes by while it is stopped does not count`() {
        var pacer = Pacer(.clock(speed: 2))
        let before = pacer.turn(from: .start, next: .seconds(1), at: .seconds(9))
        pacer.start(from: .start, at: .seconds(10))
        let first = pacer.turn(from: .start, next: .never, at: .seconds(11))
        pacer.stop()
        let stopped = (pacer.turn(from: .seconds(2), next: .seconds(3), at: .seconds(50)), pacer.isRunning)
        pacer.start(from: .seconds(2), at: .seconds(60))

        #expect(before == .wait)
        #expect(first == .run(until: .seconds(2)))
        #expect(stopped == (.wait, false))
        #expect(pacer.wake(for: .seconds(3), at: .seconds(60)) == .milliseconds(60_500))
    }

    @Test func `a stepped world runs as far as it may, whatever a clock shows`() {
        var pacer = Pacer(.stepped)
        pacer.start()
        let before = pacer.turn(from: .start, next: .seconds(1), at: .seconds(100))
        pacer.allow(until: .seconds(3))

        #expect(before == .wait)
        #expect(pacer.turn(from: .start, next: .seconds(1)) == .run(until: .seconds(1)))
        #expect(pacer.turn(from: .seconds(1), next: .seconds(4)) == .run(until: .seconds(3)))
        #expect(pacer.turn(from: .seconds(3), next: .seconds(4)) == .wait)
        #expect(pacer.wake(for: .seconds(4), at: .zero) == nil)
    }

    @Test func `in lockstep a world goes from event to event, lets others in, and stands while it is stopped`() {
        var pacer = Pacer(.lockstep, slice: 1)
        pacer.start()
        let first = pacer.turn(from: .start, next: .seconds(1))
        let second = pacer.turn(from: .seconds(1), next: .seconds(2))
        let wake = pacer.wake(for: .seconds(2), at: .seconds(7))
        pacer.stop()

        #expect(first == .run(until: .seconds(1)))
        #expect(second == .wait)
        #expect(wake == .seconds(7), "at once")
        #expect(pacer.turn(from: .seconds(1), next: .seconds(2)) == .wait)
        #expect(pacer.wake(for: .seconds(2), at: .seconds(7)) == nil)
    }

    @Test(arguments: [Pace.clock(speed: 3), .stepped, .lockstep])
    func `the same happens in a world at every pace`(pace: Pace) {
        var expected = World(.village, seed: Seed(7))
        expected.run(until: .seconds(300))
        var draws = Seed(11).stream("readings")
        var world = World(.village, seed: Seed(7))
        var pacer = Pacer(pace, slice: 5)
        pacer.start(from: world.now)

        var clock = TimeSpan.zero
        while world.now < .seconds(300) {
            clock = clock + .milliseconds(draws.draw(1, 3000))
            pacer.allow(until: min(world.now + .milliseconds(draws.draw(1, 9000)), .seconds(300)))
            while case .run(let moment) = pacer.turn(from: world.now, next: world.peekNextEventTime(), at: clock) {
                world.run(until: min(moment, .seconds(300)))
                guard moment < .seconds(300) else { break }
            }
        }

        #expect(world.digest == expected.digest)
    }
}
