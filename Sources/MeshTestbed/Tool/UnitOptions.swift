package import ArgumentParser
import MeshFiles
package import MeshReports

/// One part of a campaign on many machines: a number goes in, a file comes out.
///
/// A unit exits 0 whatever it found, and 2 when it could not run. Its file appears in one step, so that what is there
/// is whole. Where units write once alone, a unit whose file is there has nothing to do.
package struct UnitOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Run one part alone, from 1, and exit 0 whatever it finds.", valueName: "number"))
    var index: Int?

    @Option(help: ArgumentHelp("How many parts there are.", valueName: "number"))
    var of: Int?

    @Option(help: ArgumentHelp("The file that comes out of the part.", valueName: "file"))
    package var output: String?

    package init() {}

    package func validate() throws {
        let given = [index != nil, of != nil, output != nil]
        guard given.allSatisfy({ $0 == given[0] }) else {
            throw ValidationError("--index, --of and --output go together")
        }
        guard 1...1_000_000 ~= of ?? 1, 1...(of ?? 1) ~= index ?? 1 else {
            throw ValidationError("--index is 1 to --of, at most a million")
        }
        if output == "" { throw ValidationError("--output needs the path of a file") }
    }

    /// Tells whether a part alone is wanted.
    package var isWanted: Bool { output != nil }

    /// Tells whether the file of the part exists.
    package var hasFile: Bool { output.map { (try? FileSystem.kind(of: $0)) != nil } ?? false }

    /// Returns the indices that belong to the part, counted from 0: all where no part is wanted.
    package func part(of count: Int) -> Range<Int> {
        guard let index, let of else { return 0..<count }
        let (whole, rest) = count.quotientAndRemainder(dividingBy: of)
        func start(_ part: Int) -> Int { whole * part + rest * part / of }
        return start(index - 1)..<start(index)
    }

    /// Writes a report into the file, with date and build.
    package func write(_ report: TestReport, for command: String) throws {
        var report = report
        report.provenance = .now
        try write(report.json, for: command)
    }

    /// Writes the file in one step; exit status 2 when it cannot be written.
    package func write(_ text: String, for command: String) throws {
        guard let output else { return }
        do {
            try FileSystem.replace(output, with: [UInt8](text.utf8), isOutput: true)
        } catch {
            throw CommandVoice(command).failed(writing: output, error)
        }
    }
}
