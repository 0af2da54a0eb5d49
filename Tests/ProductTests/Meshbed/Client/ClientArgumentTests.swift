import ArgumentParser
import Foundation
import MeshEmulator
import MeshTransports
import PocketMeshServices
import Testing

@testable import meshbed

/// The arguments of `meshbed client`, and its output.
@Suite struct ClientArgumentTests {
    private static func parse<T>(_ words: String..., as type: T.Type) throws -> T? {
        try Meshbed.parseAsRoot(["client"] + words) as? T
    }

    @Test func `options stand before or behind the command`() throws {
        for words in [["--target", "serial:/dev/x", "info"], ["info", "--target", "serial:/dev/x"]] {
            let info = try #require(try Meshbed.parseAsRoot(["client"] + words) as? ClientInfo)

            #expect(info.options.givenTarget == .link(.serial(path: "/dev/x")))
        }
    }

    @Test func `retries are one of the presets, and each says what it does`() throws {
        let send = try #require(try Self.parse("send", "bob", "hi", "--retries", "direct-first", as: ClientSend.self))

        #expect(try ClientSetup(send.options, environment: [:]).profile == .prd)
        #expect(throws: (any Error).self) { try Self.parse("info", "--retries", "newest", as: ClientInfo.self) }
        #expect(Set(RetryPreset.allCases.map(\.profile)) == Set(StackProfile.presets.map(\.profile)))
        #expect(RetryPreset.directFirst.meaning == "4 attempts, by flood after 3")
        // A board is a profile, of `emulate`.
        #expect(throws: (any Error).self) { try Self.parse("info", "--profile", "heltec", as: ClientInfo.self) }
    }

    @Test func `a code is for a person, and of a link that is exported`() throws {
        let contacts = try #require(try Self.parse("contacts", "--export", "me", "--qr", as: ClientContacts.self))

        #expect(contacts.showsCode)
        #expect(throws: (any Error).self) { try Self.parse("contacts", "--qr", as: ClientContacts.self) }
        #expect(throws: (any Error).self) {
            try Self.parse("contacts", "--export", "me", "--qr", "--json", as: ClientContacts.self)
        }
    }

    @Test func `settings take radio parameters, presets and positions`() throws {
        let radio = try #require(
            try Self.parse("settings", "--radio", "869.618,62.5,8,5", as: ClientSettings.self)?.radio)
        let place = try #require(try Self.parse("settings", "--position=-33.5,151", as: ClientSettings.self)?.position)

        #expect(radio.frequencyKHz == 869_618)
        #expect(radio.bandwidthHz == 62_500)
        #expect((radio.spreadingFactor, radio.codingRate) == (8, 5))
        #expect((place.latitude, place.longitude) == (-33.5, 151))
    }

    @Test(arguments: [
        ["settings", "--radio", "869.618,62.5,8"], ["settings", "--radio", "nan,62.5,8,5"],
        ["settings", "--radio", "869.6,62.5,8.5,5"], ["settings", "--preset", "moon"],
        ["settings", "--position", "12"], ["settings", "--name", String(repeating: "x", count: 32)],
        ["settings", "--name", ""], ["channel", "join", "Private"],
        ["channel", "join", "#" + String(repeating: "x", count: 31)],
        ["send", "bob", ""], ["send", "bob", String(repeating: "x", count: 161)],
        ["watch", "--for", "9223372036854775807"], ["watch", "--for=-1"],
        ["room", "r", "--wait", "9223372036854775807"],
        ["settings", "--preset", "vn", "--radio", "869.618,62.5,8,5"], ["channel", "join", "family"],
        ["channel", "join", "crew", "--secret", "0011"], ["messages", "--mark-read"], ["info", "--target", "http://x"],
        ["sync", "--at-most", "0"], ["trace"], ["trace", "rep1", "--path", "1a"], ["trace", "--path", "1a,2b3c"],
        ["variables", "gps"], ["settings", "--pin", "12345"], ["telemetry", "--over", "60"],
        ["messages", "--search", ""],
        ["channel", "join", "#a", "--secret", "00112233445566778899aabbccddeeff", "--passphrase", "x"],
    ])
    func `what makes no sense ends with status 2`(words: [String]) throws {
        let error = #expect(throws: (any Error).self) { try Meshbed.parseAsRoot(["client"] + words) }

        #expect(try Meshbed.status(of: #require(error)).rawValue == 2)
    }

    @Test func `everybody's channel needs no secret`() throws {
        #expect(try Self.parse("channel", "join", "Public", as: ClientChannel.Join.self)?.name == "Public")
    }

    @Test func `a database that cannot be opened is missed in the words of the system`() throws {
        let folder = FileManager.default.temporaryDirectory.path
        for options in [PersistenceStore.Options(), .init(isReadOnly: true)] {
            let error = #expect(throws: StackError.self) {
                try PersistenceStore(path: folder, options: options)
            }
            #expect(error.map { "\($0)" } == "the database \(folder) cannot be opened: Is a directory")
        }
        let error = #expect(throws: StackError.self) {
            try PersistenceStore(path: folder + "/no-such.sqlite", options: .init(isReadOnly: true))
        }
        #expect(
            error.map { "\($0)" }
                == "the database \(folder)/no-such.sqlite cannot be opened: No such file or directory")
    }

    @Test func `columns are as wide as their widest cell`() {
        let lines = TextTable.lines(["name", "type"], [["a longer name", "chat"], ["b", "room server"]], indent: "")

        #expect(lines == ["name           type", "a longer name  chat", "b              room server"])
    }
}
