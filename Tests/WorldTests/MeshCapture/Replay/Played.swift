import MeshCapture
import MeshCompanion
import MeshTime
import MeshWire

/// A recording in short: a line an entry, `>` to the radio and `<` to the app, times in seconds; blanks in the hex.
func recorded(_ lines: String, scrubbed: Set<RecordingHeader.Secret>? = nil) -> Recording {
    var entries: [RecordingEntry] = []
    for line in lines.split(separator: "\n") {
        let words = line.split(separator: " ", maxSplits: 2)
        let time = TimeSpan(microseconds: Int64((Double(words[0]) ?? 0) * 1_000_000))
        let bytes = words.count > 2 ? [UInt8](hex: words[2]) ?? [] : []
        let event: RecordingEntry.Event =
            switch words[1] {
            case ">": .frame(.toRadio, bytes)
            case "<": .frame(.toApp, bytes)
            case "-": .disconnected(reason: "")
            default: .connected
            }
        entries.append(RecordingEntry(time, .tcp, event))
    }
    return Recording(RecordingHeader(scrubbed: scrubbed), entries)
}

/// A client at a replayer that has all the time of the world.
struct Played {
    var radio: RadioReplayer
    var now = Instant.start
    private(set) var hungUp = false

    init(_ recording: Recording, pace: RadioReplayer.Pace = .atOnce) {
        radio = RadioReplayer(recording, pace: pace)
        _ = does(.connected)
    }

    private mutating func does(_ input: RadioReplayer.Input) -> [String] {
        var effects: [RadioReplayer.Effect] = []
        radio.handle(input, at: now, into: &effects)
        if effects.contains(.hangUp) { hungUp = true }
        return effects.compactMap { if case .send(let frame) = $0 { frame.hex } else { nil } }
    }

    /// Sends a frame, and returns the frames that come back at once.
    mutating func asks(_ hex: String) -> [String] { does(.frame([UInt8](hex: hex) ?? [])) }

    /// Waits, and returns the frames that come until then.
    mutating func waits(_ seconds: Double) -> [String] {
        let end = now + .microseconds(Int64(seconds * 1_000_000))
        var frames: [String] = []
        while radio.nextWake <= end {
            now = max(now, radio.nextWake)
            frames += does(.woke)
        }
        now = end
        return frames
    }

    mutating func reconnects() -> [String] { does(.disconnected) + does(.connected) }
}
