import Dispatch
import MeshVirtualTime
import Testing

/// A wait outside of virtual time is named instead of awaited.
@Suite struct VirtualTimeOutsideSystemTests {
    /// A serial queue, whose thread is none of the pool's: runs that wait for it may occupy all of those.
    private let elsewhere = DispatchQueue(label: "elsewhere")

    private func error(of body: @escaping @Sendable (VirtualClock) async throws -> Void) -> VirtualTimeError? {
        #expect(throws: VirtualTimeError.self) { try VirtualTime.run(body) }
    }

    @Test func `a wait that nobody ends is reported instead of hanging`() {
        let error = error { clock in
            try await clock.sleep(for: .seconds(3))
            let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
            for await _ in stream {}
            withExtendedLifetime(continuation) {}
        }

        guard case .stalled(let moment, let tasks) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(moment == .seconds(3))
        #expect(!tasks.isEmpty)
        #expect(error?.description.hasPrefix("virtual time stalled at 3.0 seconds: no task is ready") == true)
    }

    @Test func `a task that another thread resumes is reported`() {
        let error = error { [elsewhere] clock in
            let other = Task {
                await withCheckedContinuation { continuation in
                    elsewhere.asyncAfter(deadline: .now() + .milliseconds(20)) { continuation.resume() }
                }
            }
            // Virtual time goes on meanwhile, in small steps that take real time together.
            while true {
                try await clock.sleep(for: .milliseconds(1))
                if Task.isCancelled { break }
            }
            await other.value
        }

        guard case .resumedFromOutside = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.description.contains("put a transport of this process in place of the real one") == true)
    }

    @Test func `a clock used by another thread is reported`() {
        let error = error { [elsewhere] clock in
            elsewhere.async { _ = clock.now }
            while true { try await clock.sleep(for: .milliseconds(1)) }
        }

        guard case .usedFromOutside("now", _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a loop that waits by spinning is reported`() {
        var limits = VirtualTime.Limits()
        limits.stepsAtOneMoment = 1000

        let error = #expect(throws: VirtualTimeError.self) {
            try VirtualTime.run(limits: limits) { _ in while !Task.isCancelled { await Task.yield() } }
        }

        guard case .spinning(_, 1001, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `what runs beside a run is not touched by it`() async throws {
        async let beside: Int = withTaskGroup(of: Int.self) { group in
            for number in 0..<200 {
                group.addTask {
                    await Task.yield(); return number
                }
            }
            return await group.reduce(0, +)
        }

        let inside = try VirtualTime.run { clock in
            for _ in 0..<200 { try await clock.sleep(for: .seconds(1)) }
            return clock.now.sinceStart
        }

        #expect(inside == .seconds(200))
        #expect(await beside == 19_900)
    }
}
