import ArgumentParser
import MeshCapture
import MeshCaptureIO

/// `meshbed capture scrub`: a recording without its secrets.
struct CaptureScrub: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scrub",
        abstract: "Replace the secrets of a recording, so that it can be shown and still replays.",
        discussion: """
            Private keys, secrets of channels, PINs, passwords, positions and texts become others of the same length, \
            and names if asked. Equal secrets get equal replacements everywhere. Public keys stay. Notes and comments \
            are left out. An advert with another place or name has no valid signature any more. Packets to channels \
            can no longer be opened. The command counts both. Values that were scrubbed before stay as they are.

            Examples:
              meshbed capture scrub session.capture public.capture
              meshbed capture scrub session.capture public.capture --what all --salt ours

            Exit status: 0, or 1 when some of the file could not be read, which is left out.
            """)

    @Argument(help: "A recording; '-' reads standard input.") var input: String
    @Argument(help: "The new file; '-' is standard output.") var output: String
    @OptionGroup var scrubbing: ScrubOptions

    func run() throws {
        try CaptureRun.run("scrub") {
            let capture = try LoadedCapture(input)
            guard capture.kind == "recording" else {
                throw LoadedCapture.Failure(
                    description: "\(input): no recording of our own; 'capture convert' makes one")
            }
            let recording = scrubbing.scrubbed(try capture.part(connection: nil).recording, "capture scrub")
            try CaptureOutput.write([UInt8](recording.text.utf8), to: output)
            return capture.reportProblems("capture scrub")
        }
    }
}
