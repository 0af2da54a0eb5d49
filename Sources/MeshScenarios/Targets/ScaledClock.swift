/// The machine's clock, so many times as fast: an app's minute lasts a second and its limits shrink with it.
///
/// For emulated radios behind real links, whose world runs at the same speed. The machine's own delays do not shrink.
/// At a speed of a hundred, a millisecond of the link is a tenth of a second.
struct ScaledClock: Clock {
    struct Instant: InstantProtocol {
        var sinceStart: Duration

        func advanced(by duration: Duration) -> Instant { Instant(sinceStart: sinceStart + duration) }
        func duration(to other: Instant) -> Duration { other.sinceStart - sinceStart }
        static func < (a: Instant, b: Instant) -> Bool { a.sinceStart < b.sinceStart }
    }

    let speed: Double
    private let start = ContinuousClock.now

    init(speed: Double) {
        precondition(speed > 0 && speed.isFinite, "a clock cannot run at speed \(speed)")
        self.speed = speed
    }

    var now: Instant { Instant(sinceStart: (ContinuousClock.now - start) * speed) }
    var minimumResolution: Duration { .microseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try await ContinuousClock().sleep(
            until: start + deadline.sinceStart / speed, tolerance: tolerance.map { $0 / speed })
    }
}
