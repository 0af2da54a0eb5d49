import ArgumentParser
import MeshReleases
import MeshTestbed
import MeshWire

/// `meshbed bench releases`.
struct BenchReleases: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "releases",
        abstract: "Count how often the comparison of releases misses a fault, or finds one that is not there.",
        discussion: """
            Ten made-up releases have one fault each: in stored state, protocol, routing, timing or air time. Each is \
            compared with the version that it says it is. Other comparisons are of a version with itself, on other \
            random numbers; versions and numbers are drawn. All statements are asked, and all values followed.

            Example:
              meshbed bench releases --equals 100

            Exit status: 0 when nine of ten faults were named, and equals differed in nothing; 1 otherwise.
            """)

    /// The planted faults that may be missed.
    private static let mayMiss = 1
    /// The differences that a row of the table names.
    private static let shown = 8

    @Option(help: ArgumentHelp("How many comparisons are of equals.", valueName: "number"))
    var equals = 100

    @Flag(help: "Print one JSON object a line.")
    var json = false

    func validate() throws {
        guard 0...10_000 ~= equals else { throw ValidationError("--equals is 0 to 10000") }
    }

    func run() throws {
        let planted = PlantedRelease.all
        let bar = ProgressLine("bench releases", of: planted.count + equals, "comparisons")
        var done = 0
        func perform(_ row: () throws -> ReleaseTrial.Row) throws -> ReleaseTrial.Row {
            defer { done += 1 }
            bar.show(done)
            do {
                return try row()
            } catch {
                bar.clear()
                throw Console.failed("bench releases", error)
            }
        }
        let faults = try planted.map { release in try perform { try ReleaseTrial.planted(release) } }
        let others = try (0..<equals).map { number in
            try perform { try ReleaseTrial.equals(UInt64(number) + 1) }
        }
        bar.clear()
        try show(faults, others)
        let missed = faults.count { !$0.isRight }
        if missed > Self.mayMiss || others.contains(where: { !$0.isRight }) { throw ExitCode(1) }
    }

    private func show(_ faults: [ReleaseTrial.Row], _ others: [ReleaseTrial.Row]) throws {
        if json {
            for row in faults + others { Console.out(try BenchCommand.line(row)) }
            return
        }
        BenchCommand.head("planted release       named  differences found")
        for (planted, row) in zip(PlantedRelease.all, faults) {
            let found = row.found.prefix(Self.shown).joined(separator: " ") + (row.found.count > Self.shown ? " …" : "")
            Console.out(
                row.name.padded(to: 24)
                    + (row.isRight ? "yes    \(found)" : "NO     \(planted.summary) Found: \(found)"))
        }
        let wrong = others.filter { !$0.isRight }
        for row in wrong { Console.out("equals of \(row.name) differ: " + row.found.joined(separator: " ")) }
        Console.out(
            "\(faults.count { $0.isRight }) of \(faults.count) faults named, \(wrong.count) false alarms in "
                + "\(others.count.counted("comparison")) of equals")
    }
}
