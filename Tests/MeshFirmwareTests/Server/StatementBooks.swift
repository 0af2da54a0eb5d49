import Foundation
import Testing

/// The numbered statements INF-001 … INF-215 of the infrastructure document, and the tests that prove them.
@Suite struct StatementBooks {
    /// Statements that cannot be tested without hardware, and why. There is none: every one has its test.
    static let exempt: [Int: String] = [:]

    private static let statements = 1...215

    /// The sources of all tests.
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Numbers in the names of test functions, which are sentences between backticks.
    private func proven() throws -> [Int] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: Self.tests.path)
        return try paths.filter { $0.hasSuffix(".swift") }.sorted().flatMap { path in
            let text = try String(contentsOf: Self.tests.appending(path: path), encoding: .utf8)
            return text.matches(of: /func `([^`]*)`/).flatMap { name in
                name.1.matches(of: /INF-(\d{3})(?!\d)/).compactMap { Int($0.1) }
            }
        }
    }

    @Test func `every statement is proven by a test or exempt for a reason`() throws {
        let proven = Set(try proven())

        #expect(proven.filter { !Self.statements.contains($0) }.sorted() == [], "no such statement")
        #expect(Self.statements.filter { !proven.contains($0) && Self.exempt[$0] == nil } == [], "not proven")
        #expect(Self.exempt.keys.filter { proven.contains($0) }.sorted() == [], "exempt and yet proven")
        #expect(Self.exempt.values.allSatisfy { !$0.isEmpty })
    }
}
