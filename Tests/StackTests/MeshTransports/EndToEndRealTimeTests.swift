import MeshCore
import MeshEmulator
import MeshSimulator
import MeshTime
import MeshTransports
import Testing

/// The claims of `EndToEndTests`, over sockets and in real time.
@Suite struct EndToEndRealTimeTests {
    @Test func `the same apps meet and talk on real time over TCP`() async throws {
        let endpoints = ["alice", "bob"].map { NodeEndpoint(label: $0, endpoint: .freePort) }
        let emulator = try await Emulator.start(
            .init(world: .village, seed: Seed(7), endpoints: endpoints, pace: .clock(speed: 20)))
        let links = emulator.endpoints.map { StreamTransport($0.endpoint) }

        let clock = FastClock(factor: 20)
        // Nobody adverts any more who has just been switched on.
        try await clock.sleep(for: .seconds(20))

        let report = try await EndToEnd(clock: clock, alice: links[0], bob: links[1]).perform()
        await emulator.stop()

        #expect(report == EndToEndTests.expected)
    }
}

/// Real time that runs faster: waits last a fraction of what they say.
struct FastClock: Clock {
    struct Instant: InstantProtocol {
        var real: ContinuousClock.Instant
        var factor: Int

        func advanced(by duration: Duration) -> Instant { Instant(real: real + duration / factor, factor: factor) }
        func duration(to other: Instant) -> Duration { (other.real - real) * factor }
        static func < (a: Instant, b: Instant) -> Bool { a.real < b.real }
    }

    let factor: Int

    var now: Instant { Instant(real: .now, factor: factor) }
    var minimumResolution: Duration { .milliseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await ContinuousClock().sleep(until: deadline.real, tolerance: nil)
    }
}
