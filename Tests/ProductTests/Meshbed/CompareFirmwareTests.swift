import ArgumentParser
import Foundation
import MeshCompanion
import MeshTestbed
import Testing

@testable import meshbed

@Suite struct CompareFirmwareTests {
    @Test(arguments: [
        (["1.16", "9.9"], "no firmware '9.9'"), (["1.16"], "Missing expected argument"),
        (["1.16", "1.17.1", "--seeds", "-1"], "--seeds"),
        (["1.16", "1.17.1", "--seeds", "0", "--network", "line:3"], "does not take --network"),
        (["1.16", "1.17.1", "--json", "-", "--html", "-"], "standard output"),
        (["1.17.1", "my.json", "--network", "line:3"], "a report is no node that a mesh could have"),
        (["./my", "1.17.1", "--traffic", "direct:10s"], "does not take --traffic"),
        (["-", "-"], "standard input has one report"),
    ])
    func `bad arguments are refused by name`(_ arguments: [String], _ words: String) {
        do {
            _ = try CompareFirmware.parse(arguments)
            Issue.record("taken: \(arguments)")
        } catch {
            #expect(CompareFirmware.fullMessage(for: error).contains(words))
        }
    }

    @Test func `a side is a version by its name, and else a path`() throws {
        #expect(try ComparedWord.read("1.16") == .version(.v1_16))
        #expect(try ComparedWord.read("my.JSON") == .report("my.JSON"))
        #expect(try ComparedWord.read("reports/1.16") == .report("reports/1.16"))
        #expect(try ComparedWord.read("-") == .report("-"))
    }

    @Test func `a report that is not there, and one of another command, end with status 2`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "compare-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let other = folder.appending(path: "scenarios.json")
        let report = TestReport(title: "Scenarios", command: "scenario run", target: "emulator")
        try report.json.write(to: other, atomically: true, encoding: .utf8)

        for path in [folder.appending(path: "none.json").path, other.path] {
            let code = #expect(throws: ExitCode.self) { try CompareFirmware.parse(["1.17.1", path]).run() }
            #expect(code == ExitCode(2))
        }
    }

    /// The report of an emulated radio itself: no difference, and a page, an object and status 0.
    @Test func `a report of comply is compared with a version`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "compare-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (mine, json, html) = ("mine.json", "out.json", "out.html")
        func path(_ name: String) -> String { folder.appending(path: name).path }
        try TestReport(ComplianceRun(target: .emulator, only: Selection("50-52")).perform()).json
            .write(toFile: path(mine), atomically: true, encoding: .utf8)

        try CompareFirmware.parse(["1.17.1", path(mine), "--json", path(json), "--html", path(html)]).run()

        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path(json)))) as? [String: Any])
        #expect(object["safe"] as? Bool == true)
        #expect(object["statementsAsked"] as? Int == 3)
        #expect(try String(contentsOfFile: path(html), encoding: .utf8).contains("Not asked of a report"))
    }
}
