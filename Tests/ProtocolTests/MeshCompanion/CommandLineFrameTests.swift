import MeshCompanion
import MeshTestSupport
import MeshWire
import Testing

/// Frames of protocol level 14, written by hand: they were never recorded.
///
/// They follow FWV-120 to FWV-122 and row P17 of the probe table (FirmwareVersions, sections 2.8 and 7).
@Suite struct CommandLineFrameTests {
    @Test(arguments: [("42766572", "ver"), ("423031 7C 6765742074 78".replacing(" ", with: ""), "01|get tx")])
    func `a command line is its code and its text`(_ hex: String, _ line: String) throws {
        let bytes = try #require([UInt8](hex: hex))

        guard case .known(let frame as RunCliCommand) = try CompanionFrame.command(bytes) else {
            Issue.record("not read as a command line")
            return
        }

        #expect(frame.line.string == line)
        #expect(RunCliCommand(ByteText(line)).encoded() == bytes)
        #expect(FramePrinter.printed(bytes, direction: .toRadio).objection == nil)
    }

    @Test(arguments: [("1D", ""), ("1D76312E31382E30", "v1.18.0")])
    func `a reply is its code and its text, which may be empty`(_ hex: String, _ text: String) throws {
        let bytes = try #require([UInt8](hex: hex))

        guard case .known(let frame as Resp.CliReply) = try CompanionFrame.fromRadio(bytes) else {
            Issue.record("not read as a reply")
            return
        }

        #expect(frame.text.string == text)
        #expect(Resp.CliReply(text: ByteText(text)).encoded() == bytes)
    }

    @Test func `a line of one byte is not admitted, and 1.17.1 does not have the command`() {
        let row = CommandCode.runCliCommand.row

        #expect(!row.accepts.admits([66, 0x76]))
        #expect(row.accepts.admits([66, 0x76, 0x65]))
        #expect(FirmwareVersion.v1_18.has(since: row.since))
        #expect(!FirmwareVersion.v1_17_1.has(since: row.since))
    }
}
