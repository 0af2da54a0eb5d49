import ArgumentParser
import Foundation
import MeshCompanion
import MeshVirtualTime
import PocketMeshServices
import Testing

@testable import meshbed

/// Lines of `meshbed client shell`.
@Suite struct ClientShellTests {
    @Test(arguments: [
        ("", []), ("   ", []), ("send bob hi", ["send", "bob", "hi"]),
        ("send bob 'are you there?'", ["send", "bob", "are you there?"]),
        (#"send "the bob" it\'s"#, ["send", "the bob", "it's"]), (#"a '' "" b"#, ["a", "", "", "b"]),
        (#"'a\b' "a\"b" a\ b"#, [#"a\b"#, #"a"b"#, "a b"]), ("a\tb  c", ["a", "b", "c"]), ("x'y'z", ["xyz"]),
    ])
    func `a line is parted into words`(line: String, words: [String]) throws {
        #expect(try ClientShell.words(of: line) == words)
    }

    @Test(arguments: ["send bob 'hi", "\"", "end\\"]) func `a line that ends too early is refused`(line: String) {
        #expect(throws: ShellError.self) { try ClientShell.words(of: line) }
    }

    @Test func `lines are commands over one connection`() throws {
        let radio = ScriptedCompanion()
        let ends = try withClient(radio) { (client, _) async throws in
            try await client.whileConnected(["shell"]) { app, _ in
                let shell = try #require(try Meshbed.parseAsRoot(["client", "shell"]) as? ClientShell)
                var ends: [ClientShell.LineEnd] = []
                for line in [
                    "", "# a remark", "contacts", "clock", "advert --flood", "help", "send nobody hi", "nonsense",
                    "contacts --nonsense", "send 'open", "shell", "messages", "quit", "exit",
                ] {
                    ends.append(await shell.perform(line: line, app))
                }
                return ends
            }
        }

        let good = ClientShell.LineEnd.done
        #expect(
            ends == [good, good, good, good, good, good] + Array(repeating: .failed, count: 6) + [.quit, .quit])
        // One introduction: the connection stayed.
        #expect(radio.count(.deviceQuery) == 1)
        #expect(radio.count(.sendSelfAdvert) == 1)
    }

    @Test func `commands of the shell inherit its database and its output`() throws {
        let shell = try #require(
            try Meshbed.parseAsRoot(["client", "--db", "/a.sqlite", "--json", "shell"]) as? ClientShell)

        let messages = try #require(try ClientShell.command(["messages", "bob"], shell.options) as? ClientMessages)

        #expect(messages.options.givenDB == "/a.sqlite")
        #expect(messages.options.json)
    }
}
