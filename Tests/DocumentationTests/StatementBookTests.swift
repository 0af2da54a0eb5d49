import Foundation
import MeshTestSupport
import Testing

@testable import MeshCompliance

/// Every numbered statement has a proof, and every number that is cited is that of a statement.
@Suite struct StatementBookTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static let articles = [
        ("CMP", "Sources/MeshCompanion/MeshCompanion.docc/CompanionStatements.md"),
        ("FWV", "Sources/MeshCompanion/MeshCompanion.docc/FirmwareVersions.md"),
        ("OTA", "Sources/MeshFirmware/MeshFirmware.docc/OverTheAir.md"),
        ("INF", "Sources/MeshFirmware/MeshFirmware.docc/InfrastructureNodes.md"),
        ("SVC", "Sources/PocketMeshServices/PocketMeshServices.docc/ServiceStack.md"),
        ("SVC-R", "Sources/PocketMeshServices/PocketMeshServices.docc/StackDefects.md"),
        ("CAP", "Sources/BluetoothCapture/BluetoothCapture.docc/CaptureFormats.md"),
    ]

    /// Statements that the probes of versions show, by the probes' numbers, besides FWV-220.
    private static let ofProbes: [Int: [String]] = [
        1: ["FWV-001", "FWV-003"],
        2: ["FWV-042"],
        3: ["FWV-018"],
        4: ["FWV-040"],
        5: ["FWV-133"],
        6: ["FWV-017", "FWV-061"],
        7: ["FWV-062"],
        8: ["FWV-019", "FWV-063"],
        9: ["FWV-082"],
        10: ["FWV-016", "FWV-043"],
        13: ["FWV-081"],
        14: ["FWV-110"],
        16: ["FWV-125", "FWV-171"],
        17: ["FWV-122"],
        18: ["FWV-120"],
        19: ["FWV-014"],
        20: ["FWV-013"],
        21: ["FWV-066"],
        22: ["FWV-130"],
        23: ["FWV-132"],
        24: ["FWV-069"],
    ]

    /// Statements without a proof, and why there is none.
    private static let exempt = unprovenFirmwareVersions

    /// The statements that the compliance suite holds against a radio.
    ///
    /// `EmulatorComplianceTests` runs each of them on the emulator.
    private static var ofTheSuite: Set<String> {
        Set(Section.all.flatMap(\.statements).map(\.id) + VersionProbe.all.flatMap { ofProbes[$0.number] ?? [] })
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private static func texts() throws -> [StatementBook.Text] {
        try ["Scenarios", "Sources", "Tests"].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path).sorted()
                // The projects of the examples of ci/action are other people's: their tests name what they rest on.
                .filter { ($0.hasSuffix(".swift") || $0.hasSuffix(".md")) && !$0.hasPrefix("Action/Resources/") }
                .map { StatementBook.Text(path: "\(folder)/\($0)", text: try text("\(folder)/\($0)")) }
        }
    }

    @Test func `every statement has a proof, and every number that is cited a statement`() throws {
        let articles = try Self.articles.map { StatementBook.Article($0, path: $1, text: try Self.text($1)) }
        let book = StatementBook(articles)

        let findings = try book.findings(in: Self.texts(), alsoProven: Self.ofTheSuite, exempt: Self.exempt)

        #expect(findings == .init())
        // An article whose headings had another form would prove nothing.
        for article in articles where article.prefix != "CAP" {
            #expect(book.statements.contains("\(article.prefix)-001"), "\(article.path)")
        }
    }

    // MARK: What the book notices

    /// Two statements; the second one is proven by a test that is no comment.
    private static func findings(
        article: String = "# Numbers\n\n### TRY-001\n\nOne holds.\n\n### TRY-002\n\nTwo holds.\n",
        test: String = #"@Test(.proves("TRY-001", "TRY-002")) func `one and two`() {}"#,
        exempt: [String: String] = [:]
    ) -> StatementBook.Findings {
        let book = StatementBook([
            .init("TRY", path: "Numbers.md", text: article), .init("TRY-R", path: "More.md", text: "# More\n"),
        ])
        return book.findings(in: [.init(path: "Some.swift", text: test)], exempt: exempt)
    }

    @Test func `a book in order has no findings`() {
        #expect(Self.findings() == .init())
        #expect(Self.findings(test: #"@Suite(.proves("TRY-001")) struct Some {}"#, exempt: ["TRY-002": ""]) == .init())
    }

    @Test(arguments: ["TRY-003", "TRY-02", "TRY-0001", "TRY-R-001"])
    func `a number without a statement is found with its place`(number: String) {
        let proofs = #"@Test(.proves("TRY-001", "TRY-002")) func `one and two`() {}"#

        #expect(Self.findings(test: "\n// See \(number).\n" + proofs) == .init(unknown: ["\(number) in Some.swift:2"]))
    }

    @Test func `other words with hyphens and choices of several numbers are no citations`() {
        let proofs = #"@Test(.proves("TRY-001", "TRY-002")) func `one and two`() {}"#

        #expect(Self.findings(test: proofs + " // SHA-256, TRY-0*, MATRIX-TRY, -17, A-1 and TRY-") == .init())
    }

    @Test func `a heading that occurs twice, says nothing or belongs elsewhere is found`() {
        let article =
            "### TRY-001\n\nOne.\n\n### TRY-002\n\n## Topic\n\nAll.\n\n### TRY-001\n\nOne.\n\n### TRY-R-004\n\nFour.\n"
        let test = #"@Test(.proves("TRY-001", "TRY-002", "TRY-R-004")) func `all`() {}"#

        #expect(
            Self.findings(article: article, test: test).headings == [
                "Numbers.md: TRY-002 says nothing", "Numbers.md: TRY-001 occurs twice",
                "Numbers.md: TRY-R-004 belongs elsewhere",
            ])
    }

    @Test func `a statement that is only cited, or proven in a comment, has no proof`() {
        let test = #"/// As in `@Test(.proves("TRY-002"))`."# + "\n" + #"@Test(.proves("TRY-001")) func `one`() {}"#

        #expect(Self.findings(test: test) == .init(unproven: ["TRY-002"]))
    }

    @Test func `a number in the name of a test is found`() {
        let test = #"@Test(.proves("TRY-001", "TRY-002")) func `TRY-001 one and two`() {}"#

        #expect(Self.findings(test: test) == .init(names: ["TRY-001 in Some.swift:1"]))
    }

    @Test func `an exempt statement that has a proof, or that no article has, is found`() {
        let findings = Self.findings(exempt: ["TRY-002": "nobody knows how", "TRY-009": "not there"])

        #expect(
            findings
                == .init(exemptions: ["TRY-002 has a proof, and says: nobody knows how", "TRY-009 is no statement"]))
    }
}
