import MeshBoards
import MeshCompanion
import MeshFirmware
import MeshReports
import MeshTransports
import Testing

@testable import MeshCompliance

/// Radios of other authors: all devices that send frames are judged, statement by statement.
@Suite struct StrangersTests {
    private static let target = Target(ScriptedRadio.address)

    private static func run(_ radio: any ComplianceTarget, _ only: Selection = .all) throws -> ComplianceReport {
        try ComplianceRun(target: target, only: only).perform(on: radio)
    }

    private static func problem(_ radio: any ComplianceTarget) throws -> String {
        let problem = #expect(throws: ComplianceRun.Problem.self) { try run(radio) }
        return try #require(problem).description
    }

    /// DEVICE_INFO of level 3 in place of a frame of level 13: 80 bytes, nothing behind the version.
    private static func aged(_ frame: [UInt8]) -> [UInt8] {
        [0x0D, 3] + frame[2..<60] + [UInt8]("v1.4.0".utf8).padded(to: 20)
    }

    @Test func `a radio of level 3 is judged to the end, and what it is held against is said`() throws {
        let radio = SomebodysRadio {
            $0.maxContacts = 100
            $0.maxChannels = 8
        }
        radio.abilities = [.link, .secondClient]
        var said: [UInt8] = []
        radio.tamper = { bytes in
            guard bytes.count == 85, bytes[3] == 0x0D else { return }
            said = Self.aged([UInt8](bytes.dropFirst(3)))
            bytes = [0x3E, 80, 0] + said
        }

        let report = try Self.run(radio)

        #expect(said.count == 80)
        #expect(said.prefix(8) == [0x0D, 0x03, 0x32, 0x08, 0, 0, 0, 0])
        #expect(report.entries.map(\.id) == Check.all.map(\.id))
        #expect(report.abortedBecause == nil)
        #expect(report.version == .v1_14)
        #expect(
            report.notes.contains(
                "The radio says level 3, version 'v1.4.0', which is older than all known ones: it is held against 1.14; "
                    + "--firmware chooses another one."))
        let broken = report.entries.filter(\.isBroken).map(\.id)
        #expect(broken.contains("CMP-040"))
        #expect(!broken.contains("CMP-127") && !broken.contains("CMP-049"))
        #expect(report.kept > 100)
        #expect(report.exitCode == 1)
    }

    @Test func `a radio that answers everything with UNSUPPORTED_CMD gets a verdict for each statement`() throws {
        let radio = ScriptedRadio.framed { _ in [0x01, 0x01] }

        let report = try Self.run(radio)

        #expect(report.entries.map(\.id) == Check.all.map(\.id))
        #expect(report.abortedBecause == nil)
        #expect(
            report.notes.first
                == "The radio does not say its version: it is held against 1.17.1; --firmware chooses another one.")
        let kept = report.entries.filter(\.isKept).map(\.id)
        #expect(kept.contains("CMP-033") && !kept.contains("CMP-034"))
        #expect(report.broken > 60 && report.lacking > 40)
        #expect(report.entries.filter(\.isBroken).allSatisfy { !$0.exchange.isEmpty && !$0.repeatCommand.isEmpty })
        #expect(report.exitCode == 1)
    }

    @Test func `such a radio is in all reports`() throws {
        let report = try Self.run(ScriptedRadio.framed { _ in [0x01, 0x01] }, Selection("33,50,126"))
        let file = TestReport(report)

        for text in [file.text(), file.json, file.junit, HTMLReport(file).html] {
            #expect(text.contains("CMP-050"))
            #expect(text.contains("does not say its version"))
        }
        #expect(report.text().contains("got       01 01"))
    }

    @Test func `a radio that answers nothing but says something is judged, too`() throws {
        let radio = ScriptedRadio.framed { _ in [0x83] }

        let report = try Self.run(radio, Selection("33,50-52"))

        #expect(report.entries.count == 4)
        #expect(report.broken == 4)
        #expect(report.abortedBecause == nil)
    }

    /// A radio that heeds settings without a word does not end the run, and is not asked for ever.
    @Test func `a step of the way back that stays unanswered is tried at the end once more`() throws {
        let radio = SomebodysRadio()
        var lost = 0
        radio.fault = { frame in
            guard frame.first == 0x15 else { return nil }
            lost += 1
            return .silence
        }

        let report = try Self.run(radio, Selection("65,66,50-52"))

        #expect(report.entries.count == 5)
        #expect(report.kept >= 3)
        // The baseline, two statements, and the end of the run.
        #expect(2...8 ~= lost)
    }

    @Test func `a radio that answers late questions only is still found`() throws {
        let radio = ScriptedRadio.framed { $0 == [0x05] ? [0x09, 1, 2, 3, 4] : $0.first == 0x07 ? [0] : nil }

        let report = try Self.run(radio, Selection("50"))

        #expect(report.entries.count == 1)
        #expect(report.abortedBecause == nil)
    }

    // MARK: Refusals

    @Test func `only a silent radio is refused, and how it was asked is said`() throws {
        let radio = ScriptedRadio { _ in [] }

        #expect(
            try Self.problem(radio)
                == "tcp://127.0.0.1:1 is silent: nothing came within 5000 ms of APP_START, DEVICE_QUERY, GET_DEVICE_TIME, "
                + "GET_CONTACTS each")
        // The last time when every frame is complete that could have been open on its line.
        #expect(radio.asked == 6)
    }

    @Test(arguments: [
        ([UInt8]("HTTP/1.1 400 Bad Request\r\n".utf8), "'HTTP/1.1 400 Bad Request'"), ([0x94, 0xC3, 0x00], "94 C3 00"),
    ])
    func `another protocol is refused, and what was seen of it is said`(bytes: [UInt8], seen: String) throws {
        var isFirst = true
        let radio = ScriptedRadio { _ in
            defer { isFirst = false }
            return isFirst ? bytes : []
        }

        #expect(
            try Self.problem(radio)
                == "tcp://127.0.0.1:1 does not speak the companion protocol: no frame came, but these bytes first: "
                + seen)
    }
}
