import BluetoothCapture
import MeshCaptureIO
import MeshWire

/// The progress of an adapter's recording for people: on a terminal a line that counts, and everywhere the problems.
struct RecordingWatch: Sendable {
    /// The problems that are printed; further ones are only counted.
    private static let mostProblems = 10
    /// The shortest time between two changes of the line.
    private static let pace = Duration.milliseconds(200)

    /// The output after a batch.
    struct Output: Hashable, Sendable {
        var lines: [String] = []
        /// The text in place of the line that counts; `nil` leaves that line.
        var counts: String?
    }

    private let isTerminal: Bool
    private var shown: (tally: AdapterRecording.Tally, time: Duration)?
    private var problems = 0
    private var named = 0

    init(isTerminal: Bool) {
        self.isTerminal = isTerminal
    }

    mutating func output(_ progress: AdapterRecorder.Progress, at time: Duration) -> Output {
        var output = Output()
        if let problem = progress.problem, progress.tally.problems > problems {
            problems = progress.tally.problems
            named += 1
            if named <= Self.mostProblems { output.lines.append("meshbed record: record \(problem)") }
            if named == Self.mostProblems {
                output.lines.append("meshbed record: further problems are only counted")
            }
        }
        guard isTerminal else { return output }
        let isDue = shown.map { $0.tally != progress.tally && time - $0.time >= Self.pace } ?? true
        guard isDue || !output.lines.isEmpty else { return output }
        shown = (progress.tally, time)
        output.counts = progress.tally.words
        return output
    }

    /// True when there is a line that counts.
    var isShown: Bool { shown != nil }
}

extension AdapterRecording.Tally {
    /// Packets, connections and frames.
    var words: String {
        [
            (packets - otherPackets - refusedPackets).counted("packet"),
            connections.counted("connection"),
            frames.counted("frame"),
        ].joined(separator: ", ")
    }

    /// The parts of the traffic that the recording lacks or changes, a sentence each.
    var omissions: [String] {
        [
            otherPackets == 0
                ? nil : otherPackets.counted("packet") + " of other devices left out",
            otherConnections == 0
                ? nil
                : otherConnections.counted("connection")
                    + " to other radios left out: a recording has one, and --device chooses it",
            refusedPackets == 0
                ? nil : refusedPackets.counted("packet") + " without a place in such a file left out",
            redactedPackets == 0
                ? nil : redactedPackets.counted("packet") + " with keys, which were overwritten",
            problems == refusedPackets ? nil : (problems - refusedPackets).counted("other problem"),
        ].compactMap(\.self)
    }
}
