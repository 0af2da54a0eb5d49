import Testing

@testable import MeshReports

/// Annotations of GitHub Actions.
@Suite struct WorkflowCommandTests {
    private static func broken(_ count: Int) -> TestReport {
        var report = TestReport(title: "Compliance", command: "comply", target: "emulator")
        report.entries = (1...count).map { number in
            .init(kind: .statement, id: "S-\(number)", group: "A", title: "a", verdict: .broken(["got nothing"]))
        }
        return report
    }

    @Test(arguments: [
        ("a: 5 %, b", "x\r\ny", #"::error title=a%3A 5 %25%2C b::x\r\ny"#),
        ("a\r\nb", "100 %", #"::error title=a\r\nb::100 %25"#),
        ("::set-output", "", "::error title=%3A%3Aset-output::%3A%3Aset-output"),
    ])
    func `a value can neither end the command nor begin another`(title: String, message: String, line: String) {
        #expect(WorkflowCommand(.error, title: title, message.isEmpty ? [] : [message]).line == line)
    }

    @Test func `lines of a message are lines of the annotation`() {
        #expect(WorkflowCommand(.warning, title: "t", ["a", "b"]).line == "::warning title=t::a%0Ab")
    }

    @Test func `a broken statement is named with its sentence, its last frames and the command that repeats it`() {
        var report = Self.broken(1)
        var rationale = TestReport.Rationale()
        rationale.sentence = "An answer comes."
        report.entries[0].rationale = rationale
        report.entries[0].repeatCommand = "meshbed comply --only S-1"

        let lines = report.annotations(.fail).map(\.line)

        #expect(
            lines == [
                "::error title=S-1 a::An answer comes.%0Agot nothing%0Arepeat with: meshbed comply --only S-1"
            ])
    }

    @Test func `what is flagged is a warning, what could not run an error, and a quirk's absence a notice`() {
        var report = Self.broken(3)
        report.entries[1].verdict = .couldNotRun("no port")
        report.entries[2].verdict = .differs("no quirk", [])

        #expect(report.annotations(.flag).map(\.level) == [.error, .warning, .notice])
        #expect(report.annotations(.fail).map(\.level) == [.error, .error, .notice])
        #expect(report.annotations(.fail).map(\.title) == ["S-1 a", "S-2 a", "S-3 a"])
    }

    @Test func `GitHub shows ten of a kind, and the last one says how many there are and which`() {
        #expect(Self.broken(10).annotations(.fail).count == 10)

        let shown = Self.broken(12).annotations(.fail)

        #expect(shown.count == 10)
        #expect(shown.last?.line == "::error title=3 more of this kind::S-10 a%0AS-11 a%0AS-12 a")
    }

    @Test func `a run that broke off or kept nothing is an error of its own`() {
        var report = Self.broken(1)
        report.entries[0].verdict = .kept
        #expect(report.annotations(.fail).isEmpty)

        report.abortedBecause = "the cable"
        #expect(report.annotations(.flag).map(\.line) == ["::error title=The run ended early::the cable"])

        report.abortedBecause = nil
        report.entries = []
        #expect(report.annotations(.fail).first?.title == "Nothing was kept")
    }

    @Test(arguments: [
        ("BROKEN   S-1\n   ::stop-commands::x", "BROKEN   S-1\n   : :stop-commands::x"),
        ("\u{3000}::error::x\r\n::add-mask::e", "\u{3000}: :error::x\\r\n: :add-mask::e"),
        ("got  ##[error]x", "got  ## [error]x"), ("a ::error::b", "a ::error::b"), ("::", ": :"), ("", ""),
        ("\n", "\n"),
    ])
    func `text of a radio is no command`(text: String, shown: String) {
        #expect(WorkflowCommand.inert(text) == shown)
    }

    @Test(arguments: [(Int32(0), Int32(0)), (1, 0), (2, 2)])
    func `findings that are flagged do not fail, and a run that was not possible does`(code: Int32, flagged: Int32) {
        #expect(ExitPolicy.flag.exitCode(of: code) == flagged)
        #expect(ExitPolicy.fail.exitCode(of: code) == code)
    }
}
