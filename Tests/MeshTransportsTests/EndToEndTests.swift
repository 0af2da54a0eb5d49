import Glibc
import MeshCompanion
import MeshCore
import MeshEmulator
import MeshSimulator
import MeshTime
import MeshTransports
import MeshVirtualTime
import MeshWire
import Testing

/// One body on virtual time in this process, and on real time over TCP and a terminal.
@Suite(.timeLimit(.minutes(2))) struct EndToEndTests {
    private static let expected = EndToEnd.Report(
        deviceLevel: CompanionLimits.firmwareVersionCode, contactsOfAlice: ["bob"], contactsOfBob: ["alice"],
        heardByBob: ["hello bob"], isAcknowledged: true, adverts: 1)

    private func virtual(_ seed: UInt64) throws -> VirtualTime.Outcome<(EndToEnd.Report, String)> {
        try VirtualTime.measure { clock in
            let world = LoopbackWorld(World(.pair, seed: Seed(seed)), clock: clock)
            let run = EndToEnd(
                clock: clock, alice: try await world.transport(to: "alice"), bob: try await world.transport(to: "bob"))
            let report = try await run.perform()
            let digest = await world.withWorld { $0.digest.description }
            await world.end()
            return (report, digest)
        }
    }

    @Test func `apps meet, talk and are acknowledged on virtual time`() throws {
        let outcome = try virtual(7)

        #expect(outcome.value.0 == Self.expected)
        #expect(outcome.elapsed > .seconds(8))
    }

    @Test func `the same seed takes the same steps, another one others`() throws {
        let runs = try [7, 7, 8].map(virtual)

        #expect(runs[0].digest == runs[1].digest && runs[0].value == runs[1].value)
        #expect(runs[0].elapsed == runs[1].elapsed && runs[0].steps == runs[1].steps)
        #expect(runs[0].value.1 != runs[2].value.1)
    }

    @Test func `the same apps meet and talk on real time over TCP`() async throws {
        let endpoints = ["alice", "bob"].map {
            NodeEndpoint(label: $0, endpoint: .tcp(host: Endpoint.defaultHost, port: 0))
        }
        let emulator = try await Emulator.start(
            .init(world: .pair, seed: Seed(7), endpoints: endpoints, speed: 20))
        let clock = ContinuousClock()
        let links = try await emulator.endpoints.asyncMap {
            try await TransportURL("\($0.endpoint)").transport(clock: clock)
        }

        let report = try await EndToEnd(clock: FastClock(factor: 20), alice: links[0], bob: links[1]).perform()
        await emulator.stop()

        #expect(report == Self.expected)
    }

    @Test func `a session works over a serial line`() async throws {
        let path = "/tmp/meshbed-line-\(getpid())"
        let emulator = try await Emulator.start(
            .init(
                world: .solo, seed: Seed(7), endpoints: [NodeEndpoint(label: "alice", endpoint: .pty(path: path))]))
        let clock = ContinuousClock()
        let line = try await TransportURL("serial:\(path)?baud=115200").transport(clock: clock)
        let session = MeshCoreSession(transport: line, clock: clock)

        try await session.start()
        let device = try await session.queryDevice()
        await session.stop()
        await emulator.stop()

        #expect(device.firmwareVersionCode == CompanionLimits.firmwareVersionCode)
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

extension Sequence where Element: Sendable {
    func asyncMap<T>(_ transform: (Element) async throws -> T) async rethrows -> [T] {
        var results: [T] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
