import MeshBoards
import MeshTransports
import Testing

@testable import MeshCompliance

/// A radio that its own firmware crashes, where the firmware is undefined.
struct CrashTests {
    private static let radio = Target(.tcp(host: "127.0.0.1", port: 1), allowing: .destructive)

    @Test func `a radio that crashes where its firmware is undefined is waited for, and the restart is counted`() throws
    {
        let target = SomebodysRadio(crashesOn: [0x03, 0x00, 0x01])
        let checks = Selection("50,MATRIX-03-cut,MATRIX-0E-longest")

        let report = try ComplianceRun(target: Self.radio, only: checks).perform(on: target)

        #expect(report.abortedBecause == nil)
        #expect(report.broken == 0, "\(report.text(isVerbose: true))")
        #expect(report.restarts == ["MATRIX-03-cut"])
        let crash = try #require(report.entries.first { $0.id == "MATRIX-03-cut" })
        #expect(crash.verdict == .notApplicable("the radio has restarted: its firmware is undefined here"))
        #expect(report.kept == 2)
        #expect(report.text().contains("The radio restarted by itself 1 time, in MATRIX-03-cut"))
        #expect(report.json.contains("restarted by itself 1 time"))
    }

    @Test func `a radio that crashes where its answer is known breaks the statement, and the run goes on`() throws {
        let target = SomebodysRadio(crashesOn: [0x08] + [UInt8]("ab".utf8) + [0] + [UInt8]("cd".utf8))

        let report = try ComplianceRun(target: Self.radio, only: Selection("51,52")).perform(on: target)

        #expect(report.abortedBecause == nil)
        #expect(report.entries.map(\.isBroken) == [true, false])
        #expect(report.kept == 1)
        #expect(report.restarts == ["CMP-051"])
    }

    @Test func `a radio that answers there is kept`() throws {
        let target = SomebodysRadio(crashesOn: [0xFE, 0xFE])

        let report = try ComplianceRun(target: Self.radio, only: Selection("MATRIX-03-cut"))
            .perform(on: target)

        #expect(report.kept == 1)
        #expect(report.restarts.isEmpty)
    }
}

extension SomebodysRadio {
    /// One whose firmware crashes on a frame.
    fileprivate convenience init(crashesOn fatal: [UInt8]) {
        self.init()
        fault = { $0 == fatal ? .crash : nil }
    }
}
