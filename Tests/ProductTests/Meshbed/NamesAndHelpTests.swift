import ArgumentParser
import Foundation
import MeshCaptureIO
import MeshCompanion
import Testing

@testable import meshbed

/// Unknown names are refused, and examples of the help can be copied.
@Suite struct NamesAndHelpTests {
    @Test(arguments: [
        (["capture", "show", "a", "--code", "LOGGIN"], "LOGGIN", "CMD_SEND_LOGIN"),
        (["capture", "show", "a", "--code", "SELF_INFO", "--code", "SELF_INF0"], "SELF_INF0", "RESP_CODE_SELF_INFO"),
        (["capture", "show", "a", "--hci", "--code", "Create Conection"], "Create Conection", "Create Connection"),
        (
            ["replay", "a", "--as", "client", "--target", "emulator", "--may-differ", "time,kei"], "kei",
            "PUSH_CODE_ADVERT"
        ),
        (
            ["replay", "a", "--as", "client", "--target", "emulator", "--may-differ", "raw.paths"], "raw.paths",
            "measurement"
        ),
    ])
    func `a name that nothing has is refused, with those there are`(words: [String], name: String, known: String) {
        let error = #expect(throws: (any Error).self) { try Meshbed.parseAsRoot(words) }

        let message = error.map { Meshbed.fullMessage(for: $0) } ?? ""
        #expect(message.contains("'\(name)'"))
        #expect(message.contains(known))
        #expect(error.map { Meshbed.status(of: $0).rawValue } == 2)
    }

    @Test(arguments: [
        ["capture", "show", "a", "--code", "login", "--code", "0xf7", "--code", "advert"],
        ["capture", "show", "a", "--hci", "--code", "meta", "--code", "Vendor Command 0xFC01"],
        [
            "replay", "a", "--as", "client", "--target", "emulator", "--may-differ",
            "keys,none,name,raw.path,path_snr[2],frame,rest,PUSH_CODE_LOG_RX_DATA",
        ],
    ])
    func `a name that something can have is taken`(words: [String]) throws {
        _ = try Meshbed.parseAsRoot(words)
    }

    // MARK: Help

    private static func commands(
        _ command: any ParsableCommand.Type
    ) -> [any ParsableCommand.Type] {
        [command] + command.configuration.subcommands.flatMap { commands($0) }
    }

    /// Help is wrapped at the width of the terminal, 80 columns or more.
    @Test func `no example of a command is wrapped`() {
        for command in Self.commands(Meshbed.self) {
            for line in command.configuration.discussion.split(separator: "\n") {
                let words = line.drop { $0 == " " }
                guard line.hasPrefix(" "), words.hasPrefix("meshbed ") || words.hasPrefix("--") else { continue }
                #expect(line.count <= 80, "\(line)")
            }
        }
    }

    @Test func `an example that takes two lines is one command for a shell`() {
        let help = Meshbed.helpMessage(for: Meshbed.self, columns: 80)

        #expect(help.contains("--endpoint alice=tcp://127.0.0.1:5000 \\\n"))
        #expect(help.contains("\n    --endpoint bob=pty:./bob.tty\n"))
    }

    @Test func `benchmarks say what was measured, and nothing of what we wanted`() {
        for command in Self.commands(BenchCommand.self) {
            #expect(!command.helpMessage(columns: 80).lowercased().contains("goal"), "\(command)")
        }
    }

    // MARK: Summary

    private static let reading: String = {
        var lines = ["meshbed capture 1", "", "0.000000 tcp +", "0.100000 tcp > 05", "0.200000 tcp < 0901020304"]
        for index in 0..<40 {
            let time = String(format: "%.6f", 1 + Double(index) / 10)
            let later = String(format: "%.6f", 1.05 + Double(index) / 10)
            let slot = String(format: "%02X", index)
            lines.append("\(time) tcp > 1F\(slot)")
            lines.append("\(later) tcp < 12\(slot)" + String(repeating: "00", count: 48))
        }
        lines += ["6.000000 tcp > 05", "6.100000 tcp < 0901020304", "7.000000 tcp -", ""]
        return lines.joined(separator: "\n")
    }()

    private func shown(_ words: String...) throws -> [String] {
        let folder = try CaptureCommandTests.Folder()
        let path = try folder.write("a", Self.reading)
        let show = try #require(try Meshbed.parseAsRoot(["capture", "show", path] + words) as? CaptureShow)
        var lines: [String] = []
        _ = try show.show(try LoadedCapture(path)) { lines.append($0) }
        return lines
    }

    @Test func `a summary folds the reading of 40 channels into a line`() throws {
        let whole = try shown()
        let summary = try shown("--summary")

        #expect(whole.count == 86)
        #expect(summary.count == 7)
        #expect(
            summary[3] == "1.000000 tcp 40 × > CMD_GET_CHANNEL < RESP_CODE_CHANNEL_INFO, until 4.950000")
        #expect(summary[1...2].elementsEqual(whole[1...2]))
        #expect(summary[4...6].elementsEqual(whole[83...85]))
    }

    @Test func `a line that breaks the protocol is not folded away`() throws {
        let folder = try CaptureCommandTests.Folder()
        let lines = ["meshbed capture 1", "", "0.0 tcp +"] + (1...5).map { "\($0).0 tcp < 0901020304" }
        let path = try folder.write("a", lines.joined(separator: "\n") + "\n")
        let show = try #require(
            try Meshbed.parseAsRoot(["capture", "show", path, "--summary"]) as? CaptureShow)
        var shown: [String] = []

        let isWell = try show.show(try LoadedCapture(path)) { shown.append($0) }

        #expect(!isWell)
        #expect(shown.count { $0.hasPrefix("  ! ") } == 5)
    }

    @Test(arguments: ["--json", "--fields", "--hci"])
    func `a summary is for people`(option: String) {
        #expect(throws: (any Error).self) {
            try Meshbed.parseAsRoot(["capture", "show", "a", "--summary", option])
        }
    }
}
