public import MeshCompanion
import MeshTime
import MeshWire

/// Makes recordings of what a capture holds: one for each connection to a companion radio.
///
/// Connections to other devices leave nothing behind. Times count from the first record of the connection; where the
/// clock of the capture was set back they stand still, since the order is what counts.
public struct RecordingCollector: CaptureSink {
    /// A recording, and what the capture says of its connection besides.
    public struct Collected: Hashable, Sendable {
        /// Counted from 0 over all connections of the capture.
        public var connection: Int
        /// Nanoseconds since 1970, UTC, where the capture has times.
        public var began: Int64?
        public var opened: OpenedConnection?
        public var handles: NordicHandles?
        public var mtu: Int?
        public var isClosed = false
        public var recording: Recording
    }

    /// The recordings, in the order in which their connections began; those still open, as far as they go.
    public var recordings: [Collected] { all.filter { $0.handles != nil || $0.recording.entries.hasFrames } }
    private var all: [Collected] = []
    /// What could not be read, up to a bound.
    public private(set) var problems: [CaptureProblem] = []
    /// All of them.
    public private(set) var problemCount = 0
    /// Where in `all` the connections that are open stand.
    private var indexes: [Int: Int] = [:]

    /// How many problems are kept.
    public static let problemLimit = 1000
    /// How many lines a connection may have before anything shows that it leads to a radio.
    private static let uncertainLimit = 64

    public init() {}

    public mutating func note(_ problem: CaptureProblem) {
        problemCount += 1
        if problems.count < Self.problemLimit { problems.append(problem) }
    }

    public mutating func frame(
        _ place: CapturePlace, _ direction: FrameDirection, _ bytes: Span<UInt8>, isJoined: Bool
    ) {
        let index = index(place)
        let frame = bytes.withUnsafeBufferPointer { [UInt8]($0) }
        append(place, .frame(direction, frame), note: isJoined ? "joined from several notifications" : "")
        let time = all[index].recording.entries.last?.time ?? .zero
        if let packet = RecordingEntry(loggedBy: frame, direction, at: time) {
            all[index].recording.entries.append(packet)
        }
    }

    public mutating func event(_ place: CapturePlace, _ event: CaptureEvent) {
        let index = index(place)
        switch event {
        case .opened(let opened):
            all[index].opened = opened
            append(place, .connected, note: opened.isInTheMiddle ? "the capture begins later" : "")
        case .mtuChanged(let mtu): all[index].mtu = mtu
        case .handlesKnown(let handles): all[index].handles = handles
        case .value: break
        case .closed(let reason):
            append(place, .disconnected(reason: reason.map(HCI.disconnectReason) ?? ""))
            close(place.connection, index)
        default:
            if let words = event.problem { append(place, .problem(words)) }
        }
    }

    private mutating func index(_ place: CapturePlace) -> Int {
        if let index = indexes[place.connection] { return index }
        var header = RecordingHeader(transport: .ble)
        header.date = place.nanoseconds.flatMap(CaptureDate.init(nanoseconds:))?.description
        all.append(
            Collected(connection: place.connection, began: place.nanoseconds, recording: Recording(header)))
        indexes[place.connection] = all.count - 1
        return all.count - 1
    }

    private mutating func append(_ place: CapturePlace, _ event: RecordingEntry.Event, note: String = "") {
        let index = index(place)
        let isFrame = if case .frame = event { true } else { false }
        let entries = all[index].recording.entries
        guard isFrame || all[index].handles != nil || entries.count < Self.uncertainLimit else { return }
        var time = entries.last?.time ?? .zero
        if let now = place.nanoseconds, let began = all[index].began {
            let (distance, overflow) = now.subtractingReportingOverflow(began)
            let latest = Int64(UInt32.max) * 1_000_000
            if !overflow { time = max(time, .microseconds(min(latest, distance / 1000))) }
        }
        all[index].recording.entries.append(RecordingEntry(time, .ble, event, note: note))
    }

    /// A connection that led to no radio leaves nothing.
    private mutating func close(_ connection: Int, _ index: Int) {
        indexes[connection] = nil
        all[index].isClosed = true
        if index == all.count - 1, all[index].handles == nil, !all[index].recording.entries.hasFrames {
            all.removeLast()
        }
    }
}

extension [RecordingEntry] {
    fileprivate var hasFrames: Bool {
        contains { if case .frame = $0.event { true } else { false } }
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
