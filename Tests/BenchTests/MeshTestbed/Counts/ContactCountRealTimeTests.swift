import MeshTime
import Testing

@testable import meshbed

/// The cost of synchronising contacts, in frames and statements: a second look at a table costs nearly nothing.
@Suite struct ContactCountRealTimeTests {
    private static func rows(_ contacts: Int) async throws -> [ContactBenchmark.Row] {
        var benchmark = ContactBenchmark()
        benchmark.contacts = contacts
        return try await benchmark.run()
    }

    @Test func `frames and statements grow with the contacts that are sent`() async throws {
        let rows = try await Self.rows(350)
        let counts = rows.map(\.count)

        #expect(rows.map(\.listing) == [.full, .unchanged, .changed])
        // The command, the beginning, the end.
        #expect(counts.map(\.frames) == counts.map { $0.received + 3 })
        // The last change is listed again: the watermark has no finer grain than a second.
        #expect(counts.map(\.received) == [350, 1, 36])
        #expect(counts.map(\.rows) == [350, 350, 350])
        // A new contact is looked for, stored, and its history is looked for; one that is known is found and stored.
        #expect(counts[0].statements <= 5 * 350 + 6)
        #expect(counts[1].statements <= 2 + 6)
        #expect(counts[2].statements <= 2 * 36 + 6)
    }

    @Test func `a table larger than that of any board is listed too`() async throws {
        let counts = try await Self.rows(1000).map(\.count)

        #expect(counts.map(\.received) == [1000, 1, 101])
        #expect(counts[0].statements <= 5 * 1000 + 6)
    }
}
