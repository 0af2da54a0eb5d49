package import ArgumentParser
import Glibc
package import MeshBoards
import MeshFiles

/// The bench file, whose labels can stand wherever a command takes a target.
package struct BenchOptions: ParsableArguments {
    @Option(
        name: .customLong("bench"),
        help: ArgumentHelp(
            "The bench file, with the radios that labels stand for. (default: MESHBED_BENCH, else bench.json in the working "
                + "folder)", valueName: "file"))
    package var file: String?

    package init() {}

    /// The variable of the environment that names a bench file.
    static let variable = "MESHBED_BENCH"
    /// The file that is looked for in the working folder.
    static let usualFile = "bench.json"

    package func validate() throws {
        if file?.isEmpty == true { throw ValidationError("--bench needs the path of a file") }
    }

    /// The arguments that name the same file in another command.
    package var arguments: [String] { file.map { ["--bench", $0] } ?? [] }

    /// The path of the file; `nil` where there is none.
    package var path: String? {
        if let file { return file }
        if let named = getenv(Self.variable).map({ String(cString: $0) }), !named.isEmpty { return named }
        return access(Self.usualFile, F_OK) == 0 ? Self.usualFile : nil
    }

    /// Tells whether a word is looked up: a label, or a place of labgrid.
    package static func isBoard(_ word: String) -> Bool {
        word.hasPrefix(LabgridPlace.scheme) || BenchFile.problem(withLabel: word) == nil
    }

    /// The bench that the words need: that of the program, with the radios of the file when a word is none of its
    /// labels.
    ///
    /// A file that was named is read in any case; one in the working folder only for a label.
    package func bench(for words: [String], with own: Bench = Bench {}) throws -> Bench {
        let labels = words.filter { BenchFile.problem(withLabel: $0) == nil && !own.labels.contains($0) }
        guard file != nil || !labels.isEmpty else { return own }
        guard let path else {
            if !own.radios.isEmpty { return own }
            throw ValidationError(
                "'\(labels.first ?? "")' is no target (\(Target.forms)), and no file has it as a label: --bench, "
                    + "\(Self.variable), \(Self.usualFile)")
        }
        do {
            return Bench(own.radios + (try BenchFile().read(path: path)).radios)
        } catch {
            throw ValidationError("\(error)")
        }
    }

    /// The target that a word means.
    package func target(_ word: String) throws -> Target {
        do {
            return try bench(for: [word]).target(word)
        } catch let error as ValidationError {
            throw error
        } catch {
            throw ValidationError("\(error)")
        }
    }

    /// Claims the radio that a word means.
    package func claim(_ word: String, for purpose: String) throws -> BoardClaim {
        try BoardClaim(target(word), for: purpose)
    }
}
