import Testing

@Suite struct PackageTypesTests {
    /// The names found in module A, which has one file, beside another file.
    private func names(_ text: String, beside other: String, at path: String = "Sources/B/B.swift") -> [String] {
        let files = [SourceText(path: "Sources/A/A.swift", text: text), SourceText(path: path, text: other)]
        return PackageTypes(files: files).findings(in: "A").map { String($0.message.split(separator: "`")[0]) }
    }

    @Test func `a package type that no importer names is found, with its line`() {
        let file = SourceText(path: "Sources/A/A.swift", text: "package struct Used {}\n\npackage enum Alone {}\n")
        let other = SourceText(path: "Sources/B/B.swift", text: "import A\nlet used = Used()\n")

        let found = PackageTypes(files: [file, other]).findings(in: "A")

        #expect(found.map { "\($0.path):\($0.line)" } == ["Sources/A/A.swift:3"])
    }

    @Test(arguments: [
        ("import A\nlet alone = Alone()", "Sources/B/B.swift", []),
        ("let alone = Alone()", "Sources/B/B.swift", ["Alone"]),
        ("import A\n// Alone", "Sources/B/B.swift", ["Alone"]),
        ("import A\nlet alone = Alone()", "Tests/ATests/AloneTests.swift", []),
        ("@testable import A\nlet alone = Alone()", "Tests/ATests/AloneTests.swift", ["Alone"]),
    ])
    func `a file names it when it imports the module as a stranger`(_ other: String, _ path: String, _ found: [String])
    {
        #expect(names("package struct Alone {}", beside: other, at: path) == found)
    }

    @Test(arguments: [
        ("package struct Used {\n    package func next() -> Hidden {}\n}\npackage struct Hidden {}", []),
        ("package enum Used {\n    case one(Hidden)\n}\npackage struct Hidden {}", []),
        ("package struct Used {}\nextension Used: Hidden {}\npackage protocol Hidden {}", []),
        ("package struct Used {\n    func next() -> Hidden {}\n}\npackage struct Hidden {}", ["Hidden"]),
        ("package struct Lone {\n    package var value: Hidden\n}\npackage struct Hidden {}", ["Lone", "Hidden"]),
        ("package struct Used {}\npublic struct Hidden {}\nstruct Other {}", []),
    ])
    func `a type that open signatures mention may stay`(_ text: String, _ found: [String]) {
        #expect(names(text, beside: "import A\nlet used = Used()") == found)
    }

    @Test func `a module that passes another on is seen through`() {
        let files = [
            ("Sources/A/A.swift", "package struct Used {}"), ("Sources/B/B.swift", "@_exported public import A"),
            ("Sources/C/C.swift", "import B\nlet used = Used()"),
        ]
        .map { SourceText(path: $0.0, text: $0.1) }

        #expect(PackageTypes(files: files).findings(in: "A") == [])
    }

    @Test func `what its module alone names is not package`() throws {
        let sources = try Repository.sources()
        let types = PackageTypes(files: sources + (try Repository.swift(under: "Tests/")))
        let modules = Set(sources.map { Repository.module(of: $0.path) }).sorted()
        #expect(modules.count > 20)

        let findings = modules.flatMap(types.findings)

        #expect(findings.isEmpty, "\(findings.report)")
    }
}
