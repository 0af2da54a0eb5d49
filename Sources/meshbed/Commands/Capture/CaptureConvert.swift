import ArgumentParser
import MeshCapture
import MeshCaptureIO

/// `meshbed capture convert`: the same traffic in another kind of file.
struct CaptureConvert: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Make a recording of a Bluetooth capture, or a Bluetooth capture of a recording, scrubbed.",
        discussion: """
            From pcap, pcapng, btsnoop or PacketLogger a recording is made of one connection to a radio, and from \
            observers' records one of what an observer heard. The other way, \
            a recording becomes a Bluetooth capture from connection to disconnection, which any tool shows; it is \
            synthetic, and pcapng says so. Packets on the air have no place in it. Secrets are replaced unless \
            --keep-secrets is given.

            Examples:
              meshbed capture convert btsnoop_hci.log session.capture --connection 1
              meshbed capture convert session.capture session.pcapng
              meshbed capture convert observers.jsonl hill.capture --connection 2
              gunzip -c old.pcap.gz | meshbed capture convert - - --to capture

            Exit status: 0, or 1 when some of the file could not be read, which is left out.
            """)

    /// The kinds of files that are written.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case capture
        case pcapng
        case btsnoop
        case pcap

        /// Finds the kind of a file by the ending of its name; `nil` for an unknown one.
        init?(ending path: String) {
            guard let format = Self.allCases.first(where: { path.lowercased().hasSuffix(".\($0.rawValue)") }) else {
                return nil
            }
            self = format
        }

        /// The endings, for people.
        static var endings: String { allCases.map { ".\($0.rawValue)" }.joined(separator: ", ") }
    }

    @Argument(help: "A recording, a Bluetooth capture or observers' records; '-' reads standard input.")
    var input: String
    @Argument(help: "The new file; '-' is standard output.") var output: String
    @Option(
        name: .customLong("to"),
        help: ArgumentHelp(
            "The format of the new file: capture, pcapng, btsnoop, pcap. Without it, what its name ends in.",
            valueName: "format"))
    var chosen: Format?
    @Option(help: "Convert this connection or observer only, counted from 1.") var connection: Int?
    @Flag(help: "Replace nothing: the file holds what was said, with all secrets.") var keepSecrets = false
    @OptionGroup var keys: AirKeyOptions
    @OptionGroup var scrubbing: ScrubOptions

    func validate() throws {
        if chosen == nil, Format(ending: output) == nil {
            throw ValidationError("the new file's name needs one of the endings \(Format.endings), or give --to")
        }
    }

    func run() throws {
        guard let format = chosen ?? Format(ending: output) else { return }
        try CaptureRun.run("convert") {
            let capture = try LoadedCapture(input, keys.options)
            if capture.isOfObservers, format != .capture {
                throw LoadedCapture.Failure(
                    description: "\(input): has packets on the air alone: 'capture export' writes them as pcap")
            }
            var recording = try capture.part(connection: connection).recording
            if !keepSecrets { recording = scrubbing.scrubbed(recording, "capture convert") }
            let bytes = try SyntheticFile.bytes(of: recording, as: format) ?? [UInt8](recording.text.utf8)
            try CaptureOutput.write(bytes, to: output)
            return capture.reportProblems("capture convert")
        }
    }
}
