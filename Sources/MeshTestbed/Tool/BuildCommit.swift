import ArgumentParser
import MeshFiles
import MeshReports
import MeshWire

/// The commit of the checkout that the running program was built in.
///
/// A program knows no commit of its own. A program in a checkout's build folder is believed to be built from the files
/// that are checked out there. One that was installed elsewhere has none.
struct BuildCommit {
    let full: String
    /// Tells whether files differ from the commit.
    let isChanged: Bool

    var short: String { String(full.prefix(10)) }

    init?() {
        guard let program = ProgramName.runningFile, let slash = program.lastIndex(of: "/") else { return nil }
        let folder = String(program[..<slash])
        guard let full = Self.git("rev-parse", "HEAD", in: folder), full.count >= 40 else { return nil }
        self.full = full
        isChanged = Self.git("status", "--porcelain", "--untracked-files=no", in: folder)?.isEmpty == false
    }

    func isSame(as commit: String) -> Bool { full.hasPrefix(commit.lowercased()) }

    /// Refuses to go on with another commit than the user asked for, as far as that is known.
    static func mustBe(_ commit: String) throws {
        guard let build = BuildCommit() else {
            return StandardError.line(
                "which commit this program was built of is not known; the failure was found with \(commit)")
        }
        guard build.isSame(as: commit) else {
            StandardError.line(
                "this program was built of \(build.short); for the same run, first: git checkout \(commit), and build")
            throw ExitCode(2)
        }
        if build.isChanged { StandardError.line("files differ from \(build.short), and the run may too") }
    }

    private static func git(_ words: String..., in folder: String) -> String? {
        let process = try? ChildProcess("/usr/bin/env", ["git", "-C", folder] + words, errors: .hidden)
        guard let process, let bytes = try? process.readOutput(atMost: 16 << 20),
            process.waitUntilEnded() == .exited(0)
        else { return nil }
        return String(decoding: bytes, as: UTF8.self).trimmed(where: \.isWhitespace)
    }
}
