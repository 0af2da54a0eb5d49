package import MeshCapture
import MeshCompanion
import MeshPacket
package import MeshReports
import MeshTime
import MeshWire

// What has lanes that are no nodes of a mesh: recordings, and the timelines of failures.
extension PlayerDocument {
    /// The timeline of a failure, as reports draw it.
    package init(_ timeline: Timeline, title: String, facts: [Fact] = []) {
        self.init(
            .report, title: title, world: PlayerWorld(lanes: timeline.lanes.map { ($0.name, $0.kind.rawValue) }))
        self.facts = facts
        var targets: [Int: (lane: Int, isLost: Bool)] = [:]
        for arrow in timeline.arrows where targets[arrow.from] == nil {
            targets[arrow.from] = (arrow.to, arrow.isLost)
        }
        let order = timeline.events.indices.sorted { (timeline.events[$0].at, $0) < (timeline.events[$1].at, $1) }
        for place in order {
            let event = timeline.events[place]
            let target = targets[place]
            events.add(
                event.at, lane: event.lane,
                PlayerEvents.Note(
                    style: target?.isLost == true ? "lost" : event.kind.rawValue, label: event.label,
                    detail: event.detail, length: event.length.microseconds, to: target?.lane ?? event.lane))
            span = max(span, event.at - .start + event.length)
        }
    }
}

extension PlayerDocument {
    /// A recording: frames between app and radio, and packets between radio and air; of the run that went on.
    package init(_ recording: Recording, title: String) {
        self.init(
            .recording, title: title,
            world: PlayerWorld(lanes: [("app", "app"), ("radio", "radio"), ("air", "air")]))
        let history = recording.history
        if let note = history.note { facts.append(Fact("Left out", note)) }
        for entry in history.places.map({ recording.entries[$0] }) {
            let (lane, note) = Self.note(entry.event)
            events.add(.start + entry.time, lane: lane, note)
            span = max(span, entry.time)
        }
    }

    /// In which lane something of a recording stands, and what is said of it.
    private static func note(_ event: RecordingEntry.Event) -> (Int, PlayerEvents.Note) {
        let (app, radio, air) = (0, 1, 2)
        switch event {
        case .connected: return (app, .init(style: "action", label: "connected", detail: "", to: radio))
        case .disconnected(let reason):
            return (app, .init(style: "action", label: "disconnected", detail: reason, to: radio))
        case .frame(let direction, let bytes):
            let printed = FramePrinter.printed(bytes, direction: direction)
            let fields = printed.fields.map { "\($0.name) \($0.value)" }.joined(separator: "\n")
            let (from, to) = direction == .toRadio ? (app, radio) : (radio, app)
            return (
                from, .init(style: "frame", label: printed.name, detail: fields + "\n" + bytes.hex, to: to)
            )
        case .packet(let way, let bytes, _):
            let type = (try? PacketView(bytes)).map { "\($0.type)" } ?? "no packet"
            let (from, to) = way == .heard ? (air, radio) : (radio, air)
            return (from, .init(style: "packet", label: type, detail: bytes.hex, to: to))
        case .turn(.snapshot(let name)):
            return (app, .init(style: "note", label: "snapshot", detail: name, to: app))
        case .turn(.restored(let name)):
            return (app, .init(style: "action", label: "went back", detail: "to snapshot \(name)", to: radio))
        case .problem(let text): return (app, .init(style: "lost", label: text, detail: "", to: app))
        }
    }
}
