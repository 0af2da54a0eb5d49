public import MeshFiles
import MeshFirmware
public import MeshSimulator
public import MeshTime
import MeshWire

/// A trace file as read: the world of a run, and its events in the order of time.
///
/// Where a steered run went back to a snapshot, only the run that went on is in it; `abandoned` counts the other lines.
public struct TraceFile: Sendable {
    static let format = "meshbed trace 1"

    /// One line.
    public struct Line: Hashable, Sendable {
        /// The content of a line.
        public enum Content: Hashable, Sendable {
            /// A node began to send these bytes, with this airtime.
            case txBegin(frame: Int, bytes: [UInt8], airtime: TimeSpan)
            /// A fault near the node began to repeat bytes that were heard there.
            case replayBegin(frame: Int, bytes: [UInt8], airtime: TimeSpan)
            /// A node has sent the frame to its end.
            case txEnd(frame: Int)
            /// A modem followed the frame from its preamble on.
            case rxBegin(frame: Int)
            /// A modem received the frame whole, this strongly.
            case rxEnd(frame: Int, snrHundredths: Int16, rssiHundredths: Int16)
            /// A modem did not receive the frame, for this reason; `by` is the frame that interfered, where there was
            /// one.
            case rxDrop(frame: Int, reason: String, by: Int?)
            /// A node received a packet and gave it up, with the reason.
            case discard(reason: String)
            /// A relay passed a packet on after so long; it has come so many hops.
            case forwarded(hops: Int, delayMilliseconds: Int)
            /// A packet of this type reached the node that it was for.
            case delivered(type: UInt8)
            /// A text was for this node, which acknowledges it with this value.
            case acknowledging(tag: UInt32)
            /// An acknowledgement came back, with its hash.
            case acked(tag: UInt32)
            case rebooted
            case booted
            case poweredOff
            /// A fault of the run began, by its place in the list.
            case faultBegin(number: Int)
            /// A fault of the run was over.
            case faultEnd(number: Int)
            /// An invariant found a violation of this rule.
            case violated(rule: String)
            /// A node received the command to send a message.
            case message(number: Int, to: String, text: String)
            /// A message is known to have arrived.
            case acknowledged(number: Int)
            /// A message ended without an acknowledgement; `end` is a word of `MessageEnd`.
            case ended(number: Int, end: String)
            /// An event of a later version.
            case other(String)
        }

        /// The time of the event.
        public let time: Instant
        /// A place in the head's `nodes`.
        public let node: Int
        /// The event itself.
        public let content: Content
    }

    /// The nodes and their links.
    public let topology: Topology
    /// The seed that repeats the run.
    public let seed: UInt64
    /// The planned length of the run; zero for one with clients that had no end.
    public let span: TimeSpan
    /// The events of the run that went on, in the order of time.
    public let lines: [Line]
    /// The number of returns to a snapshot.
    public let restores: Int
    /// The number of lines that the run left behind when it went back; none of them is in `lines`.
    public let abandoned: Int
    /// The digest of the end line; `nil` when the file was cut.
    public let digest: String?

    /// The longest file and the longest line that are read, in bytes.
    public static let longest = 1 << 30
    /// Bytes of a line at most, 1 MiB; a longer one is refused.
    public static let longestLine = 1 << 20
    /// The head lists all nodes and links, so it may be longer.
    public static let longestHead = 256 << 20

    /// Bytes of a label at most: the name of a world or a node, a recipient, a kind, a reason, a rule.
    public static let longestLabel = 128
    /// The kind of the lines about bytes that cross a bridge between two repeaters.
    static let bridgedLine = "bridged"

    /// The sentence about what is not in `lines`; `nil` for a run that never went back.
    package var restoreNote: String? { restores > 0 ? RunTurn.note(restores: restores, abandoned: abandoned) : nil }

    /// The beginning of a text, as long as labels may be.
    static func label(_ text: String) -> String {
        guard text.utf8.count > longestLabel else { return text }
        // Of a very long one only its beginning is looked at.
        var label = String(decoding: text.utf8.prefix(longestLabel + 4), as: UTF8.self)
        while label.utf8.count > longestLabel { label.removeLast() }
        return label
    }

    /// Reads a whole file.
    public init(_ bytes: [UInt8]) throws(FileProblem) {
        guard bytes.count <= Self.longest else {
            throw FileProblem(line: 0, reason: "is longer than \(Self.longest >> 20) MiB")
        }
        var cursor = TraceCursor(bytes)
        let head = try cursor.head()
        var history = RunHistory<Line>()
        while let item = try cursor.next() {
            switch item {
            case .line(let line): history.append(line)
            case .turn(_, let turn): history.apply(turn)
            }
        }
        (lines, abandoned) = history.finished()
        restores = history.restores
        topology = head.topology
        seed = head.seed
        span = head.span
        digest = cursor.digest
    }
}

/// Reads a trace line by line.
struct TraceCursor {
    struct Head {
        let topology: Topology
        let seed: UInt64
        let span: TimeSpan
    }

    /// A line behind the head and in front of the end.
    enum Item: Hashable {
        case line(TraceFile.Line)
        case turn(Instant, RunTurn)

        var time: Instant {
            switch self {
            case .line(let line): line.time
            case .turn(let time, _): time
            }
        }

        /// The node that a line is about; `nil` for the whole run.
        var node: Int? {
            if case .line(let line) = self { line.node } else { nil }
        }
    }

    private let bytes: [UInt8]
    private var at = 0
    /// The line read last, counted from 1.
    private(set) var number = 0
    private(set) var digest: String?
    private var nodeCount = 0
    private var lastTime = Instant.start
    /// The time of each snapshot, by name.
    private var snapshots: [String: Instant] = [:]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func fields(longest: Int) throws(FileProblem) -> JSONFields? {
        while at < bytes.count {
            number += 1
            let end = bytes[at...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            let line = bytes[at..<end]
            at = end + 1
            guard line.contains(where: { $0 > 0x20 }) else { continue }
            guard line.count <= longest else {
                throw FileProblem(line: number, reason: "is longer than \(longest) bytes")
            }
            do {
                return try JSONFields(JSONReader.read(Array(line), line: number), at: "")
            } catch let problem as JSONProblem {
                throw FileProblem(line: problem.line, reason: "is no JSON: \(problem.reason)")
            } catch {
                throw (error as? FileProblem) ?? FileProblem(line: number, reason: "\(error)")
            }
        }
        return nil
    }

    // MARK: Head

    mutating func head() throws(FileProblem) -> Head {
        guard let fields = try fields(longest: TraceFile.longestHead) else {
            throw FileProblem(line: 0, reason: "is empty")
        }
        guard try fields.string("format") == TraceFile.format else {
            throw fields.problem("format", "must be \"\(TraceFile.format)\"")
        }
        var topology = Topology(name: try label("world", fields))
        guard let seed = UInt64(try fields.needString("seed")) else { throw fields.problem("seed", "is no number") }
        guard let span = try fields.integer("for", in: 0...Int64(1) << 52) else { throw fields.missing("for") }
        for (index, value) in (try fields.list("nodes") ?? []).enumerated() {
            let node = try JSONFields(value, at: "nodes[\(index)]")
            guard let role = Topology.Role(rawValue: try node.needString("role")) else {
                throw node.problem(
                    "role", "must be one of \(Topology.Role.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            var place: Place?
            if let x = try node.integer("x", in: Int32.min...Int32.max),
                let y = try node.integer("y", in: Int32.min...Int32.max)
            {
                place = Place(eastMetres: x, northMetres: y)
            }
            topology.nodes.append(Topology.Node(try label("name", node), role, at: place))
        }
        nodeCount = topology.nodes.count
        for (index, value) in (try fields.list("links") ?? []).enumerated() {
            topology.links.append(try link(value, at: "links[\(index)]"))
        }
        return Head(topology: topology, seed: seed, span: TimeSpan(microseconds: span))
    }

    private func link(_ value: JSONText, at path: String) throws(FileProblem) -> Topology.Link {
        func problem(_ reason: String) -> FileProblem { FileProblem(line: value.line, field: path, reason: reason) }
        guard case .array(let elements) = value.content, elements.count == 6 else {
            throw problem("must be six numbers")
        }
        let numbers = elements.map { element -> Double? in
            if case .number(let number) = element.content { number } else { nil }
        }
        func node(_ index: Int) -> Int? {
            numbers[index].flatMap { Int(exactly: $0) }.flatMap { (0..<nodeCount).contains($0) ? $0 : nil }
        }
        func signal(_ index: Int) -> Signal? {
            guard let snr = numbers[index].flatMap({ Int16(exactly: $0) }),
                let rssi = numbers[index + 1].flatMap({ Int16(exactly: $0) })
            else { return nil }
            return Signal(snrHundredths: snr, rssiHundredths: rssi)
        }
        guard let from = node(0), let to = node(1), from != to else {
            throw problem("leads to a node that is not there")
        }
        return Topology.Link(from, to, there: signal(2), back: signal(4))
    }

    // MARK: Lines

    /// The next line; `nil` at the end.
    mutating func next() throws(FileProblem) -> Item? {
        guard let fields = try fields(longest: TraceFile.longestLine) else { return nil }
        guard let micros = try fields.integer("t", in: 0...Int64(1) << 52) else { throw fields.missing("t") }
        let time = Instant(microseconds: micros)
        let name = try label("e", fields)
        if name == "restored" { return .turn(time, try goBack(to: time, fields)) }
        guard time >= lastTime else { throw fields.problem("t", "is earlier than the line before") }
        lastTime = time
        if name == "snapshot" {
            let snapshot = try label("name", fields)
            snapshots[snapshot] = time
            return .turn(time, .snapshot(snapshot))
        }
        if name == "end" {
            digest = try label("digest", fields)
            if try self.fields(longest: TraceFile.longestLine) != nil {
                throw FileProblem(line: number, reason: "stands behind the end")
            }
            return nil
        }
        let content = try content(name, fields)
        guard let node = try fields.integer("n", in: 0...Int.max >> 12) else {
            // A line without a node is about the whole run: what it changes cannot be guessed.
            guard case .other = content else { throw fields.missing("n") }
            throw fields.problem("e", "is \"\(name)\": this version knows no such line about a whole run")
        }
        guard node < nodeCount else { throw fields.problem("n", "there are only \(nodeCount) nodes") }
        return .line(TraceFile.Line(time: time, node: node, content: content))
    }

    /// The run went back to a snapshot; the lines that follow begin at its time.
    private mutating func goBack(to time: Instant, _ fields: JSONFields) throws(FileProblem) -> RunTurn {
        let name = try label("name", fields)
        guard let taken = snapshots[name] else {
            throw fields.problem("name", "no snapshot \"\(name)\" was taken before")
        }
        guard taken == time else {
            throw fields.problem("t", "the snapshot \"\(name)\" was taken at \(taken.microseconds)")
        }
        lastTime = time
        return .restored(name)
    }

    private func content(_ name: String, _ fields: JSONFields) throws(FileProblem) -> TraceFile.Line.Content {
        switch name {
        case "txBegin", "replayBegin":
            let hex = try fields.needString("hex")
            guard let bytes = [UInt8](hex: hex), bytes.count <= 255 else {
                throw fields.problem("hex", "is no hex of at most 255 bytes")
            }
            let airtime = try need("airtime", fields)
            let frame = try need("frame", fields)
            return name == "txBegin"
                ? .txBegin(frame: frame, bytes: bytes, airtime: .microseconds(airtime))
                : .replayBegin(frame: frame, bytes: bytes, airtime: .microseconds(airtime))
        case "txEnd": return .txEnd(frame: try need("frame", fields))
        case "rxBegin": return .rxBegin(frame: try need("frame", fields))
        case "rxEnd":
            guard let snr = try fields.integer("snr", in: Int16.min...Int16.max) else { throw fields.missing("snr") }
            guard let rssi = try fields.integer("rssi", in: Int16.min...Int16.max) else { throw fields.missing("rssi") }
            return .rxEnd(frame: try need("frame", fields), snrHundredths: snr, rssiHundredths: rssi)
        case "rxDrop":
            return .rxDrop(
                frame: try need("frame", fields), reason: try label("reason", fields),
                by: fields.member("by") == nil ? nil : try need("by", fields))
        case "discard": return .discard(reason: try label("reason", fields))
        case "forwarded":
            return .forwarded(hops: try need("hops", fields), delayMilliseconds: try need("delay", fields))
        case "delivered":
            guard let type = try fields.integer("type", in: UInt8(0)...15) else { throw fields.missing("type") }
            return .delivered(type: type)
        case "acked", "acknowledging":
            guard let tag = try fields.integer("tag", in: 0...UInt32.max) else { throw fields.missing("tag") }
            return name == "acked" ? .acked(tag: tag) : .acknowledging(tag: tag)
        case "rebooted": return .rebooted
        case "booted": return .booted
        case "poweredOff": return .poweredOff
        case "faultBegin": return .faultBegin(number: try need("number", fields))
        case "faultEnd": return .faultEnd(number: try need("number", fields))
        case "violated": return .violated(rule: try label("rule", fields))
        case "message":
            return .message(
                number: try need("number", fields), to: try label("to", fields),
                text: try fields.needString("text"))
        case "acknowledged": return .acknowledged(number: try need("number", fields))
        case "ended": return .ended(number: try need("number", fields), end: try label("end", fields))
        default: return .other(name)
        }
    }

    /// A short text, which may occur in many lines of the output made from the trace.
    private func label(_ key: String, _ fields: JSONFields) throws(FileProblem) -> String {
        let text = try fields.needString(key)
        guard text.utf8.count <= TraceFile.longestLabel else {
            throw fields.problem(key, "is longer than \(TraceFile.longestLabel) bytes")
        }
        return text
    }

    private func need(_ key: String, _ fields: JSONFields) throws(FileProblem) -> Int {
        guard let number = try fields.integer(key, in: 0...Int(1) << 52) else { throw fields.missing(key) }
        return number
    }
}
