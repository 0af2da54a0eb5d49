import ArgumentParser
import Foundation
import MeshEmulator
import MeshTransports
import PocketMeshServices
import Testing

@testable import meshbed

/// Options, environment and configuration file.
@Suite struct ClientSetupTests {
    private let home = FileManager.default.temporaryDirectory.appending(path: "setup-\(UUID().uuidString)").path

    private func options(_ words: String...) throws -> ClientOptions {
        try #require(try Meshbed.parseAsRoot(["client", "info"] + words) as? ClientInfo).options
    }

    private func write(_ json: String, folder: String = "/meshbed") throws -> [String: String] {
        try FileManager.default.createDirectory(atPath: home + folder, withIntermediateDirectories: true)
        try Data(json.utf8).write(to: URL(filePath: home + folder + "/config.json"))
        return ["XDG_CONFIG_HOME": home]
    }

    @Test func `without anything the radio is at the port of this machine, and nothing is kept`() throws {
        let setup = try ClientSetup(options(), environment: [:])

        #expect(setup.target == .link(.tcp(host: "127.0.0.1", port: 5000)))
        #expect(setup.db == nil)
        #expect(setup.profile == .architectureV2)
    }

    @Test func `an option goes before the environment, and that before the file`() throws {
        defer { try? FileManager.default.removeItem(atPath: home) }
        let file = try write(#"{"target": "tcp://file:1", "db": "radio.sqlite", "retries": "long", "at-most": 500}"#)
        let both = file.merging(["MESHBED_TARGET": "tcp://variable:2"]) { $1 }

        let byFile = try ClientSetup(options(), environment: file)
        let byVariable = try ClientSetup(options(), environment: both)
        let byOption = try ClientSetup(
            options("--target", "tcp://option:3", "--db", "/a", "--retries", "short", "--at-most", "7"),
            environment: both)

        #expect(byFile.target == .link(.tcp(host: "file", port: 1)))
        #expect(byFile.db == home + "/meshbed/radio.sqlite", "a relative database is beside the file")
        #expect(byFile.profile.messages == StackProfile.upstreamFinal.messages)
        #expect(byFile.profile.sync.drainLimit == 500)
        #expect(byVariable.target == .link(.tcp(host: "variable", port: 2)))
        #expect(byVariable.db == byFile.db)
        #expect(byOption.target == .link(.tcp(host: "option", port: 3)))
        #expect(byOption.db == "/a")
        #expect(byOption.profile.messages == StackProfile.architectureV1.messages)
        #expect(byOption.profile.sync.drainLimit == 7)
    }

    @Test func `without a folder of configurations it is below the home folder, and need not be there`() throws {
        defer { try? FileManager.default.removeItem(atPath: home) }
        #expect(try ConfigurationFile(environment: ["HOME": home]) == nil)
        _ = try write(#"{"db": "/radio.sqlite"}"#, folder: "/.config/meshbed")

        #expect(try ConfigurationFile(environment: ["HOME": home])?.db == "/radio.sqlite")
        #expect(
            ConfigurationFile.path(environment: ["HOME": home, "XDG_CONFIG_HOME": "relative"])
                == home + "/.config/meshbed/config.json")
    }

    @Test(arguments: [
        (#"{"targt": "tcp://a:1"}"#, #""targt" is none of target, db, retries, at-most"#),
        (#"{"password": "x"}"#, "a password does not belong here; use MESHBED_PASSWORD"),
        (
            #"{"target": "http://x"}"#,
            #"address "http://x": expected tcp://HOST:PORT, serial:PATH, rfc2217://HOST:PORT, socket://HOST:PORT, ble:RADIO[?via=CONTROLLER] or loopback:WORLD/NODE"#
        ),
        (#"{"db": 7}"#, #""db" is not a text"#), (#"{"at-most": 0}"#, #""at-most" is not a number from 1 to 1000000"#),
        (#"{"retries": "prd"}"#, "there is no preset 'prd', there are balanced, short, direct-first, long"),
        ("[]", "is not one JSON object"), ("{", "is not one JSON object"),
        (String(repeating: "[", count: 513), "is not one JSON object"),
        (#"{"at-most": true}"#, #""at-most" is not a number from 1 to 1000000"#),
    ])
    func `what makes no sense in the file is named with the file`(json: String, reason: String) throws {
        defer { try? FileManager.default.removeItem(atPath: home) }
        let environment = try write(json)

        let error = #expect(throws: ClientSetupError.self) { try ClientSetup(options(), environment: environment) }

        #expect(error?.description == "\(home)/meshbed/config.json: \(reason)")
    }

    @Test func `a variable that is no address is named`() throws {
        let error = #expect(throws: ClientSetupError.self) {
            try ClientSetup(options(), environment: ["MESHBED_TARGET": "nowhere"])
        }

        #expect(
            error?.description
                == "MESHBED_TARGET: address \"nowhere\": expected tcp://HOST:PORT, serial:PATH, "
                + "rfc2217://HOST:PORT, socket://HOST:PORT, ble:RADIO[?via=CONTROLLER] or loopback:WORLD/NODE")
    }

    @Test func `the help says where they are`() {
        let help = Meshbed.helpMessage(for: Client.self)

        for text in ["MESHBED_TARGET", "$XDG_CONFIG_HOME/meshbed/config.json", "at-most", "MESHBED_PASSWORD"] {
            #expect(help.contains(text), "\(text)")
        }
    }
}
