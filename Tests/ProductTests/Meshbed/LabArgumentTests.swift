import ArgumentParser
import Foundation
import Testing

@testable import MeshTestbed
@testable import meshbed

/// Labels of a bench file wherever a command takes a target.
@Suite struct LabArgumentTests {
    private static let file = """
        {"format": "meshbed-bench/1", "radios": [
          {"label": "heltec", "address": "serial:/dev/no-such-line", "allow": ["transmit"], "near": ["shelf"],
           "reset": "rts", "power": {"on": ["true"]}},
          {"label": "shelf", "address": "tcp://192.0.2.7", "allow": ["transmit"]},
          {"label": "mute", "address": "tcp://192.0.2.8", "near": ["shelf"]}
        ]}
        """

    /// Runs a body with the path of a bench file in a folder of its own.
    private static func withFile(_ text: String = file, _ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lab-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "boards.json").path
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        try body(path)
    }

    @Test(arguments: [
        ["comply", "--target", "heltec"], ["comply", "--target", "heltec", "--peer", "shelf"],
        ["comply", "--target", "shelf", "--allow-missing"], ["client", "info", "--target", "heltec"],
        ["app", "--target", "heltec"], ["replay", "x.capture", "--as", "client", "--target", "heltec"],
        ["scenario", "run", "--target", "heltec", "--target", "shelf"], ["lab", "power", "heltec", "on"],
        ["lab", "reset", "heltec"], ["lab", "hold", "heltec", "shelf"], ["lab", "restore", "heltec"],
    ])
    func `a label of the file is a target`(words: [String]) throws {
        try Self.withFile { path in
            _ = try Meshbed.parseAsRoot(words + ["--bench", path])
        }
    }

    @Test(arguments: [
        (["comply", "--target", "attic"], "there is no radio \"attic\" on the bench; there are heltec, shelf, mute"),
        (["comply", "--target", "heltec", "--destructive"], "what may be done to \"heltec\" stands in its bench"),
        (["comply", "--target", "heltec", "--peer", "mute"], "is not said to be near \"mute\""),
        (["comply", "--target", "heltec", "--peer", "heltec"], "is the target itself, not another radio"),
        (["comply", "--target", "emulator", "--allow-missing"], "an emulated one is always there"),
        (["client", "info", "--target", "attic"], "there is no radio \"attic\""),
        (["app", "--target", "attic"], "there is no radio \"attic\""),
        (["replay", "x.capture", "--as", "client", "--target", "attic"], "there is no radio \"attic\""),
        (["replay", "x.capture", "--as", "radio"], "--bench goes with --as client"),
        (["scenario", "run", "--target", "attic"], "there is no radio \"attic\""),
        (["scenario", "run", "--target", "mute", "--target", "shelf"], "may not transmit, and scenarios do"),
        (["lab", "power", "attic", "on"], "there is no radio \"attic\""),
        (["lab", "power", "tcp://192.0.2.7", "on"], "is no label"),
        (["lab", "power", "heltec", "up"], "up"),
        (["lab", "hold", "heltec", "heltec"], "a label stands there twice"),
    ])
    func `a word that means nothing there is refused`(words: [String], reason: String) throws {
        try Self.withFile { path in
            let error = #expect(throws: (any Error).self) { try Meshbed.parseAsRoot(words + ["--bench", path]) }

            #expect(error.map { Meshbed.fullMessage(for: $0).contains(reason) } == true, "\(words)")
            #expect(error.map { Meshbed.status(of: $0).rawValue } == 2)
        }
    }

    @Test(arguments: [
        ["comply", "--target", "attic"], ["client", "info", "--target", "attic"], ["app", "--target", "attic"],
        ["scenario", "run", "--target", "attic"], ["lab", "reset", "attic"],
    ])
    func `a label without a file says where files are looked for`(words: [String]) {
        let error = #expect(throws: (any Error).self) { try Meshbed.parseAsRoot(words) }

        let message = error.map { Meshbed.fullMessage(for: $0) } ?? ""
        #expect(message.contains("no file has it as a label: --bench, MESHBED_BENCH, bench.json"), "\(message)")
    }

    @Test func `a mistake in the file is one sentence with its line`() throws {
        try Self.withFile("{\"format\": \"meshbed-bench/1\", \"radios\": [\n{\"label\": 7}]}") { path in
            let error = #expect(throws: (any Error).self) {
                try Meshbed.parseAsRoot(["comply", "--target", "emulator", "--bench", path])
            }

            let message = error.map { Meshbed.fullMessage(for: $0) } ?? ""
            #expect(message.contains("boards.json:2: radios[0].label: must be a text, this is a number"), "\(message)")
        }
    }

    @Test(arguments: [["lab", "power", "heltec", "on"], ["lab", "reset", "heltec"]])
    func `what the owner of a board does not allow is not done`(words: [String]) throws {
        try Self.withFile { path in
            var command = try Meshbed.parseAsRoot(words + ["--bench", path])

            let error = #expect(throws: ExitCode.self) { try command.run() }
            #expect(error?.rawValue == 2)
        }
    }

    @Test func `a label names the same file in another command`() throws {
        try Self.withFile { path in
            let comply = try #require(
                try Meshbed.parseAsRoot(["comply", "--target", "heltec", "--bench", path]) as? Comply)

            #expect(comply.benchOptions.arguments == ["--bench", path])
        }
    }
}
