import Testing

@Suite struct TypeNamesTests {
    private func findings(_ texts: [(path: String, text: String)]) -> [Finding] {
        TypeNames(files: texts.map { SourceText(path: $0.path, text: $0.text) }).findings
    }

    @Test func `a name of two modules is found at the later one`() {
        let found = findings([
            ("Sources/A/Trace.swift", "public struct Trace {}\n"),
            ("Sources/B/Trace.swift", "import A\n\npackage typealias Trace = [Int]\n"),
        ])

        #expect(found.map { "\($0.path):\($0.line)" } == ["Sources/B/Trace.swift:3"])
        #expect(found.allSatisfy { $0.message.contains("a type of A") })
    }

    @Test(arguments: [
        "private struct Trace {}", "fileprivate enum Trace {}", "extension Trace {}",
        "struct Other {\n    struct Trace {}\n}",
        "struct Traces {}", "// struct Trace {}",
    ])
    func `a name inside a file or a type, an extension and another name are no second meaning`(_ text: String) {
        #expect(findings([("Sources/A/A.swift", "struct Trace {}"), ("Sources/B/B.swift", text)]) == [])
    }

    @Test func `two declarations of one module are no matter of this rule`() {
        #expect(findings([("Sources/A/A.swift", "struct Trace {}"), ("Sources/A/B.swift", "struct Trace {}")]) == [])
    }

    @Test func `each name of a type has one meaning in all modules`() throws {
        let names = TypeNames(files: try Repository.swift(under: "Sources/"))

        #expect(names.count > 1000, "the declarations were not understood")
        #expect(names.findings.isEmpty, "\(names.findings.report)")
    }
}
