import MeshCapture
import MeshCompanion
import MeshTime

/// Makes a recording of an adapter as its packets come: the lines of a `RecordingCollector`.
///
/// A recording has one radio: the first that a connection turns out to lead to. Its later connections follow; those
/// to other radios are left out and counted. A radio of which neither a lasting address nor a name is known is
/// assumed to be the one that connects next. Lines of a connection wait, within a bound, until something shows that
/// it leads to a radio at all. A name that a radio sends later, on request, is not in a line that is out by then.
/// Times count from the first record of the first connection, and never go back.
struct RecordingStream: CaptureSink {
    /// A connection that is open.
    private struct Open {
        var collected: RecordingCollector.Collected
        /// `nil` while nothing shows where it leads.
        var isWanted: Bool?
    }

    /// Connections to radios, those that are left out not counted.
    private(set) var connections = 0
    /// Connections to other radios than the recording's.
    private(set) var otherConnections = 0
    /// The number of problems of the capture.
    private(set) var problemCount = 0
    /// The last problem.
    private(set) var lastProblem: CaptureProblem?

    private let isOfOneRadio: Bool
    private var open: [Open] = []
    private var radio: PeerIdentity?
    private var began: Int64?
    private var last = TimeSpan.zero
    private var lines: [RecordingEntry] = []

    /// - Parameter isOfOneRadio: Without it the connections to all radios are wanted, as for counting.
    init(isOfOneRadio: Bool = true) {
        self.isOfOneRadio = isOfOneRadio
    }

    /// Returns the lines since the last time, and forgets them.
    mutating func drain() -> [RecordingEntry] {
        defer { lines.removeAll(keepingCapacity: true) }
        return lines
    }

    mutating func note(_ problem: CaptureProblem) {
        problemCount += 1
        lastProblem = problem
    }

    mutating func frame(
        _ place: CapturePlace, _ direction: FrameDirection, _ bytes: Span<UInt8>, isJoined: Bool
    ) {
        let index = index(place)
        open[index].collected.take(place, direction, bytes, isJoined: isJoined)
        tell(index)
    }

    mutating func event(_ place: CapturePlace, _ event: CaptureEvent) {
        let index = index(place)
        open[index].collected.take(place, event)
        tell(index)
        if open[index].collected.isClosed { open.remove(at: index) }
    }

    private mutating func index(_ place: CapturePlace) -> Int {
        if let index = open.firstIndex(where: { $0.collected.connection == place.connection }) { return index }
        open.append(Open(collected: RecordingCollector.Collected(at: place)))
        return open.count - 1
    }

    /// Emits the lines of the connection, once its radio is known.
    private mutating func tell(_ index: Int) {
        guard let isWanted = open[index].isWanted ?? decide(index) else { return }
        if isWanted {
            let shift = distance(to: open[index].collected.began)
            for var line in open[index].collected.recording.entries {
                last = max(last, min(line.time + shift, .microseconds(RecordingCollector.Collected.latest)))
                line.time = last
                lines.append(line)
            }
        }
        open[index].collected.recording.entries.removeAll(keepingCapacity: true)
    }

    private mutating func decide(_ index: Int) -> Bool? {
        let collected = open[index].collected
        guard collected.leadsToRadio else { return nil }
        let isWanted = !isOfOneRadio || isOfTheRadio(collected.opened)
        open[index].isWanted = isWanted
        if isWanted {
            connections += 1
            began = began ?? collected.began
        } else {
            otherConnections += 1
        }
        return isWanted
    }

    /// Returns whether a connection is the radio's.
    ///
    /// A device with neither a lasting address nor a name is the recording's radio when no connection to that is
    /// open.
    private mutating func isOfTheRadio(_ opened: OpenedConnection?) -> Bool {
        let peer = opened.flatMap { PeerIdentity($0) }
        if let radio, let peer { return radio == peer }
        guard !open.contains(where: { $0.isWanted == true }) else { return false }
        radio = radio ?? peer
        return true
    }

    /// Returns the time from the beginning of the recording to that of a connection.
    private func distance(to time: Int64?) -> TimeSpan {
        guard let began, let time, time > began else { return .zero }
        let (distance, isTooFar) = time.subtractingReportingOverflow(began)
        return isTooFar ? .zero : .microseconds(min(RecordingCollector.Collected.latest, distance / 1000))
    }
}
