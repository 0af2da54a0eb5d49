import ArgumentParser
import FoundationEssentials
import MeshCapture
import MeshCaptureIO

/// The path and the header of a recording: options of all `meshbed record` commands that write one.
struct RecordingOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "The recording, a new file. Without it, the story or 'recording' with the date and the time.",
            valueName: "file"))
    var output: String?

    @OptionGroup var head: HeadOptions

    @OptionGroup var secrets: SecretOptions

    func validate() throws {
        if output?.isEmpty == true { throw ValidationError("--output needs the path of a file") }
    }

    /// Begins the recording.
    func begin(_ link: RecordingLink, rows: [RecordingHeader.Row] = []) throws -> LiveRecording {
        let date = Date()
        return try head.begin(link, rows: rows, into: path(at: date), without: secrets, at: date)
    }

    /// The file's path.
    func path(at date: Date) -> String { output ?? head.path(at: date, named: "recording") }

    static func day(of date: Date) -> String { date.formatted(.iso8601.year().month().day()) }

    /// `20250614-112000`, by UTC: what the name of a recording ends with.
    static func mark(of date: Date) -> String {
        let day = date.formatted(.iso8601.year().month().day().dateSeparator(.omitted))
        return day + "-" + date.formatted(.iso8601.time(includingFractionalSeconds: false).timeSeparator(.omitted))
    }
}

/// The fields of a recording's header that the user may state.
struct HeadOptions: ParsableArguments, Sendable {
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

    func validate() throws {
        if let story, story.isEmpty || story.contains("/") || story.hasPrefix(".") {
            throw ValidationError("--story is a few words with hyphens: a file is named after it")
        }
        for (option, text) in [("--story", story), ("--firmware", firmware), ("--board", board)] {
            guard let text, text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
                continue
            }
            throw ValidationError("\(option) is one line of text")
        }
    }

    /// The header of a recording that begins now.
    func header(_ transport: RecordingLink, at date: Date) -> RecordingHeader {
        RecordingHeader(
            firmware: firmware, board: board, transport: transport, story: story,
            date: RecordingOptions.day(of: date))
    }

    /// Begins a recording of frames.
    func begin(
        _ transport: RecordingLink, rows: [RecordingHeader.Row] = [], into path: String, without secrets: SecretOptions,
        at date: Date
    ) throws -> LiveRecording {
        var header = header(transport, at: date)
        header.rows = rows
        return try LiveRecording(path, header, scrubbing: secrets.scrubbed, salt: LiveRecording.freshSalt())
    }

    /// The path of a recording for which none was given.
    func path(at date: Date, named name: String) -> String {
        "\(story ?? name)-\(RecordingOptions.mark(of: date)).capture"
    }
}
