import MeshTime
import Testing

@testable import MeshStudy

@Suite struct StudyRowsTests {
    private static let origin = StudyRows.Origin(
        version: "1 (abc)", fingerprint: "0011", arms: ["a", "b", "control"], metrics: ["delivery"], seeds: 50)

    private static func rows(_ seeds: some Sequence<UInt64>, change: (inout StudyRows.Origin) -> Void = { _ in }) throws
        -> StudyRows
    {
        var origin = origin
        change(&origin)
        var rows = StudyRows(origin)
        for seed in seeds {
            var random = Seed(seed).stream("row")
            try rows.enter((0..<3).map { _ in Double(random.draw(0, 1000)) / 1000 }, of: seed)
        }
        return rows
    }

    @Test func `rows read back as they were written`() throws {
        let rows = try Self.rows(1...50)
        let again = try StudyRows(reading: Array(rows.csv.utf8))

        #expect(again == rows)
        #expect(again.csv == rows.csv)
    }

    @Test func `rows are the same in whatever order they are put together`() throws {
        let parts = try [Self.rows(1...20), Self.rows(15...33), Self.rows(34...50)]
        let whole = try Self.rows(1...50).csv

        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
            var left = StudyRows(Self.origin)
            for place in order { try left.merge(parts[place]) }
            var inner = parts[order[1]]
            try inner.merge(parts[order[2]])
            var right = parts[order[0]]
            try right.merge(inner)

            #expect(left.csv == whole)
            #expect(right.csv == whole)
        }
    }

    @Test func `a seed counts once, and one with two results is refused`() throws {
        var rows = try Self.rows(1...3)
        try rows.merge(try Self.rows(2...3))
        #expect(rows.seeds == [1, 2, 3])

        #expect(throws: StudyProblem("seed 2 has two results that differ")) { try rows.enter([0, 0, 0], of: 2) }
    }

    @Test func `rows of other builds and studies are refused`() throws {
        var rows = try Self.rows(1...3)
        for change: (inout StudyRows.Origin) -> Void in [
            { $0.version = "2" }, { $0.fingerprint = "0012" }, { $0.seeds = 51 }, { $0.arms[1] = "c" },
            { $0.metrics = ["airtime"] },
        ] {
            let other = try Self.rows(4...5, change: change)
            #expect(throws: StudyProblem.self) { try rows.merge(other) }
        }
        #expect(rows.seeds == [1, 2, 3])
    }

    @Test func `damaged files are refused with the line`() throws {
        let text = try Self.rows(1...3).csv
        for (right, wrong, line) in [
            ("# meshbed study rows 1", "# rows", 1), ("# seeds 50", "# seeds 0", 4), ("# seeds 50", "# seeds x", 4),
            ("seed,a:delivery", "seed,a", 5), ("seed,a:delivery,b:delivery", "seed,a:delivery,b:airtime", 5),
            ("\n2,", "\n99,", 7), ("\n2,", "\n-2,", 7), ("\n2,", "\n2,nan,", 7), ("\n2,", "\n2,1,", 7),
            ("\n2,", "\n1,", 7), ("\n2,", "\n,", 7),
        ] {
            let damaged = text.replacing(right, with: wrong)
            #expect(damaged != text)
            let error = #expect(throws: (any Error).self, "\(wrong)") { try StudyRows(reading: Array(damaged.utf8)) }
            #expect("\(try #require(error))".hasPrefix("line \(line): "), "\(String(describing: error))")
        }
        #expect(throws: (any Error).self) { try StudyRows(reading: []) }
        // Any cut is either a shorter file or a refusal.
        for count in 0..<text.utf8.count { _ = try? StudyRows(reading: Array(text.utf8.prefix(count))) }
    }
}
