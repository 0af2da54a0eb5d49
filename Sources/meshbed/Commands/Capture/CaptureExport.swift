import ArgumentParser
import BluetoothCapture
import MeshCapture
import MeshCaptureIO
import MeshCompanion
import MeshTime

/// `meshbed capture export`: the packets on the air of a recording, for Wireshark.
struct CaptureExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the packets on the air of a recording or of records as pcap with LoRaTap headers, scrubbed.",
        discussion: """
            tshark and Wireshark show the packets field by field with the script of 'meshbed capture dissector'. Frames \
            between app and radio have no place in the file: 'capture convert' makes a Bluetooth capture of them. \
            Packets that the app was told of as LOG_RX_DATA count as frames. Secrets are replaced unless \
            --keep-secrets is given.

            Examples:
              meshbed capture export session.capture air.pcap
              meshbed capture export observers.jsonl air.pcap --connection 2
              meshbed capture export session.capture - | tshark -X \\
                lua_script:meshcore.lua -r -

            Exit status: 0, or 1 when some of the file could not be read, which is left out.
            """)

    @Argument(help: "A recording, or observers' records; '-' reads standard input.") var input: String
    @Argument(help: "The new file; '-' is standard output.") var output: String
    @Option(help: "Export this connection or observer only, counted from 1.") var connection: Int?
    @Flag(help: "Replace nothing: the file holds what was said, with all secrets.") var keepSecrets = false
    @OptionGroup var scrubbing: ScrubOptions

    func run() throws {
        try CaptureRun.run("export") {
            let capture = try LoadedCapture(input)
            var recording = try capture.part(connection: connection).recording
            if !keepSecrets { recording = scrubbing.scrubbed(recording, "capture export") }
            try CaptureOutput.write(try Self.bytes(of: recording), to: output)
            return capture.reportProblems("capture export")
        }
    }

    /// The packets of a recording, with the radio's settings as it told its app last.
    static func bytes(of recording: Recording) throws -> [UInt8] {
        let began = SyntheticFile.began(recording.header) ?? SyntheticCapture.someTime
        var writer = LoRaTapWriter()
        var file: [UInt8] = []
        writer.begin(into: &file)
        var channel = LoRaTapWriter.Channel.unknown
        for entry in recording.entries {
            switch entry.event {
            case .frame(.toApp, let frame):
                guard let info = try? Resp.SelfInfo(decoding: frame) else { continue }
                channel = LoRaTapWriter.Channel(
                    kilohertz: info.frequency, bandwidthHertz: info.bandwidth, spreadingFactor: info.spreadingFactor)
            case .packet(_, let packet, let signal):
                let (time, isBeyond) = began.addingReportingOverflow(entry.time.microseconds * 1000)
                do throws(CaptureProblem) {
                    try writer.write(packet, at: isBeyond ? .max : time, on: channel, signal, into: &file)
                } catch {
                    throw LoadedCapture.Failure(description: error.description)
                }
            default: break
            }
        }
        return file
    }
}
