import MeshCapture

/// A recording of our own that is read piece by piece, with the line of each entry.
struct RecordingLoad {
    private var reader = RecordingReader()
    private var part = LoadedCapture.Part(recording: Recording(RecordingHeader()), places: [])
    private var line = 1
    /// Lines that could not be read.
    var problems: [CaptureProblem] { kept.list }
    private var kept = KeptProblems()
    /// The reason why the file is no recording at all.
    private(set) var refusal: CaptureProblem?

    /// The first bytes of a recording, whichever version of the format it has.
    static let signature = [UInt8]("meshbed capture".utf8)

    /// Reads the next bytes; returns `false` when no more are wanted.
    mutating func take(_ bytes: Span<UInt8>) -> Bool {
        var index = 0
        while index < bytes.count {
            if reader.isBeyondLine, bytes[index] != UInt8(ascii: "\n") {
                let start = index
                while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
                reader.skip(index - start)
            } else {
                read { reader throws(CaptureProblem) in try reader.take(bytes[index]) }
                if bytes[index] == UInt8(ascii: "\n") { line += 1 }
                index += 1
            }
        }
        return refusal == nil && !reader.isFull
    }

    /// Ends the file, with the problem of its compression if there was one.
    mutating func finish(_ problem: CaptureProblem?) -> LoadedCapture.Part {
        if let problem { kept.note(problem) }
        read { reader throws(CaptureProblem) in try reader.end() }
        part.recording.header = reader.header
        for entry in part.recording.entries { part.recording.header.learn(from: entry) }
        return part
    }

    private mutating func read(_ next: (inout RecordingReader) throws(CaptureProblem) -> RecordingEntry?) {
        do throws(CaptureProblem) {
            guard let entry = try next(&reader) else { return }
            part.recording.entries.append(entry)
            part.places.append(line)
        } catch {
            if reader.isRefused { refusal = error } else { kept.note(error) }
        }
    }
}
