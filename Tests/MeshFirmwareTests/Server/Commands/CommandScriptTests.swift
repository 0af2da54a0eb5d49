import MeshCrypto
import MeshTestSupport
import MeshTime
import Testing

@testable import MeshFirmware

/// Recorded sessions on the consoles of booted nodes.
@Suite struct CommandScriptTests {
    @Test(.proves("INF-201", "INF-206", "INF-209", "INF-210"), arguments: ServerRole.allCases)
    func `the recorded script is answered line by line`(role: ServerRole) {
        let lines = CommandScript.lines("CLI-SCRIPT")

        let differing = ConsoleBench.play(lines, on: role, board: .hostBoard)

        #expect(differing == [])
        #expect(lines.count == 219)
    }

    @Test(arguments: ServerRole.allCases)
    func `a build that knows GPS but has none answers as recorded`(role: ServerRole) {
        var board = BoardProfile.hostBoard
        board.gpsBuild = .withoutProvider
        let lines = CommandScript.lines("CLI-GPS")

        #expect(ConsoleBench.play(lines, on: role, board: board) == [])
        #expect(lines.count == 12)
    }

    @Test func `a repeater with a serial bridge answers as recorded`() {
        var board = BoardProfile.hostBoard
        board.bridge = .rs232
        let lines = CommandScript.lines("CLI-BRIDGE")

        #expect(ConsoleBench.play(lines, on: .repeater, board: board) == [])
        #expect(lines.count == 19)
    }

    private struct Loads: Decodable {
        let cases: [Load]

        struct Load: Decodable {
            let role: String
            let lines: [Line]

            struct Line: Decodable {
                let line: String
                let reply: String?
            }
        }
    }

    @Test(.proves("INF-205"), arguments: [ServerRole.repeater, .roomServer])
    func `a load on the console swallows lines up to a blank one`(role: ServerRole) throws {
        let loads = InfrastructureVectors.read("REGION-LOAD", as: Loads.self).cases
        let load = try #require(loads.first { $0.role == role.commandName })
        var console = ConsoleBench(role)

        for line in load.lines { #expect(console.type(line.line) == line.reply ?? "", "\(line.line)") }

        #expect(loads.count == 2)
    }
}
