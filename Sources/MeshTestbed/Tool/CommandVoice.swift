package import ArgumentParser
package import MeshFiles

/// The words by which a command was called, under which it complains and writes what was asked for.
package struct CommandVoice: Sendable {
    private let words: String

    /// The name of the program and those of the commands behind it; empty ones count for nothing.
    package init(_ words: String...) {
        self.words = words.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// A complaint, as it is said.
    func complaint(_ reason: some Any) -> String { "\(words): \(reason)" }

    /// Says why the command cannot go on, in one line; exit status 2.
    package func failed(_ reason: some Any) -> ExitCode {
        StandardError.line(complaint(reason))
        return .notUnderstood
    }

    /// The same for a file that cannot be written.
    package func failed(writing path: String, _ failure: FileSystem.Failure) -> ExitCode {
        failed("\(path): cannot be written: \(failure.reason)")
    }

    /// Writes a whole file; without a path, or with `-`, to standard output. Exit status 2 when it cannot be written.
    package func write(_ text: String, to path: String?, over existing: OutputFile.Existing = .emptied) throws {
        do {
            try StandardOutput.text(text, to: path, over: existing)
        } catch {
            throw failed(writing: path ?? "-", error)
        }
    }
}
