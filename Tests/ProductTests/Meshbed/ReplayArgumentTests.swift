import ArgumentParser
import Foundation
import MeshCapture
import MeshEmulator
import MeshTransports
import Testing

@testable import meshbed

/// The arguments of `meshbed replay`.
@Suite struct ReplayArgumentTests {
    private static func parse(_ words: String...) throws -> Replay {
        try #require(try Meshbed.parseAsRoot(["replay", "a.capture"] + words) as? Replay)
    }

    @Test func `a recording plays one side, or drives the stack`() throws {
        #expect(try Self.parse("--as", "radio", "--endpoint", "pty:./a.tty").endpoint == .pty(path: "./a.tty"))
        #expect(try Self.parse("--as", "client", "--target", "emulator").role == .client)
        #expect(try Self.parse("--into", "stack", "--json", "-").into == .stack)
        #expect(throws: (any Error).self) { try Self.parse() }
        #expect(throws: (any Error).self) { try Self.parse("--as", "radio", "--into", "stack") }
        #expect(throws: (any Error).self) { try Self.parse("--as", "client") }
        #expect(throws: (any Error).self) { try Self.parse("--as", "radio", "--speed", "0") }
    }

    @Test(arguments: [
        "--as radio b.capture", "--as radio --expect-beside", "--as client --target emulator --outcome -",
        "--into stack --expect-beside --write-beside", "--into stack --expect a.json --expect-beside",
        "--into stack b.capture --expect a.json", "--into stack b.capture --outcome -",
        "--into stack --json - --outcome -", "--into stack --json - --junit -", "--into stack --expect-beside -",
        "--into stack b.capture --connection 1", "--into stack --outcome - --annotations",
    ])
    func `what does not go together is refused`(words: String) {
        #expect(throws: (any Error).self) {
            try Meshbed.parseAsRoot(["replay", "a.capture"] + words.split(separator: " ").map(String.init))
        }
    }

    @Test(arguments: [
        "--into stack b.capture --expect-beside --json - --junit a.xml", "--into stack --write-beside",
        "--as client --target emulator b.capture --html a.html", "--as radio --json -",
    ])
    func `several recordings and reports of all kinds are taken`(words: String) throws {
        let command = try Meshbed.parseAsRoot(["replay", "a.capture"] + words.split(separator: " ").map(String.init))

        #expect((command as? Replay)?.files.first == "a.capture")
    }

    @Test(arguments: [
        ("--into stack --once", "--once goes with --as radio"),
        ("--into stack --target emulator", "--target goes with --as client"),
        ("--as client --target emulator --endpoint pty:x", "--endpoint goes with --as radio"),
        ("--as radio --seed 7", "--seed goes with --as client"),
        ("--as client --target tcp://radio --world solo", "--world goes with --target emulator"),
    ])
    func `an option that would mean nothing is refused`(words: String, reason: String) {
        let error = #expect(throws: (any Error).self) {
            try Meshbed.parseAsRoot(["replay", "a.capture"] + words.split(separator: " ").map(String.init))
        }

        #expect(error.map { Meshbed.fullMessage(for: $0).contains(reason) } == true)
    }

    @Test func `a folder stands for the recordings in it and below, by their paths`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("replays-\(UUID().uuidString)")
            .path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["b.capture", "a/z.capture", "a/z.stack.json", "notes.txt"] {
            let path = folder + "/" + name
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try Data().write(to: URL(fileURLWithPath: path))
        }
        try FileManager.default.createDirectory(atPath: folder + "/empty", withIntermediateDirectories: false)

        #expect(
            try RecordingFiles(["c.capture", folder, "-"]).paths
                == ["c.capture", folder + "/a/z.capture", folder + "/b.capture", "-"])
        #expect(try RecordingFiles([folder + "/a/"]).paths == [folder + "/a/z.capture"])
        #expect { try RecordingFiles([folder + "/empty"]) } throws: {
            "\($0)".contains("/empty: there is no *.capture")
        }
    }

    @Test func `what may differ is classes in singular or plural, fields, pushes, or nothing`() throws {
        func rules(_ list: String) throws -> DifferenceRules {
            try Self.parse("--as", "client", "--target", "emulator", "--may-differ", list).rules
        }

        #expect(try Self.parse("--as", "client", "--target", "emulator").rules == .replay)
        #expect(try rules("none") == .none)
        #expect(try rules("time,keys") == DifferenceRules(mayDiffer: [.time, .key]))
        #expect(
            try rules("random,battery,PUSH_CODE_ADVERT")
                == DifferenceRules(mayDiffer: [.random], fields: ["battery", "PUSH_CODE_ADVERT"]))
    }
}
