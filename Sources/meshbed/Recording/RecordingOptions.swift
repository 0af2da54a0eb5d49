import ArgumentParser
import Foundation
import MeshCapture
import MeshCaptureFiles

/// Where a recording goes, and what its header says: options of all `meshbed record` commands that write one.
struct RecordingOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "The recording, a new file. Without it, the story or 'recording' with the date and the time.",
            valueName: "file"))
    var output: String?

    @Option(
        help: ArgumentHelp(
            "The radio's firmware, as in v1.17.1, for the header; without it, what the radio says of itself.",
            valueName: "release"))
    var firmware: String?

    @Option(
        help: ArgumentHelp(
            "The radio's board, as in heltec-v3, for the header; without it, what the radio says of itself.",
            valueName: "name"))
    var board: String?

    @Option(
        help: ArgumentHelp("What happens in the recording, in a few words with hyphens.", valueName: "words"))
    var story: String?

    @Flag(
        help: ArgumentHelp(
            "Keep private keys, PINs, passwords, positions, texts and names as they are. For your own eyes alone: do not "
                + "publish such a recording."))
    var keepSecrets = false

    func validate() throws {
        if output?.isEmpty == true { throw ValidationError("--output needs the path of a file") }
        if !keepSecrets { throw ValidationError(Self.secretsWarning) }
    }

    static let secretsWarning =
        "a recording holds keys, passwords and messages, and this build cannot replace them yet; "
        + "--keep-secrets records all the same, into a file that only you can read"

    /// The header of a recording that begins now.
    func header(_ transport: RecordingLink, at date: Date) -> RecordingHeader {
        RecordingHeader(
            firmware: firmware, board: board, transport: transport, story: story,
            date: Self.day(of: date))
    }

    /// The file's path.
    func path(at date: Date) -> String {
        output ?? "\(story ?? "recording")-\(Self.text(of: date, as: "yyyyMMdd-HHmmss")).capture"
    }

    static func day(of date: Date) -> String { text(of: date, as: "yyyy-MM-dd") }

    private static func text(of date: Date, as format: String) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = format
        return formatter.string(from: date)
    }
}
