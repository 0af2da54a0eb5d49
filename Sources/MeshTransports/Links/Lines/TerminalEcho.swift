import Glibc

/// The echo of typed characters on the terminal of this program.
package enum TerminalEcho {
    /// Runs work without the echo; has no effect where standard input is no terminal.
    package static func without<Result>(_ work: () -> Result) -> Result {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return work() }
        var hidden = settings
        hidden.c_lflag &= ~tcflag_t(ECHO)
        // What was typed before is not taken for an answer.
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings) }
        return work()
    }
}
