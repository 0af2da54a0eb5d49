import MeshTestbed
import PocketMeshUI
import Testing

@testable import meshbed

/// Codes on a terminal.
@Suite struct QRCodeTerminalTests {
    private static let plain = TerminalStyle(isTerminal: false, environment: [:])
    private static let colored = TerminalStyle(isTerminal: true, environment: ["TERM": "xterm"])

    /// The darkness of a character's upper and lower module.
    private static let halves: [Character: (upper: Bool, lower: Bool)] = [
        "█": (false, false), "▀": (false, true), "▄": (true, false), " ": (true, true),
    ]

    /// The dark modules of each line and its two rows.
    private func modules(_ lines: [String]) throws -> [[Bool]] {
        try lines.flatMap { line in
            let pairs = try line.map { try #require(Self.halves[$0], "'\($0)' is no block") }
            return [pairs.map(\.upper), pairs.map(\.lower)]
        }
    }

    @Test(arguments: ["hi", "meshcore://contact/add?name=Zo%C3%AB&public_key=00"])
    func `blocks are the light modules, the quiet zone included`(text: String) throws {
        let code = try QRCode(text)

        let lines = code.lines(Self.plain)

        let found = try modules(lines)
        let side = code.size + 8
        // A side is odd, and a line has two rows: the last one is light as well.
        #expect(found.count == side + 1 && found.allSatisfy { $0.count == side })
        for row in found.indices {
            #expect(found[row] == (0..<side).map { code[$0 - 4, row - 4] })
        }
    }

    @Test func `with colour a line is white on black, whatever the terminal has`() throws {
        let code = try QRCode("hi")

        let lines = code.lines(Self.colored)

        #expect(lines == code.lines(Self.plain).map { "\u{1B}[40;37;1m\($0)\u{1B}[0m" })
    }

    @Test func `where no colour is wanted there are blocks alone`() throws {
        let code = try QRCode("hi")

        let lines = code.lines(TerminalStyle(isTerminal: true, environment: ["TERM": "xterm", "NO_COLOR": "1"]))

        #expect(lines.joined().allSatisfy { "█▀▄ ".contains($0) })
    }
}
