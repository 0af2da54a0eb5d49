import Glibc
import MeshTime
import MeshVirtualTime
import Testing

/// Every way to start and to wait for work stays on the thread of the run and on its time.
@Suite struct VirtualTimeConstructTests {
    private actor Counter {
        private(set) var count = 0
        private var stream: AsyncStream<Int>.Continuation?

        func add() async {
            let before = count
            await Task.yield()
            count = before + 1
        }

        func emit(_ clock: VirtualClock) -> AsyncStream<Int> {
            AsyncStream { continuation in
                Task {
                    for number in 1...3 {
                        try? await clock.sleep(for: .seconds(number))
                        continuation.yield(number)
                    }
                    continuation.finish()
                }
            }
        }
    }

    @MainActor private final class Model {
        var threads: [pthread_t] = []

        func note() { threads.append(pthread_self()) }
    }

    /// Traps where the library does not see the main actor.
    private nonisolated func assumeMain(_ model: Model) {
        MainActor.assumeIsolated { model.note() }
    }

    @Test func `tasks of all kinds, actors and the main actor run on one thread`() throws {
        let thread = pthread_self()

        let threads = try VirtualTime.run { clock in
            var threads = [pthread_self()]
            threads.append(await Task { pthread_self() }.value)
            threads.append(await Task.detached { pthread_self() }.value)
            async let child = pthread_self()
            threads.append(await child)
            threads += await withTaskGroup(of: pthread_t.self) { group in
                for _ in 0..<3 { group.addTask { pthread_self() } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let model = Model()
            await model.note()
            try await clock.sleep(for: .seconds(1))
            await Task { @MainActor in assumeMain(model) }.value
            threads += await model.threads
            threads.append(await MainActor.run { pthread_self() })
            return threads
        }

        #expect(threads.count == 10)
        #expect(threads.allSatisfy { $0 == thread })
    }

    @Test func `the library's own sleeps pass virtual time`() throws {
        let elapsed = try VirtualTime.measure { clock in
            let start = clock.now
            try await Task.sleep(for: .seconds(1800))
            try await Task.sleep(nanoseconds: 1_000_000_000)
            return start.duration(to: clock.now)
        }

        // They are measured on the clock of the machine first, which loses up to a millisecond each.
        #expect(elapsed.value > .milliseconds(1_800_990) && elapsed.value <= .milliseconds(1_801_000))
    }

    @Test func `a stream delivers at the times at which it is fed`() throws {
        let heard = try VirtualTime.run { clock in
            var heard: [String] = []
            for await number in await Counter().emit(clock) {
                heard.append("\(number) at \(clock.now.sinceStart)")
            }
            return heard
        }

        #expect(heard == ["1 at 1.0 seconds", "2 at 3.0 seconds", "3 at 6.0 seconds"])
    }

    /// A race on purpose: the order of reads decides the count.
    private static func race(_ order: VirtualTime.Order) throws -> VirtualTime.Outcome<Int> {
        try VirtualTime.measure(order: order) { clock in
            let counter = Counter()
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<50 {
                    group.addTask {
                        try? await clock.sleep(for: .milliseconds(index % 7))
                        await counter.add()
                    }
                }
            }
            return await counter.count
        }
    }

    @Test func `a program takes the same steps every time`() throws {
        let runs = try (0..<1000).map { _ in try Self.race(.arrival) }

        #expect(Set(runs.map(\.digest)).count == 1)
        #expect(Set(runs.map(\.value)).count == 1)
        // Golden: the order may depend neither on the process nor on its hash seed.
        #expect(runs[0].steps == 352)
    }

    @Test func `a drawn order is another one, and the same for the same seed`() throws {
        func winners(_ seed: UInt64) throws -> [Int] {
            try VirtualTime.run(order: .drawn(Seed(seed))) { clock in
                await withTaskGroup(of: Int.self) { group in
                    for index in 0..<9 { group.addTask { index } }
                    return await group.reduce(into: []) { $0.append($1) }
                }
            }
        }

        let orders = try (0..<20).map(winners)

        #expect(try (0..<20).map(winners) == orders)
        #expect(Set(orders).count == 20)
        #expect(orders.allSatisfy { $0.sorted() == Array(0..<9) })
    }
}
