import ArgumentParser
import FoundationEssentials
import MeshCapture
import MeshCaptureIO
import MeshCompanion
import MeshReports
import MeshTime

extension TimeSpan {
    /// Seconds with six digits, as recordings have them.
    var recordedText: String {
        let fraction = String(microseconds % 1_000_000)
        return "\(microseconds / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
    }

    /// Milliseconds with one digit.
    var millisecondsText: String { "\(Double((microseconds + 50) / 100) / 10)" }
}

extension RecordingEntry {
    /// The frame or packet with its fields, where the line holds one.
    var decoded: DecodedFrame? {
        switch event {
        case .frame(.toRadio, let bytes): DecodedFrame(bytes, .toRadio)
        case .frame(.toApp, let bytes): DecodedFrame(bytes, .toApp)
        case .packet(.heard, let bytes, _): DecodedFrame(bytes, .heard)
        case .packet(.transmitted, let bytes, _): DecodedFrame(bytes, .transmitted)
        case .connected, .disconnected, .problem, .turn: nil
        }
    }

    /// The mark of the line, as recordings have it.
    var mark: String {
        switch event {
        case .connected: "+"
        case .disconnected: "-"
        case .frame(.toRadio, _), .packet(.transmitted, _, _): ">"
        case .frame(.toApp, _), .packet(.heard, _, _): "<"
        case .problem: "!"
        case .turn: "@"
        }
    }

    /// The content of the entry, decoded, in one line.
    var story: String {
        switch event {
        case .connected: note.isEmpty ? "connected" : "connected: \(note)"
        case .disconnected(let reason): reason.isEmpty ? "disconnected" : "disconnected: \(reason)"
        case .problem(let what): what
        case .turn(.snapshot(let name)): "snapshot \(name)"
        case .turn(.restored(let name)): "went back to snapshot \(name)"
        case .packet(_, _, let signal?):
            "\(decoded?.line ?? "") (snr \(Double(signal.snrQuarterDecibels) / 4) dB, rssi \(signal.rssi) dBm)"
        case .frame, .packet: decoded?.line ?? ""
        }
    }

    /// Time, link, mark and story.
    var shown: String { "\(time.recordedText) \(link.rawValue) \(mark) \(story)" }
}

/// Objects as lines or blocks of JSON, with sorted keys.
enum CaptureJSON {
    static func line(_ value: some Encodable, isPretty: Bool = false) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}

/// The way in which all subcommands fail.
enum CaptureRun {
    /// Runs the body; an error of it becomes one sentence for people and exit status 2.
    static func run(_ command: String, _ body: () throws -> Bool) throws {
        let isWell: Bool
        do {
            isWell = try body()
        } catch let failure as LoadedCapture.Failure {
            throw Console.failed("capture \(command)", failure)
        }
        if !isWell { throw ExitCode(1) }
    }
}
