import ArgumentParser
import BluetoothCapture
import Foundation
import MeshCapture
import MeshCaptureIO
import Testing

@testable import meshbed

/// `meshbed capture` with what a sniffer heard: keys on the command line, and who is at the ends of connections.
@Suite struct AirCaptureCommandTests {
    /// Two connections of an app to `MeshCore-alice`: it pairs in the old way with the PIN 123456, leaves, comes back.
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "WorldTests/Resources/legacy-pairing.pcap").path
    private static let key = "101112131415161718191a1b1c1d1e1f"

    /// The lines that `capture show` prints, as the command runs.
    private static func shown(_ words: String...) throws -> [String] {
        let command = try #require(try Meshbed.parseAsRoot(["capture", "show", file] + words) as? CaptureShow)
        var lines: [String] = []
        _ = try command.show(try LoadedCapture(command.file, command.keys.options)) { lines.append($0) }
        return lines
    }

    @Test func `with the PIN both connections are read`() throws {
        let lines = try Self.shown("--pin", "123456")

        #expect(lines.filter { $0.hasPrefix("connection ") } == ["connection 1", "connection 2"])
        #expect(lines.count { $0.contains("> CMD_APP_START") } == 2)
        #expect(lines.count { $0.contains("< RESP_CODE_SELF_INFO") } == 2)
        #expect(!lines.contains { $0.contains("encrypted from here on") })
        for command in ["show", "info"] {
            #expect(CaptureCommandTests.status(command, Self.file, "--pin", "123456") == 0)
        }
    }

    @Test func `with the long term key the connection after the pairing is read`() throws {
        let lines = try Self.shown("--ltk", Self.key)

        #expect(lines.count { $0.contains("> CMD_APP_START") } == 1)
        #expect(lines.count { $0.contains("encrypted from here on: frames cannot be read") } == 1)
        #expect(try Self.shown("--ltk", Self.key.uppercased(), "--ltk", String(repeating: "0", count: 32)) == lines)
        #expect(CaptureCommandTests.status("show", Self.file, "--ltk", Self.key) == 0)
    }

    @Test func `without a key it says that frames cannot be read`() throws {
        let lines = try Self.shown()

        #expect(!lines.contains { $0.contains("CMD_") })
        #expect(lines.contains { $0.contains("encrypted from here on: frames cannot be read") })
    }

    @Test func `a PIN or a key that is not the capture's is refused with status 2`() throws {
        func reason(_ words: String...) throws -> String {
            let failure = #expect(throws: LoadedCapture.Failure.self) {
                let command = try #require(
                    try Meshbed.parseAsRoot(["capture", "show", Self.file] + words) as? CaptureShow)
                _ = try LoadedCapture(command.file, command.keys.options)
            }
            return try #require(failure).description
        }

        #expect(
            try reason("--pin", "654321") == "\(Self.file): no pairing in it was made with the PIN that is given")
        #expect(
            try reason("--ltk", String(repeating: "ab", count: 16))
                == "\(Self.file): no key that is given opens its encrypted packets")
        for command in ["show", "info"] {
            #expect(CaptureCommandTests.status(command, Self.file, "--pin", "654321") == 2)
        }
        let folder = try CaptureCommandTests.Folder()
        let words = ["convert", Self.file, folder.path("a"), "--to", "capture", "--connection", "1", "--pin"]
        #expect(CaptureCommandTests.status(words + ["654321"]) == 2)
        #expect(!FileManager.default.fileExists(atPath: folder.path("a")))
        #expect(CaptureCommandTests.status(words + ["123456"]) == 0)
        #expect(try folder.read("a").contains("ble > 01"))
    }

    @Test(
        arguments: [
            ["--pin", "12345"], ["--pin", "1234567"], ["--pin", "abcdef"], ["--pin", "+12345"], ["--pin", ""],
            ["--pin", "１２３４５６"], ["--pin"], ["--ltk", "10"], ["--ltk", String(repeating: "g", count: 32)],
            ["--ltk", String(repeating: "0", count: 34)], ["--ltk"],
        ], ["show", "info"])
    func `a malformed PIN or key ends with status 2 and says what is wrong`(words: [String], command: String) throws {
        let error = #expect(throws: (any Error).self) {
            try Meshbed.parseAsRoot(["capture", command, Self.file] + words)
        }

        let message = Meshbed.message(for: try #require(error))
        #expect(Meshbed.status(of: try #require(error)).rawValue == 2)
        let reason = words[0] == "--pin" ? "a PIN has six digits" : "expected a key of 16 bytes in hex"
        #expect(message.contains(words.count == 1 ? "Missing value for '\(words[0])" : reason), "\(message)")
    }

    @Test func `info and show say who the radio was, and which radios advertised`() throws {
        let capture = try LoadedCapture(Self.file, AirOptions(pin: 123_456))

        for part in capture.parts {
            #expect(
                part.details.contains { $0 == ("peer", "MeshCore-alice, c0:ff:ee:00:11:22 (random)") })
            #expect(part.details.contains { $0 == ("app's side", "5a:11:22:33:44:55 (random)") })
            #expect(part.recording.entries.first?.note == "MeshCore-alice, c0:ff:ee:00:11:22 (random)")
            #expect(
                part.recording.entries.first?.shown.hasSuffix(
                    "ble + connected: MeshCore-alice, c0:ff:ee:00:11:22 (random)") == true)
        }
        #expect(
            capture.radios.map { AdvertisedRadio($0).cells } == [
                ["MeshCore-alice", "c0:ff:ee:00:11:22 (random)", "4", "1"]
            ])
    }
}
