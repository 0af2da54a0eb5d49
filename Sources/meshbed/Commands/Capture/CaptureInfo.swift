import ArgumentParser
import BluetoothCapture
import MeshBluetoothHost
import MeshCapture
import MeshCaptureIO

/// `meshbed capture info`: what a file holds, in numbers.
struct CaptureInfo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Summarise a recording: origin, frames by code, round trips, losses.",
        discussion: """
            A Bluetooth capture (pcap, pcapng, btsnoop, PacketLogger) has a recording for each connection to a radio, and \
            a file of observers' records one for each observer.
            Times of answers are from the command to its last frame; 'p95' is not exceeded by nineteen of twenty. \
            Commands without an answer, and lines that break the protocol, are counted; 'show' names them.

            Examples:
              meshbed capture info session.capture
              meshbed capture info - --json < session.capture

            Exit status: 0, or 1 when some of the file could not be read.
            """)

    @Argument(help: "A recording, a Bluetooth capture or observers' records; '-' reads standard input.")
    var file: String
    @Option(help: "Look at this connection or observer only, counted from 1.") var connection: Int?
    @OptionGroup var keys: AirKeyOptions
    @Flag(help: "Print one JSON object.") var json = false

    func run() throws {
        try CaptureRun.run("info") {
            let capture = try LoadedCapture(file, keys.options)
            let parts = try connection.map { [try capture.part(connection: $0)] } ?? capture.parts
            let summaries = parts.map(CaptureSummary.init)
            if json {
                let object = Object(
                    file: file, kind: capture.kind, recordings: summaries,
                    radios: capture.radios.map(AdvertisedRadio.init),
                    losses: capture.losses.map { .init(cause: $0.name, count: $0.count) },
                    unreadable: capture.problems.map { .init(place: $0.number, offset: $0.offset, reason: $0.reason) })
                Console.text(CaptureJSON.line(object, isPretty: true))
            } else {
                Console.out("\(file): \(capture.kind)")
                for (index, summary) in summaries.enumerated() {
                    let title = capture.isOfObservers ? "Observer" : "Connection"
                    if summaries.count > 1 { ["", "\(title) \(index + 1)"].forEach(Console.out) }
                    summary.lines.forEach(Console.out)
                }
                if summaries.isEmpty { Console.out("  no connection to a companion radio") }
                if !capture.radios.isEmpty {
                    ["", "Radios that advertised"].forEach(Console.out)
                    TextTable.lines(AdvertisedRadio.heading, capture.radios.map { AdvertisedRadio($0).cells })
                        .forEach(Console.out)
                }
                if !capture.losses.isEmpty {
                    ["", "Not looked into, or lost"].forEach(Console.out)
                    let rows = capture.losses.map { ["\($0.count)", $0.name] }
                    TextTable.lines(rows[0], [[String]](rows.dropFirst())).forEach(Console.out)
                }
            }
            return capture.reportProblems("capture info")
        }
    }

    private struct Object: Encodable {
        struct Problem: Encodable {
            let place: Int?
            let offset: UInt64
            let reason: String
        }

        struct Loss: Encodable {
            let cause: String
            let count: Int
        }

        let file: String
        let kind: String
        let recordings: [CaptureSummary]
        let radios: [AdvertisedRadio]
        let losses: [Loss]
        let unreadable: [Problem]
    }
}

/// A device that advertised the service of companion radios, for people and for programs.
struct AdvertisedRadio: Encodable {
    let name: String?
    let address: String
    let packets: Int
    let firstRecord: Int

    static let heading = ["name", "address", "packets", "first record"]

    init(_ advertiser: Advertiser) {
        name = advertiser.name
        address = advertiser.address.description
        packets = advertiser.packets
        firstRecord = advertiser.firstRecord
    }

    var cells: [String] {
        [name ?? "-", address, "\(packets)", "\(firstRecord)"]
    }
}
