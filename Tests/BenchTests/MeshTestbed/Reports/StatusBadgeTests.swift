import Foundation
import Testing

@testable import MeshReports

/// The badge of a report, as shields.io reads it.
@Suite struct StatusBadgeTests {
    private static func report(_ verdicts: [TestReport.Verdict]) -> TestReport {
        var report = TestReport(title: "Compliance", command: "comply", target: "emulator")
        report.entries = verdicts.enumerated().map { index, verdict in
            .init(kind: .statement, id: "CMP-\(index)", group: "A", title: "a", verdict: verdict)
        }
        return report
    }

    @Test(
        arguments: [
            ([.kept, .kept, .notRun("")], "2 kept", "brightgreen"),
            ([.kept, .differs("", [])], "1 kept, 1 differs", "orange"),
            ([.kept, .differs("", []), .differs("", [])], "1 kept, 2 differ", "orange"),
            ([.kept, .differs("", []), .broken([])], "1 of 3 broken", "red"),
            ([.notRun("")], "nothing kept", "lightgrey"),
            ([.kept, .couldNotRun("")], "1 could not run", "lightgrey"),
            ([.kept, .invalid(["a fault did nothing"])], "1 invalid", "lightgrey"),
        ] as [([TestReport.Verdict], String, String)])
    func `the colour says what holds`(verdicts: [TestReport.Verdict], message: String, color: String) throws {
        let file = try #require(
            try JSONSerialization.jsonObject(with: Data(Self.report(verdicts).badge.json.utf8)) as? [String: Any])

        #expect(Set(file.keys) == ["schemaVersion", "label", "message", "color"])
        #expect(file["schemaVersion"] as? Int == 1)
        #expect(file["label"] as? String == "compliance")
        #expect(file["message"] as? String == message)
        #expect(file["color"] as? String == color)
    }

    @Test func `a run that broke off is not known to be good`() {
        var report = Self.report([.kept])
        report.abortedBecause = "the cable"

        #expect(report.badge == StatusBadge(label: "compliance", message: "broke off", .unknown))
    }
}
