import MeshCompanion
import MeshTime
import MeshWire

extension Recording {
    /// The whole file.
    public var text: String { header.text + entries.map(\.line).joined() }
}

extension RecordingHeader {
    /// The first lines of the file, with the empty one behind them.
    public var text: String {
        var text = "\(RecordingText.signature)\n"
        for row in known + rows where !row.value.isEmpty {
            text += "\(RecordingText.oneLine(row.key)): \(RecordingText.oneLine(row.value))\n"
        }
        return text + "\n"
    }

    private var known: [Row] {
        [
            Row("firmware", firmware ?? ""), Row("board", board ?? ""),
            Row("transport", transport?.rawValue ?? ""), Row("story", story ?? ""), Row("date", date ?? ""),
            Row("scrubbed", scrubbed.map { $0.map(\.rawValue).sorted().joined(separator: ", ") } ?? ""),
        ]
    }
}

extension RecordingEntry {
    /// The line of the file, with its end.
    public var line: String {
        let tail = note.isEmpty ? "" : " ; " + RecordingText.oneLine(note)
        return "\(RecordingText.text(of: time)) \(link.rawValue) \(event.text)\(tolerance.text)\(tail)\n"
    }
}

extension RecordingEntry.Event {
    fileprivate var text: String {
        switch self {
        case .connected: "+"
        case .disconnected(let reason): reason.isEmpty ? "-" : "- " + RecordingText.words(reason)
        case .frame(.toRadio, let bytes): "> " + bytes.hex
        case .frame(.toApp, let bytes): "< " + bytes.hex
        case .packet(.heard, let bytes, let signal): "< " + bytes.hex + (signal?.text ?? "")
        case .packet(.transmitted, let bytes, let signal): "> " + bytes.hex + (signal?.text ?? "")
        case .problem(let what): "! " + RecordingText.words(what)
        case .turn(let turn): "@ \(turn.word) " + RecordingText.words(turn.name)
        }
    }
}

extension RecordingEntry.Signal {
    fileprivate var text: String { " snr=\(Double(snrQuarterDecibels) / 4) rssi=\(rssi)" }
}

/// The spelling of a recording's parts.
enum RecordingText {
    static let signature = "meshbed capture 1"

    /// Seconds with six digits.
    static func text(of time: TimeSpan) -> String {
        let fraction = String(abs(time.microseconds % 1_000_000))
        return "\(time.microseconds / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
    }

    /// Returns the text without characters that would end the line, or control the terminal of a reader.
    static func oneLine(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 }).visibleLine
    }

    /// The same without what would begin a note, either.
    static func words(_ text: String) -> String {
        String(oneLine(text).map { $0 == ";" ? "," : $0 })
    }
}
