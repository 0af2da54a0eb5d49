import MeshTestbed
import Testing

/// Colours of verdicts, on a terminal and nowhere else.
@Suite struct TerminalStyleTests {
    private static let terminal = ["TERM": "xterm-256color"]

    private let report = """
        kept      direct/next-door
        BROKEN    direct/while-busy
                  kept in mind: nothing
        not run   air/far: needs a radio
          BROKEN seed 7: bob has it
        keptsake  is another word
        """

    @Test func `verdicts at the beginning of a line have their colour`() {
        let style = TerminalStyle(isTerminal: true, environment: Self.terminal)

        #expect(
            style.painted(report) == """
                \u{1B}[32mkept\u{1B}[0m      direct/next-door
                \u{1B}[31;1mBROKEN\u{1B}[0m    direct/while-busy
                          kept in mind: nothing
                \u{1B}[2mnot run\u{1B}[0m   air/far: needs a radio
                  \u{1B}[31;1mBROKEN\u{1B}[0m seed 7: bob has it
                keptsake  is another word
                """)
    }

    @Test(arguments: [
        (false, ["TERM": "xterm"]), (true, ["TERM": "dumb"]), (true, [:]), (true, ["TERM": "xterm", "NO_COLOR": "1"]),
        (true, ["TERM": "xterm", "NO_COLOR": "0"]),
    ])
    func `without a terminal, on a dumb one and where it is not wanted there is no colour`(
        isTerminal: Bool, environment: [String: String]
    ) {
        let style = TerminalStyle(isTerminal: isTerminal, environment: environment)

        #expect(!style.hasColor)
        #expect(style.painted(report) == report)
    }

    @Test func `an empty NO_COLOR is none`() {
        #expect(TerminalStyle(isTerminal: true, environment: ["TERM": "xterm", "NO_COLOR": ""]).hasColor)
    }

    @Test func `colours are only added: without them the text is the same`() {
        let style = TerminalStyle(isTerminal: true, environment: Self.terminal)

        #expect(style.painted(report).replacing(/\u{1B}\[[0-9;]*m/, with: "") == report)
    }
}
