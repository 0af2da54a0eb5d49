import Testing

/// The beginnings of documentation comments in this repository, and in planted ones.
@Suite struct AbstractRuleTests {
    private func rule(_ lines: String...) -> AbstractRule {
        var rule = AbstractRule()
        rule.read(path: "Sources/MeshWire/Sample.swift", lines: lines)
        return rule
    }

    /// Comments of as many declarations, of which so many begin with a clause.
    private func rule(clauses: Int, of all: Int) -> AbstractRule {
        var rule = AbstractRule()
        let lines = (0..<all).flatMap { [$0 < clauses ? "/// What it is." : "/// The value.", "let a\($0) = 1"] }
        rule.read(path: "Sources/MeshWire/Sample.swift", lines: lines)
        return rule
    }

    @Test func `at most 5 % of the abstracts begin with a clause in place of a noun phrase or a verb`() throws {
        var rule = AbstractRule()

        for path in Repository.texts where path.hasSuffix(".swift") {
            guard ["Sources/", "Tests/", "Scenarios/"].contains(where: path.hasPrefix) else { continue }
            rule.read(path: path, lines: try Repository.lines(path))
        }

        #expect(rule.findings.isEmpty, "\(rule.clauses.count) of \(rule.count) abstracts\n\(rule.findings.report)")
        #expect(rule.count > 10_000)
    }

    @Test(arguments: ["What", "Who", "Whether", "That", "Whoever", "Somebody", "Nobody"])
    func `a clause at the beginning of a comment is found`(word: String) {
        let found = rule("let a = 1", "    /// \(word) it is.", "    let b = 2").clauses

        #expect(found.map(\.line) == [2])
    }

    @Test(arguments: [
        "/// Whatsoever else.", "/// The value that counts.", "/// Tells whether it is on.", "// What it is.",
        "let a = 1  /// What it is.", "/// `What` is a name.", "///",
    ])
    func `other beginnings are not found`(line: String) {
        #expect(rule(line).clauses.isEmpty)
    }

    @Test func `the first line of a comment alone is its abstract`() {
        let rule = rule("/// The value.", "///", "/// What it counts.", "let a = 1", "/// Stores it.", "func b() {}")

        #expect(rule.count == 2)
        #expect(rule.clauses.isEmpty)
    }

    @Test func `one above the limit fails, with the first ten places`() {
        #expect(rule(clauses: 10, of: 200).findings.isEmpty)
        #expect(rule(clauses: 11, of: 200).findings.map(\.line) == (0..<10).map { 2 * $0 + 1 })
    }
}
