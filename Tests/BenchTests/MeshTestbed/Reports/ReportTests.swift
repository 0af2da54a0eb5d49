import Foundation
import MeshBoards
import MeshTransports
import Testing

@testable import MeshCompliance

/// Reports: text, JUnit XML, JSON, and the exit status.
struct ReportTests {
    private var report: ComplianceReport {
        var report = ComplianceReport(target: "emulator")
        report.entries = [
            .init(
                id: "conversation/connect", group: "Recorded conversations", title: "hello", verdict: .kept, seconds: 1),
            .init(
                id: "CMP-001", group: "A Serial framing", title: "less < more & \"so\"",
                verdict: .broken(["step 1", "got  \u{1}nothing"], transcript: ["app> 05"]), seconds: 0.5),
            .init(id: "CMP-018", group: "B TCP", title: "Ethernet", verdict: .notRun("no such build"), seconds: 0),
            .init(
                id: "CMP-020", group: "C Bluetooth LE", title: "One value", verdict: .notApplicable("no radio of it"),
                seconds: 0),
            .init(id: "CMP-033", group: "D Dispatch", title: "Unknown", verdict: .kept, seconds: 0),
        ]
        return report
    }

    @Test func `the text names what is broken and counts the rest`() {
        var report = report
        report.entries += (0..<20).map {
            .init(id: "CMP-9\($0)", group: "Z", title: "more", verdict: .kept, seconds: 0)
        }
        let text = report.text()

        #expect(text.contains("BROKEN   CMP-001"))
        #expect(!text.contains("CMP-033"))
        #expect(text.contains("1 × no such build"))
        #expect(text.contains("1 × no radio of it"))
        #expect(
            text.hasSuffix(
                "emulator: kept 21 statements and 1 conversation, broken 1, not run 1, not applicable 1"))
    }

    @Test func `few checks have a line each`() {
        #expect(report.text().contains("kept     CMP-033"))
    }

    @Test func `with every line asked for, every check has one`() {
        let text = report.text(isVerbose: true)

        #expect(text.contains("kept     CMP-033"))
        #expect(text.contains("not run  CMP-018"))
        #expect(text.contains("n/a      CMP-020"))
        #expect(text.contains("app> 05"))
    }

    @Test func `JUnit escapes what XML reserves`() throws {
        let xml = report.junit

        #expect(xml.contains("less &lt; more &amp; &quot;so&quot;"))
        #expect(xml.contains(#"tests="5" failures="1" skipped="2""#))
        #expect(xml.contains(#"message="not run: no such build""#))
        #expect(xml.contains(#"message="not applicable: no radio of it""#))
        #expect(!xml.contains("\u{1}"))
    }

    @Test func `JSON can be read back`() throws {
        let object = try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any]
        let checks = try #require(object?["checks"] as? [[String: Any]])

        #expect(object?["kept"] as? Int == 2)
        #expect(object?["notApplicable"] as? Int == 1)
        #expect(checks.map { $0["verdict"] as? String } == ["kept", "broken", "not run", "not applicable", "kept"])
        #expect(checks[2]["reason"] as? String == "no such build")
        let rationale = try #require(checks[4]["grounds"] as? [String: String])
        #expect(rationale["expected"] == "01 01")
        #expect(Set(rationale.keys) == ["given", "expected", "reason", "source", "basis"])
        #expect(checks[0]["grounds"] == nil)
        let matrix = try #require(object?["matrix"] as? [String: Any])
        #expect((matrix["rows"] as? [String])?.prefix(2) == ["CMD_APP_START", "CMD_SEND_TXT_MSG"])
        let cells = try #require(matrix["cells"] as? [[String: Any]])
        #expect(cells.count > 400 && cells.allSatisfy { $0["count"] as? Int == 0 && $0["name"] is String })
    }

    @Test func `the exit status is 0 for all kept, 1 for broken, 2 for no run`() {
        var report = report
        #expect(report.exitCode == 1)
        report.entries.remove(at: 1)
        #expect(report.exitCode == 0)
        report.abortedBecause = "gone"
        #expect(report.exitCode == 2)
        #expect(ComplianceReport(target: "x").exitCode == 2)
    }
}

/// The words of `--only` and `--target`.
struct SelectionTests {
    @Test(arguments: [
        ("34", 1), ("CMP-034", 1), ("cmp-034,35", 2), ("50-82", 33), ("CMP-050-CMP-082", 33), ("F", 33),
        ("conversation/*", 16), ("CMP-00*", 9), ("reboot", 6), ("MATRIX-0B-*", 2), ("no such thing", 0), ("300", 0),
    ])
    func `a pattern chooses`(_ pattern: String, _ count: Int) {
        #expect(Check.all.count(where: Selection(pattern).chooses) == count)
    }

    @Test(arguments: ["*", ""])
    func `everything is statements, conversations and the matrix`(_ pattern: String) {
        let rest = MatrixCheck.all.count + VersionProbe.all.count
        #expect(Check.all.count(where: Selection(pattern).chooses) == 261 + 16 + rest)
    }

    @Test func `nothing selected is no run`() {
        #expect(throws: ComplianceRun.Problem.self) { try ComplianceRun.emulator(only: "no such thing") }
        #expect(throws: ComplianceRun.Problem.self) { try ComplianceRun.emulator(only: "34,no such thing") }
    }

    @Test(arguments: [
        "emulator", "tcp://127.0.0.1:5000", "tcp://radio.local", "tcp://[::1]:5000", "tcp://[::1]",
        "serial:/dev/ttyUSB0",
    ])
    func `a target is named`(_ name: String) throws {
        #expect(try Target(name).place == Target(words: [name]).place)
    }

    @Test(arguments: [
        "", "emulators", "tcp://", "tcp://:5000", "tcp://host:0", "tcp://host:port", "tcp://[::1", "serial:",
    ])
    func `what is no target is refused`(_ name: String) {
        #expect(throws: LinkError.self) { try Target(name) }
    }

    @Test func `a radio that is not there is no run`() throws {
        // Port 1 is reserved and nobody listens there.
        let name = try Target("tcp://127.0.0.1:1")

        #expect(throws: ComplianceRun.Problem.self) { try ComplianceRun(target: name).perform() }
    }
}

/// Runs that end early.
struct InterruptedRunTests {
    @Test func `an interrupted run reports what it has seen and could not run`() throws {

        let report = try ComplianceRun(target: .emulator, only: Selection("CMP-00*")).perform(isInterrupted: { true })

        #expect(report.entries.map(\.id) == ["CMP-001"])
        #expect(report.exitCode == 2)
        #expect(report.summary.hasSuffix("the run ended early: interrupted"))
    }
}
