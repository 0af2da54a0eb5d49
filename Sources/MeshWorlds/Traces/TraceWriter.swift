import MeshFirmware
public import MeshSimulator
public import MeshTime
import MeshWire

/// Writes the lines of a trace file: a head, a line for each event, an end. The article "Trace files" has the format.
public struct TraceWriter: Sendable {
    /// The text so far, which `takeText` removes.
    private var text: [UInt8] = []

    public init() {}

    /// Removes and returns the text that was written since the last call.
    public mutating func takeText() -> [UInt8] {
        defer { text.removeAll(keepingCapacity: true) }
        return text
    }

    /// Bytes that were not yet removed by `takeText`.
    public var pending: Int { text.count }

    /// Writes the head: the world of the run.
    public mutating func begin(_ topology: Topology, seed: Seed, span: TimeSpan) {
        add(
            "{\"format\":\"\(TraceFile.format)\",\"world\":\(quoted(TraceFile.label(topology.name))),\"seed\":\"\(seed.value)\""
        )
        add(",\"for\":\(span.microseconds),\"nodes\":[")
        for (index, node) in topology.nodes.enumerated() {
            add("\(index > 0 ? "," : ""){\"name\":\(quoted(node.label)),\"role\":\"\(node.role.rawValue)\"")
            if let place = node.place { add(",\"x\":\(place.eastMetres),\"y\":\(place.northMetres)") }
            add("}")
        }
        add("],\"links\":[")
        for (index, link) in topology.links.enumerated() {
            add("\(index > 0 ? "," : "")[\(link.from),\(link.to),\(link.there.text),\(link.back.text)]")
        }
        add("]}\n")
    }

    /// Writes a line, unless traces do not record such an event.
    public mutating func add(_ time: Instant, _ node: NodeID, _ happening: MeshRun.Happening) {
        switch happening {
        case .event(let event):
            guard let body = Self.body(event) else { return }
            line(time, node, body)
        case .message(let number, let to, let words):
            line(time, node, "\"message\",\"number\":\(number),\"to\":\(quoted(to)),\"text\":\(quoted(words))")
        case .acknowledged(let number): line(time, node, "\"acknowledged\",\"number\":\(number)")
        case .ended(let number, let end): line(time, node, "\"ended\",\"number\":\(number),\"end\":\"\(end.rawValue)\"")
        }
    }

    /// Writes where a snapshot was taken or the run went back to one; `time` is the snapshot's in both.
    package mutating func add(_ turn: RunTurn, at time: Instant) {
        let name = quoted(TraceFile.label(turn.name))
        add("{\"t\":\(time.microseconds),\"e\":\"\(turn.word)\",\"name\":\(name)}\n")
    }

    /// Writes the end, without which a trace counts as cut.
    public mutating func end(_ summary: MeshSummary, at time: Instant) {
        end(digest: summary.digest, unseed: summary.unseed, at: time)
    }

    package mutating func end(digest: String, unseed: String, at time: Instant) {
        add("{\"t\":\(time.microseconds),\"e\":\"end\",\"digest\":\"\(digest)\",\"unseed\":\"\(unseed)\"}\n")
    }

    private mutating func add(_ string: String) { text.append(contentsOf: string.utf8) }

    private mutating func line(_ time: Instant, _ node: NodeID, _ body: String) {
        add("{\"t\":\(time.microseconds),\"n\":\(node.index),\"e\":\(body)}\n")
    }

    /// The rest of a line behind `"e":`; `nil` for bytes between apps and radios, which traces do not hold.
    private static func body(_ event: TraceEvent) -> String? {
        switch event {
        case .txBegin(let frame, let bytes, let airtime):
            "\"txBegin\",\"frame\":\(frame),\"airtime\":\(airtime.microseconds),\"hex\":\"\(bytes.hex)\""
        case .replayBegin(let frame, let bytes, let airtime):
            "\"replayBegin\",\"frame\":\(frame),\"airtime\":\(airtime.microseconds),\"hex\":\"\(bytes.hex)\""
        case .txEnd(let frame): "\"txEnd\",\"frame\":\(frame)"
        case .rxBegin(let frame): "\"rxBegin\",\"frame\":\(frame)"
        case .rxEnd(let frame, let signal):
            "\"rxEnd\",\"frame\":\(frame),\"snr\":\(signal.snrHundredths),\"rssi\":\(signal.rssiHundredths)"
        case .rxDrop(let frame, let reason, let other):
            "\"rxDrop\",\"frame\":\(frame),\"reason\":\"\(reason)\"" + (other.map { ",\"by\":\($0)" } ?? "")
        case .rebooted: "\"rebooted\""
        case .booted: "\"booted\""
        case .poweredOff: "\"poweredOff\""
        case .bridged(let bytes): "\"\(TraceFile.bridgedLine)\",\"hex\":\"\(bytes.hex)\""
        case .fault(let number, let begins): "\"\(begins ? "faultBegin" : "faultEnd")\",\"number\":\(number)"
        case .violated(let rule): "\"violated\",\"rule\":\"\(rule.rawValue)\""
        case .reported(.rxDrop(let reason)): "\"discard\",\"reason\":\"\(reason)\""
        case .reported(.forwarded(let hops, let delay)): "\"forwarded\",\"hops\":\(hops),\"delay\":\(delay)"
        case .reported(.delivered(let type)): "\"delivered\",\"type\":\(type)"
        case .reported(.acknowledging(let tag)): "\"acknowledging\",\"tag\":\(tag)"
        case .reported(.acked(let tag)): "\"acked\",\"tag\":\(tag)"
        case .appBytes, .appClosed, .interfaceBytes, .interfaceClosed: nil
        }
    }
}

extension Signal? {
    fileprivate var text: String { map { "\($0.snrHundredths),\($0.rssiHundredths)" } ?? "null,null" }
}

/// A text as JSON.
package func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": quoted += "\\\""
        case "\\": quoted += "\\\\"
        case "\n": quoted += "\\n"
        case "\r": quoted += "\\r"
        case "\t": quoted += "\\t"
        case _ where scalar.value < 0x20:
            let digits = String(scalar.value, radix: 16)
            quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: quoted.unicodeScalars.append(scalar)
        }
    }
    return quoted + "\""
}
