import Foundation
import MeshFiles
import MeshTransports
import Testing

@testable import MeshBoards
@testable import MeshCompliance

/// Commands of a user, for the power of boards.
@Suite struct UserCommandTests {
    @Test func `a command gets its words as they are, and no shell reads them`() throws {
        let folder = try LabFolder()
        let words = ["printf", "%s|", "a b", "$HOME", "; touch \(folder.path)/x", "*"]

        let output = try UserCommand(words, limitSeconds: 60).run()

        #expect(String(decoding: output, as: UTF8.self) == "a b|$HOME|; touch \(folder.path)/x|*|")
        #expect(folder.files == [])
    }

    @Test(arguments: [
        (["false"], "false ended with exit status 1"),
        (["/bin/sh", "-c", "kill -9 $$"], "/bin/sh was ended by signal 9"),
        (["no-such-program-here"], "there is no program no-such-program-here"),
        (["/nowhere/program"], "/nowhere/program: No such file or directory"),
    ])
    func `a command that fails says how`(words: [String], reason: String) {
        let failure = #expect(throws: UserCommand.Failure.self) { try UserCommand(words, limitSeconds: 60).run() }

        #expect(failure?.description == reason)
    }

    @Test func `a command that is late is ended, with what it has started`() {
        let failure = #expect(throws: UserCommand.Failure.self) {
            try UserCommand(["/bin/sh", "-c", "sleep 1000 & wait"], limitSeconds: 0).run()
        }

        #expect(failure?.description == "/bin/sh did not end within 0 s")
    }

    @Test func `what a command says for people is part of its output`() {
        let failure = #expect(throws: UserCommand.Failure.self) {
            try UserCommand(["/bin/sh", "-c", "echo out; echo err >&2; exit 3"], limitSeconds: 60).run()
        }

        #expect(failure?.output == "out\nerr\n")
    }

    @Test func `power is switched by the command for a verb, and cycled by two where there is none`() throws {
        let folder = try LabFolder()
        let log = folder.path + "/log"
        func command(_ word: String) -> [String] { ["/bin/sh", "-c", "echo $0 >>\(log)", word] }
        var board = Board(label: "heltec")
        board.power = PowerCommands()
        board.power?.off = command("off")
        let lacking = #expect(throws: Bench.Problem.self) { try board.switchPower(.cycle) }
        board.power?.on = command("on")

        try board.switchPower(.cycle)
        board.power?.cycle = command("cycle")
        try board.switchPower(.cycle)
        try board.switchPower(.off)

        #expect(lacking?.description == "radio \"heltec\" has no command for \"cycle\" in its \"power\"")
        #expect(try String(contentsOfFile: log, encoding: .utf8) == "off\non\ncycle\noff\n")
    }

    @Test func `power is an ability only where the owner allows it`() {
        var target = Target(.serial(path: "/dev/ttyUSB0"))
        var board = Board(label: "heltec", permissions: [])
        board.power = PowerCommands()
        board.power?.cycle = ["true"]
        target.board = board
        #expect(!target.abilities.contains(.power))

        board.permissions = [.power]
        target.board = board

        #expect(target.abilities.contains(.power))
    }
}
