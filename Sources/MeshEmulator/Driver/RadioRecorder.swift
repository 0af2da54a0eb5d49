import MeshCapture
import MeshCompanion
import MeshFirmware
import MeshSimulator
import MeshTime

/// Makes the lines of recordings from what happens at the companion radios of a world that have endpoints.
///
/// The air is the world's own: what a radio sent and received stands there whether or not it told its app.
struct RadioRecorder {
    /// The world's records between two looks; there is a look at every moment at which something happens.
    static let traceCapacity = 1 << 14
    /// Frames on the air whose bytes are kept for those who hear them.
    private static let framesKept = 256

    private struct Radio {
        /// The number of the interface whose app the recording has.
        let interface: Int
        /// Tells whether whole frames pass, which the recorder is to find as in a stream.
        let isFramed: Bool
        var recorder: StreamRecorder

        mutating func take(
            _ bytes: [UInt8], _ direction: FrameDirection, at time: TimeSpan, into entries: inout [RecordingEntry]
        ) {
            guard isFramed else { return recorder.take(bytes, direction, at: time, into: &entries) }
            let framed =
                direction == .toApp ? StreamFraming.encode(toApp: bytes) : StreamFraming.encode(toRadio: bytes)
            // What is no frame is dropped by the radio as well.
            if let framed { recorder.take(framed, direction, at: time, into: &entries) }
        }
    }

    /// By the node's index.
    private var radios: [Radio?]
    private var frames: [(number: UInt64, bytes: [UInt8])] = []
    private var entries: [RecordingEntry] = []
    private var lines: [(node: NodeID, entry: RecordingEntry)] = []

    init(nodes count: Int) {
        radios = Array(repeating: nil, count: count)
    }

    /// Removes and returns the lines since the last call, in their order.
    mutating func takeLines() -> [(node: NodeID, entry: RecordingEntry)] {
        guard !lines.isEmpty else { return [] }
        defer { lines = [] }
        return lines
    }

    /// Begins the recording of a client; of several at one radio it is that of the lowest interface.
    mutating func add(_ client: ClientID, over link: RecordingLink) {
        makeRoom(for: client.node)
        if let other = radios[client.node.index], other.interface < client.interface { return }
        radios[client.node.index] = Radio(
            interface: client.interface, isFramed: link == .ble, recorder: StreamRecorder(link, hasAir: true))
    }

    /// A node may come while others are recorded.
    private mutating func makeRoom(for node: NodeID) {
        while radios.count <= node.index { radios.append(nil) }
    }

    /// Records what an app has done, before the node learns of it.
    mutating func took(_ input: NodeInput, _ client: ClientID, at time: Instant) {
        let (node, time) = (client.node, time - Instant.start)
        makeRoom(for: node)
        guard radios[node.index]?.interface == client.interface else { return }
        switch input {
        case .appConnected: radios[node.index]?.recorder.connected(at: time, into: &entries)
        case .appDisconnected:
            radios[node.index]?.recorder.disconnected("closed by the app", at: time, into: &entries)
        case .appBytes(let bytes): radios[node.index]?.take(bytes, .toRadio, at: time, into: &entries)
        default: return
        }
        handOver(node)
    }

    /// Records the events of the world since the last call.
    mutating func happened(_ trace: [TraceRecord]) {
        for line in trace {
            if case .txBegin(let number, let bytes, _) = line.event { keep(number, bytes) }
            if case .replayBegin(let number, let bytes, _) = line.event { keep(number, bytes) }
            makeRoom(for: line.node)
            guard radios[line.node.index] != nil else { continue }
            happened(line.event, line.node, at: line.time - Instant.start)
            handOver(line.node)
        }
    }

    private mutating func happened(_ event: TraceEvent, _ node: NodeID, at time: TimeSpan) {
        switch event {
        case .txBegin(_, let bytes, _):
            entries.append(RecordingEntry(time, .air, .packet(.transmitted, bytes, signal: nil)))
        case .rxEnd(let number, let signal):
            guard let bytes = frames.last(where: { $0.number == number })?.bytes else { return }
            let signal = RecordingEntry.Signal(snrQuarterDecibels: signal.snrQuarters, rssi: signal.rssiByte)
            entries.append(RecordingEntry(time, .air, .packet(.heard, bytes, signal: signal)))
        case .appBytes(let bytes): wrote(bytes, ClientID(node), at: time)
        case .interfaceBytes(let number, let bytes): wrote(bytes, ClientID(node, interface: Int(number)), at: time)
        case .appClosed: closed(ClientID(node), at: time)
        case .interfaceClosed(let number): closed(ClientID(node, interface: Int(number)), at: time)
        case .poweredOff:
            radios[node.index]?.recorder.problem("the board has no power", at: time, into: &entries)
        case .rebooted: radios[node.index]?.recorder.problem("the board restarts", at: time, into: &entries)
        default: return
        }
    }

    private mutating func wrote(_ bytes: [UInt8], _ client: ClientID, at time: TimeSpan) {
        guard radios[client.node.index]?.interface == client.interface else { return }
        radios[client.node.index]?.take(bytes, .toApp, at: time, into: &entries)
    }

    private mutating func closed(_ client: ClientID, at time: TimeSpan) {
        guard radios[client.node.index]?.interface == client.interface else { return }
        radios[client.node.index]?.recorder.disconnected("closed by the radio", at: time, into: &entries)
    }

    /// A snapshot was taken, or the run goes back to one; `time` is the snapshot's in both.
    mutating func turned(_ turn: RunTurn, at time: Instant, now: Instant) {
        for index in radios.indices {
            radios[index]?.recorder.turn(turn, at: time - Instant.start, now: now - Instant.start, into: &entries)
            handOver(NodeID(index: index))
        }
    }

    /// Forgets frames that were begun: no connection is left.
    mutating func endConnections() {
        for index in radios.indices { radios[index]?.recorder.flush(at: .zero, into: &entries) }
        entries = []
    }

    /// The recording ends: what was begun is told.
    mutating func end(at time: Instant) {
        for index in radios.indices {
            radios[index]?.recorder.flush(at: time - Instant.start, into: &entries)
            handOver(NodeID(index: index))
        }
    }

    private mutating func keep(_ number: UInt64, _ bytes: [UInt8]) {
        if frames.count == Self.framesKept { frames.removeFirst(Self.framesKept / 2) }
        frames.append((number, bytes))
    }

    private mutating func handOver(_ node: NodeID) {
        defer { entries.removeAll(keepingCapacity: true) }
        guard radios[node.index] != nil else { return }
        for entry in entries { lines.append((node, entry)) }
    }
}
