import Dispatch
import MeshTime
import MeshVirtualTime
import Synchronization
import Testing

/// The notes of a test, from any task.
final class Notes<Entry: Sendable>: Sendable {
    private let entries = Mutex<[Entry]>([])

    var all: [Entry] { entries.withLock { $0 } }

    func add(_ entry: Entry) {
        entries.withLock { $0.append(entry) }
    }
}

@Suite struct VirtualTimeTests {
    @Test func `an hour passes at once`() throws {
        let outcome = try VirtualTime.measure { clock in
            try await clock.sleep(for: .seconds(3600))
            return clock.now.sinceStart
        }

        #expect(outcome.value == .seconds(3600))
        #expect(outcome.elapsed == .seconds(3600))
    }

    @Test func `ten thousand sleepers wake by deadline, and those of one deadline in the order they lay down`() throws {
        let notes = Notes<Int>()
        var draws = Seed(7).stream("deadlines")
        let deadlines = (0..<10_000).map { _ in Int(draws.draw(0, 500)) }

        let elapsed = try VirtualTime.measure { clock in
            await withTaskGroup(of: Void.self) { group in
                for (index, deadline) in deadlines.enumerated() {
                    group.addTask {
                        try? await clock.sleep(for: .milliseconds(deadline))
                        notes.add(index)
                    }
                }
            }
        }
        .elapsed

        let expected = deadlines.indices.sorted { (deadlines[$0], $0) < (deadlines[$1], $1) }
        #expect(notes.all == expected)
        #expect(elapsed == .milliseconds(deadlines.max() ?? 0))
    }

    @Test func `a cancelled sleep ends at once with an error and leaves no deadline behind`() throws {
        let elapsed = try VirtualTime.measure { clock in
            let sleeper = Task { try await clock.sleep(for: .seconds(3600)) }
            try await clock.sleep(for: .seconds(1))
            sleeper.cancel()
            await #expect(throws: CancellationError.self) { try await sleeper.value }
            let late = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await clock.sleep(for: .seconds(3600))
            }
            await #expect(throws: CancellationError.self) { try await late.value }
        }
        .elapsed

        #expect(elapsed == .seconds(1))
    }

    @Test func `a time-out and its operation race on virtual time`() throws {
        let winners = try VirtualTime.run { clock in
            var winners: [String] = []
            for needed in [1, 9] {
                winners.append(
                    await withTaskGroup(of: String.self) { group in
                        group.addTask {
                            try? await clock.sleep(for: .seconds(needed))
                            return "operation"
                        }
                        group.addTask {
                            try? await clock.sleep(for: .seconds(5))
                            return "time-out"
                        }
                        let first = await group.next()
                        group.cancelAll()
                        return first ?? ""
                    })
            }
            return winners
        }

        #expect(winners == ["operation", "time-out"])
    }

    @Test func `what still waits when the body is done is cancelled`() throws {
        let notes = Notes<String>()

        let elapsed = try VirtualTime.measure { clock in
            Task {
                do {
                    try await clock.sleep(for: .seconds(1000))
                } catch {
                    notes.add("\(type(of: error))")
                }
            }
            try await clock.sleep(for: .seconds(1))
        }
        .elapsed

        #expect(notes.all == ["CancellationError"])
        #expect(elapsed == .seconds(1))
    }

    @Test func `the body's error is the run's`() {
        struct Trouble: Error {}

        #expect(throws: Trouble.self) { try VirtualTime.run { _ in throw Trouble() } }
    }
}
