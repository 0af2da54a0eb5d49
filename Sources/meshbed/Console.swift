import ArgumentParser
import MeshTestbed
import PocketMeshUI

/// Prints lines for people and programs; each is written out when the call returns, also into a pipe.
enum Console {
    /// One line, whatever it holds: a value from outside cannot begin another one.
    static func out(_ line: String) { StandardOutput.line(line) }

    /// Several lines. Values from outside are one line each in them already.
    static func text(_ text: String) { StandardOutput.text(text) }

    /// An address as a code for cameras, where it fits into one, and as a line below.
    static func code(_ address: String) {
        do throws(QRCode.TooLong) {
            StandardOutput.drawing(try QRCode(address).lines(.output))
        } catch {
            note("no code: \(error)")
        }
        out(address)
    }

    /// One line on standard error.
    static func note(_ line: String) { StandardError.line(line) }

    /// Prints why the command cannot continue; returns exit status 2.
    static func failed(_ command: String, _ reason: some Any) -> ExitCode {
        CommandVoice("meshbed", command).failed(reason)
    }

    /// Writes a whole file; without a path, or with `-`, to standard output. Exit status 2 when it cannot be written.
    static func write(_ text: String, to path: String?, by command: String) throws {
        try CommandVoice("meshbed", command).write(text, to: path)
    }
}
