import MeshTime
import Testing

@testable import meshbed

/// The statements of writing and reading messages in SQLite, and their use of an index.
@Suite struct StoreCountTests {
    private static var benchmark: StoreBenchmark {
        var benchmark = StoreBenchmark()
        (benchmark.messages, benchmark.written, benchmark.reads) = (3000, 600, 1)
        return benchmark
    }

    @Test func `a message is inserted and counted; a transaction has two statements more`() async throws {
        for batch in [1, 10, 600] {
            let row = try await Self.benchmark.writing(batch)

            #expect(row.statements <= 2 * row.messages + 2 * row.messages / batch)
            #expect(row.rate > 0)
        }
    }

    @Test func `a page is one statement that reads an index and sorts nothing`() async throws {
        let rows = try await Self.benchmark.reading()

        #expect(rows.map(\.page) == StoreBenchmark.Page.allCases)
        #expect(rows.map(\.statements) == [1, 1, 2, 1])
        #expect(rows.filter { $0.page != .conversations }.allSatisfy { $0.scans == 0 }, "\(rows)")
        #expect(rows.map(\.messages).allSatisfy { $0 == 3000 })
    }
}
