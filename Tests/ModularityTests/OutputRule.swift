/// One file writes to the terminal, so that text from outside is made visible in one place.
enum OutputRule {
    /// The place that writes both streams, and a stream that is no text for people.
    static let allowed: [Leftovers.Allowance] = [
        .init(
            path: "Sources/MeshTestbed/Tool/StandardOutput.swift", mark: "STDOUT_FILENO",
            reason: "this is the one place: it makes visible whatever could control a terminal"),
        .init(
            path: "Sources/meshbed/Lab/Kills/KilledApp.swift", mark: "STDOUT_FILENO",
            reason: "its reader is the program that started the process, and a line holds two words of ours"),
        .init(
            path: "Sources/MeshFiles/ChildProcess.swift", mark: "STDOUT_FILENO",
            reason: "these are the numbers that files get in another process; nothing is written to them here"),
    ]

    /// Ways to the streams of the process.
    static let words = [
        "print(", "debugPrint(", "dump(", "printf(", "vprintf(", "fprintf(", "puts(", "fputs(", "putchar(", "fwrite(",
        "stdout", "stderr", "STDOUT_FILENO", "STDERR_FILENO", "FileHandle.standardOutput", "FileHandle.standardError",
        "FileHandle(fileDescriptor",
    ]

    /// Ways past the one place.
    static func check(_ file: SourceText) -> [Finding] {
        guard !allowed.contains(where: { $0.path == file.path }) else { return [] }
        return words.flatMap { word in
            file.occurrences(of: word).filter { !isOwn(at: $0, in: file.code) }.map {
                Finding(
                    path: file.path, line: file.line(at: $0),
                    message: "`\(word)` goes past `StandardOutput` and `StandardError`, which make text visible")
            }
        }
    }

    /// Tells whether a method of ours with the library's name is called or declared.
    private static func isOwn(at offset: Int, in code: [UInt8]) -> Bool {
        let before = String(decoding: code[max(0, offset - 5)..<offset], as: UTF8.self)
        return before.hasSuffix(".") || before.hasSuffix("func ")
    }
}
