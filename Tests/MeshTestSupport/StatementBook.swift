import Foundation

/// The numbered statements of a document, and the tests that prove them.
///
/// A test proves a statement when its trait ``Proves`` carries the statement's number.
public struct StatementBook: Sendable {
    /// What stands before a number, as in `INF-`.
    public let prefix: String
    public let statements: ClosedRange<Int>
    /// Statements that wait, and what they wait for.
    public let exempt: [Int: String]

    public init(_ prefix: String, _ statements: ClosedRange<Int>, exempt: [Int: String] = [:]) {
        self.prefix = prefix
        self.statements = statements
        self.exempt = exempt
    }

    /// What the traits of all tests say about the book.
    public struct Findings: Hashable {
        /// Numbers that no test carries and that do not wait.
        public var notProven: [Int] = []
        /// Numbers that tests carry and the document does not.
        public var unknown: [Int] = []
        /// Numbers that wait although a test carries them.
        public var exemptAndProven: [Int] = []
        /// Numbers that tests carry.
        public var provenCount = 0

        public init(
            notProven: [Int] = [], unknown: [Int] = [], exemptAndProven: [Int] = [], provenCount: Int = 0
        ) {
            self.notProven = notProven
            self.unknown = unknown
            self.exemptAndProven = exemptAndProven
            self.provenCount = provenCount
        }
    }

    public func findings() throws -> Findings {
        let proven = try Self.traitsOfTests().reduce(into: Set<Int>()) { $0.formUnion(numbers(in: $1)) }
        return Findings(
            notProven: statements.filter { !proven.contains($0) && exempt[$0] == nil },
            unknown: proven.filter { !statements.contains($0) }.sorted(),
            exemptAndProven: exempt.keys.filter(proven.contains).sorted(), provenCount: proven.count)
    }

    /// The numbers behind the prefix, each with it.
    private func numbers(in trait: Substring) -> [Int] {
        trait.split(separator: prefix, omittingEmptySubsequences: false).dropFirst().compactMap { rest in
            let digits = rest.prefix { $0.isNumber }
            return digits.count == 3 ? Int(digits) : nil
        }
    }

    private static func traitsOfTests() throws -> [Substring] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return try paths.filter { $0.hasSuffix(".swift") }.sorted().flatMap { path in
            try String(contentsOf: folder.appending(path: path), encoding: .utf8)
                .matches(of: /\.proves\(([^)]*)\)/).map { $0.1 }
        }
    }
}
