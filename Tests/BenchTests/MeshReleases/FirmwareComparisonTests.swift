import Foundation
import MeshCompanion
import MeshReports
import MeshTestSupport
import Testing

@testable import MeshReleases

@Suite struct FirmwareComparisonTests {
    private func report(_ old: FirmwareVersion, _ new: FirmwareVersion) throws -> FirmwareComparisonReport {
        var comparison = FirmwareComparison(ComparedRelease(old), ComparedRelease(new))
        comparison.parts = [.air]
        return try comparison.perform()
    }

    @Test func `without a difference the first line says that the release is safe`() throws {
        let report = try report(.v1_17_1, .v1_17_1)

        #expect(report.exitCode == 0)
        #expect(report.text().hasPrefix("1.17.1 is safe for a mesh on 1.17.1: no difference that matters was found"))
        #expect(report.badge.json.contains("brightgreen"))
        #expect(report.annotations(.fail).isEmpty)
    }

    @Test func `with differences the first line counts them by weight`() throws {
        let report = try report(.v1_15, .v1_16)

        #expect(report.exitCode == 1)
        #expect(
            report.text().hasPrefix(
                "1.16 is not safe for a mesh on 1.15 without care: 1 difference (1 airtime), by the table"))
        #expect(report.text().contains("symbols of a preamble up to SF 8: 16 → 32"))
        let finding = try #require(report.counting.first)
        #expect(finding.id == "air/longer" && finding.details.count == 4)
        #expect(report.annotations(.fail).count == 1)
    }

    @Test func `shorter packets are a gain and do not count`() throws {
        let report = try report(.v1_16, .v1_15)

        #expect(report.findings.map(\.id) == ["air/shorter"])
        #expect(report.exitCode == 0)
    }

    @Test func `the heaviest differences come first`() throws {
        var report = try report(.v1_15, .v1_16)
        report.findings.append(ReleaseFinding(weight: .gain, id: "g", title: "G", details: []))
        report.findings.append(ReleaseFinding(weight: .lostState, id: "s", title: "S", details: []))

        report.sort()

        #expect(report.findings.map(\.id) == ["s", "air/longer", "g"])
    }

    @Test func `details are clipped in a text, and not in a file`() throws {
        var report = try report(.v1_17_1, .v1_17_1)
        report.findings = [
            ReleaseFinding(weight: .routing, id: "x", title: "Many", details: (1...9).map { "line \($0)" })
        ]

        #expect(report.text().contains("and 3 more; --verbose shows them"))
        #expect(report.text(isVerbose: true).contains("line 9"))
        #expect(try report.json.contains("line 9"))
        #expect(report.html([]).contains("line 9"))
    }

    @Test func `texts of nodes are escaped in a page and in a table`() throws {
        var report = try report(.v1_17_1, .v1_17_1)
        report.findings = [
            ReleaseFinding(weight: .routing, id: "x", title: "<b>|", details: ["<script>\u{1B}[31m"])
        ]

        #expect(!report.html(["<i>"]).contains("<b>") && !report.html([]).contains("<script>"))
        #expect(!report.html(["<i>"]).contains("<i>"))
        #expect(!report.text().contains("\u{1B}"))
        #expect(!report.jobSummary.contains("<b>|"))
    }

    @Test func `the object for programs has the answer and every part`() throws {
        let json = try report(.v1_15, .v1_16).json
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])

        #expect(object["safe"] as? Bool == false)
        #expect((object["answer"] as? String)?.hasPrefix("1.16 is not safe") == true)
        #expect((object["findings"] as? [[String: Any]])?.first?["weight"] as? String == "airtime")
        #expect((object["table"] as? [String: Any])?["switches"] is [Any])
    }
}
