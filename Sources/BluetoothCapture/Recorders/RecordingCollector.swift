import MeshBluetoothHost
package import MeshCapture
package import MeshCompanion
import MeshTime
import MeshWire

/// Makes recordings of a capture: one for each connection to a companion radio.
///
/// Connections to other devices leave no trace. Times count from the first record of the connection; where the
/// clock of the capture was set back they stand still, since the order is what counts.
package struct RecordingCollector: CaptureSink {
    /// A recording, and the capture's other facts on its connection.
    package struct Collected: Hashable, Sendable {
        /// Counted from 0 over all connections of the capture.
        package var connection: Int
        /// Nanoseconds since 1970, UTC, where the capture has times.
        package var began: Int64?
        /// The facts of `CaptureEvent.opened` on the connection; `nil` before it.
        package var opened: OpenedConnection?
        /// The other side's name for itself, before the connection or when it was asked.
        package var peerName: String?
        /// The value handles that frames travel by; `nil` while they are unknown.
        package var handles: NordicHandles?
        /// The ATT_MTU that was agreed last, in bytes; `nil` where the capture shows no exchange.
        package var mtu: Int?
        /// The capture shows the connection's end.
        package var isClosed = false
        /// Its frames and events as lines, with times from `began` on.
        package var recording: Recording
        /// The time of the last line.
        var last = TimeSpan.zero
    }

    /// The recordings, in the order in which their connections began; those still open, as far as they go.
    package var recordings: [Collected] { all.filter(\.leadsToRadio) }
    private var all: [Collected] = []
    /// Connections that are remembered, whether they lead to a radio or not.
    var connectionCount: Int { all.count }
    /// The problems of the capture, up to a bound.
    package private(set) var problems: [CaptureProblem] = []
    /// All of them.
    package private(set) var problemCount = 0
    /// The places in `all` of the connections that are open.
    private var indexes: [Int: Int] = [:]

    /// The number of problems that are kept.
    package static let problemLimit = 1000
    /// Lines of all connections together; further ones are left out.
    private var lineCount = 0
    private var isFull = false
    /// The number of connections from which on those that led nowhere are removed.
    private var mostConnections = 1024

    package init() {}

    package mutating func note(_ problem: CaptureProblem) {
        problemCount += 1
        if problems.count < Self.problemLimit { problems.append(problem) }
    }

    package mutating func frame(
        _ place: CapturePlace, _ direction: FrameDirection, _ bytes: Span<UInt8>, isJoined: Bool
    ) {
        guard let index = index(place) else { return }
        count(index) { $0.take(place, direction, bytes, isJoined: isJoined) }
    }

    package mutating func event(_ place: CapturePlace, _ event: CaptureEvent) {
        guard let index = index(place) else { return }
        count(index) { $0.take(place, event) }
        if all[index].isClosed { close(place.connection, index) }
    }

    /// Calls `body` with a connection, and counts its new lines; at the limit they are dropped.
    private mutating func count(_ index: Int, _ body: (inout Collected) -> Void) {
        let before = all[index].recording.entries.count
        body(&all[index])
        lineCount += all[index].recording.entries.count - before
        guard lineCount > RecordingReader.entryLimit else { return }
        lineCount -= all[index].recording.entries.count - before
        all[index].recording.entries.removeLast(all[index].recording.entries.count - before)
        guard !isFull else { return }
        isFull = true
        note(CaptureProblem(offset: 0, "more than \(RecordingReader.entryLimit) lines: what follows is left out"))
    }

    /// Removes connections that led nowhere, which overlaps prevented at their ends.
    private mutating func compact() {
        let open = indexes
        all.removeAll { open[$0.connection] == nil && !$0.leadsToRadio }
        indexes = [:]
        for (index, collected) in all.enumerated() where open[collected.connection] != nil {
            indexes[collected.connection] = index
        }
        mostConnections = max(1024, all.count * 2)
    }

    private mutating func index(_ place: CapturePlace) -> Int? {
        if let index = indexes[place.connection] { return index }
        if isFull { return nil }
        if all.count >= mostConnections { compact() }
        all.append(Collected(at: place))
        indexes[place.connection] = all.count - 1
        return all.count - 1
    }

    /// A connection that led to no radio leaves nothing.
    private mutating func close(_ connection: Int, _ index: Int) {
        indexes[connection] = nil
        if !all[index].leadsToRadio {
            lineCount -= all[index].recording.entries.count
            all[index].recording.entries = []
            if index == all.count - 1 { all.removeLast() }
        }
    }
}

extension CaptureEvent {
    /// A line for people, for what keeps a recording from being complete.
    var problem: String? {
        switch self {
        case .encrypted(let isReadable): isReadable ? nil : "encrypted from here on: frames cannot be read"
        case .rejected(let frame, let error):
            "the radio did not take \(frame.hex): \(ATT.ErrorCode(rawValue: error))"
        case .truncated(let direction, let part, let length):
            "\(direction.words): the capture has \(part.count) of at least \(length) bytes, \(part.hex)"
        case .oversize(let direction, let length):
            "\(direction.words): a value of \(length) bytes, more than a frame can have"
        case .lost(let what): what
        default: nil
        }
    }
}

extension FrameDirection {
    fileprivate var words: String { self == .toApp ? "from the radio" : "from the app" }
}
