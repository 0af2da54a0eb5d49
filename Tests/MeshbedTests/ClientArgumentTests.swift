import ArgumentParser
import Foundation
import MeshTransports
import PocketMeshServices
import Testing

@testable import meshbed

/// What `meshbed client` understands, and what it prints.
@Suite struct ClientArgumentTests {
    private static func parse<T>(_ words: String..., as type: T.Type) throws -> T? {
        try Meshbed.parseAsRoot(["client"] + words) as? T
    }

    @Test func `options stand before or behind the command`() throws {
        for words in [["--target", "serial:/dev/x", "info"], ["info", "--target", "serial:/dev/x"]] {
            let info = try #require(try Meshbed.parseAsRoot(["client"] + words) as? ClientInfo)

            #expect(info.options.target == .serial(path: "/dev/x", baud: 115_200))
        }
    }

    @Test func `a profile is one of the presets`() throws {
        let send = try #require(try Self.parse("send", "bob", "hi", "--profile", "prd", as: ClientSend.self))

        #expect(send.options.profile == .prd)
        #expect(throws: (any Error).self) { try Self.parse("info", "--profile", "newest", as: ClientInfo.self) }
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
        ["channel", "join", "crew", "--secret", "0011"], ["messages", "bob"], ["info", "--target", "http://x"],
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
            let error = #expect(throws: PersistenceStoreError.self) {
                try PersistenceStore(path: folder, options: options)
            }
            #expect(error.map { "\($0)" } == "the database \(folder) cannot be opened: Is a directory")
        }
        let error = #expect(throws: PersistenceStoreError.self) {
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
