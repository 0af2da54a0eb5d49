import MeshCompanion
import Testing

@testable import MeshReleases

@Suite struct StatementComparisonTests {
    private func outcome(
        _ old: FirmwareVersion, _ new: FirmwareVersion, _ only: Set<String>
    ) throws -> StatementComparison.Outcome {
        var comparison = StatementComparison(old: ComparedRelease(old), new: ComparedRelease(new))
        comparison.only = only
        return try comparison.perform()
    }

    @Test func `a statement that the new version does not keep is named with both answers`() throws {
        let outcome = try outcome(.v1_17_1, .v1_16, ["CMP-101", "CMP-065"])

        #expect((outcome.asked, outcome.kept) == (2, 2))
        let finding = try #require(outcome.findings.first)
        #expect(outcome.findings.map(\.id) == ["CMP-101"])
        #expect(finding.weight == .brokenProtocol)
        #expect(finding.details.contains { $0.hasPrefix("companion radio: expected") })
        #expect(finding.details.last == "by the articles: as written; 1.16: the key of zeros is found nowhere: `01 02`")
    }

    @Test func `a statement on several roles is one finding, by its topic one of routing`() throws {
        let outcome = try outcome(.v1_16, .v1_15, ["INF-107"])

        #expect(outcome.findings.map(\.id) == ["INF-107"])
        #expect(outcome.findings.map(\.weight) == [.routing])
        #expect(outcome.findings[0].details.contains { $0.hasPrefix("repeater: ") })
        #expect(outcome.findings[0].details.contains { $0.hasPrefix("room server: ") })
    }

    @Test func `what holds in the new version alone is a gain`() throws {
        let outcome = try outcome(.v1_16, .v1_17_1, ["INF-176", "INF-177"])

        #expect(outcome.kept == 0)
        #expect(outcome.findings.map(\.weight) == [.gain])
        #expect(outcome.findings.map(\.details) == [["INF-176 INF-177"]])
    }

    @Test func `the name of a version in an answer is no difference`() throws {
        let outcome = try outcome(.v1_16, .v1_17_1, ["INF-092"])

        #expect((outcome.asked, outcome.kept) == (1, 1))
        #expect(outcome.findings.isEmpty)
    }

    @Test func `a comparison tells how far it is`() throws {
        var comparison = StatementComparison(old: ComparedRelease(.v1_16), new: ComparedRelease(.v1_17_1))
        comparison.only = ["CMP-065", "INF-102"]
        var steps: [String] = []

        _ = try comparison.perform { steps.append($0) }

        #expect(comparison.steps == 6)
        #expect(steps.count == comparison.steps)
    }
}
