/// Marks of unfinished or unsafe work, and the places where one is allowed, each with its reason.
enum Leftovers {
    /// A mark that is all right in one file.
    struct Allowance {
        var path: String
        var mark: String
        var reason: String
    }

    static let allowed: [Allowance] = [
        Allowance(
            path: "Sources/MeshCrypto/AES128.swift", mark: "@unchecked Sendable",
            reason: "the library's contexts are kept behind a lock, which is all that reaches them; making new ones"
                + " for every packet costs half as much as sealing it"),
        Allowance(
            path: "Tests/ShellTests/MeshVirtualTime/VirtualTimeConstructTests.swift", mark: "Task.sleep",
            reason: "the test is about the library's own sleeps, which pass virtual time and no other"),
    ]

    /// Words of unfinished work, looked for in comments too.
    static let notes = ["TODO", "FIXME", "XXX", "HACK"]

    /// Code that hides a failure or a race.
    static let marks: [(mark: String, instead: String)] = [
        (".disabled(", "make the test pass or delete it"),
        ("withKnownIssue", "repair what is known"),
        ("XCTSkip", "make the test pass or delete it"),
        ("try!", "throw, or test for what can go wrong"),
        ("as!", "use a type that cannot be wrong, or `as?`"),
        ("@unchecked Sendable", "make it a value or an actor"),
        ("nonisolated(unsafe)", "make it a value or an actor"),
    ]

    /// Ways to wait for a while instead of for something.
    static let waits = ["Task.sleep", "usleep(", "Thread.sleep", "sleep("]

    /// Modules that meet the real clock, where waiting for a deadline is their work.
    static let shells = ["Sources/MeshEmulator/", "Sources/meshbed/"]

    /// Finds marks that a Swift file may not contain.
    static func check(_ file: SourceText, allowing allowances: [Allowance] = allowed) -> [Finding] {
        let isShell = shells.contains { file.path.hasPrefix($0) }
        let waiting = isShell ? [] : waits.map { (mark: $0, instead: "wait for the event, not for a time") }
        let found = (marks + waiting).flatMap { mark, instead in
            file.occurrences(of: mark)
                .filter { mark != "sleep(" || isCallOfLibrary(at: $0, in: file.code) }
                .filter { _ in !allowances.contains { $0.path == file.path && $0.mark == mark } }
                .map { Finding(path: file.path, line: file.line(at: $0), message: "`\(mark)`: \(instead)") }
        }
        return found + stubs(file)
    }

    /// Tells whether a function of this name is called, not a method, nor one of that name declared.
    private static func isCallOfLibrary(at offset: Int, in code: [UInt8]) -> Bool {
        !code[..<offset].hasSuffix(".") && !code[..<offset].hasSuffix("func ")
    }

    /// Notes of unfinished work in any text file.
    static func notes(path: String, lines: [String]) -> [Finding] {
        lines.enumerated().flatMap { index, line in
            notes.filter { line.contains($0) && line.hasWord($0) }.map {
                Finding(path: path, line: index + 1, message: "`\($0)`: finish it, or write an issue")
            }
        }
    }

    private static func stubs(_ file: SourceText) -> [Finding] {
        file.lines.enumerated().filter { $0.element.contains("fatalError(\"not") }.map {
            Finding(path: file.path, line: $0.offset + 1, message: "a stub: write it, or leave it out")
        }
    }
}

extension String {
    /// Tells whether the text stands in the line as a word of its own.
    func hasWord(_ word: String) -> Bool {
        split { !($0.isLetter || $0.isNumber || $0 == "_") }.contains(Substring(word))
    }
}

extension ArraySlice<UInt8> {
    fileprivate func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
