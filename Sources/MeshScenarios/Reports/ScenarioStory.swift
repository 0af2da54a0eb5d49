import MeshReports
import MeshSimulator
import MeshTime

/// The course of a scenario, written for a report: the script, the apps, their radios, other nodes, and the air.
struct ScenarioStory {
    private let result: ScenarioResult
    /// The end of the event log, without the lines before the script: an event long before a failure is seldom its
    /// cause.
    private let entries: ArraySlice<EventLog.Entry>
    private let air: [TraceRecord]

    static let entryLimit = 160
    static let recordLimit = 1600

    init(_ result: ScenarioResult) {
        self.result = result
        let first = result.entries.firstIndex(where: \.isOfScript) ?? 0
        entries = result.entries[first...].suffix(Self.entryLimit)
        let begin = entries.first.map { Instant.start + TimeSpan($0.time) } ?? .start
        air = result.air.suffix(Self.recordLimit).filter { $0.time >= begin }
    }

    /// The last frames between apps and radios, oldest first.
    var frames: [DecodedFrame] {
        let all = entries.compactMap { entry -> DecodedFrame? in
            let at = Instant.start + TimeSpan(entry.time)
            return switch entry.kind {
            case .toRadio(let bytes): DecodedFrame(bytes, .toRadio, at: at)
            case .toApp(let bytes): DecodedFrame(bytes, .toApp, at: at)
            default: nil
            }
        }
        return all.suffix(TestReport.Entry.frameLimit)
    }

    /// The lines of the script as they were played, with their times.
    var transcript: [String] {
        let times = TimelineDrawing.words(of: entries.map { .start + TimeSpan($0.time) })
        return zip(entries, times).compactMap { entry, time in
            let words: String
            switch entry.kind {
            case .step(let sentence): words = sentence
            case .fault(let sentence, let begins): words = (begins ? "trouble: " : "over: ") + sentence
            case .cameTrue(let sentence): words = "true: " + sentence
            case .reached(let sentence): words = "reached: " + sentence
            case .failed(let sentence, let reason): words = "FAILED \(sentence): \(reason)"
            case .toRadio, .toApp, .connected, .disconnected: return nil
            }
            return (time ?? "") + "  " + words
        }
    }

    // MARK: Timeline

    /// The lanes: the script, then the cast in its order, apps before their radios, and the air at the end.
    var timeline: Timeline {
        var lanes: [Timeline.Lane] = [.script("script")]
        var places = Places()
        for member in result.scenario.cast {
            if member.isPerson {
                places.app[member.name] = lanes.count
                lanes.append(.app("\(member.name)’s app"))
            }
            guard !member.sharesRadio else { continue }
            places.radio[member.name] = lanes.count
            places.nodes.append(lanes.count)
            lanes.append(.radio(member.name))
        }
        for member in result.scenario.cast where member.sharesRadio {
            places.radio[member.name] = places.radio[member.radioName]
        }
        places.air = air.isEmpty ? nil : lanes.count
        if !air.isEmpty { lanes.append(.air("air")) }
        var timeline = Timeline(lanes: lanes)
        for entry in entries { add(entry, places, &timeline) }
        addAir(places, &timeline)
        return timeline
    }

    /// In which lane is what.
    private struct Places {
        var app: [String: Int] = [:]
        var radio: [String: Int] = [:]
        /// Radios by the number of their node: the world has them in the order of the cast.
        var nodes: [Int] = []
        var air: Int?
        static let script = 0

        func node(_ node: NodeID) -> Int? { nodes.indices.contains(node.index) ? nodes[node.index] : nil }
    }

    private func add(_ entry: EventLog.Entry, _ places: Places, _ timeline: inout Timeline) {
        let at = Instant.start + TimeSpan(entry.time)
        let app = entry.who.flatMap { places.app[$0] } ?? Places.script
        let radio = entry.who.flatMap { places.radio[$0] } ?? Places.script
        switch entry.kind {
        case .step(let sentence): timeline.add(.init(.note, in: Places.script, at: at, sentence))
        case .toRadio(let bytes):
            let frame = DecodedFrame(bytes, .toRadio)
            timeline.add(.init(.frame, in: app, at: at, frame.shortName, detail: frame.text), to: radio)
        case .toApp(let bytes):
            let frame = DecodedFrame(bytes, .toApp)
            timeline.add(.init(.frame, in: radio, at: at, frame.shortName, detail: frame.text), to: app)
        case .connected: timeline.add(.init(.action, in: app, at: at, "connected"))
        case .disconnected: timeline.add(.init(.action, in: app, at: at, "disconnected"))
        case .fault(let sentence, let begins):
            timeline.add(.init(.action, in: Places.script, at: at, (begins ? "" : "over: ") + sentence))
        case .cameTrue(let sentence): timeline.add(.init(.note, in: Places.script, at: at, "true: " + sentence))
        case .reached(let sentence): timeline.add(.init(.note, in: Places.script, at: at, "reached: " + sentence))
        case .failed(let sentence, let reason):
            timeline.add(.init(.failure, in: Places.script, at: at, sentence, detail: reason))
        }
    }

    private func addAir(_ places: Places, _ timeline: inout Timeline) {
        guard let air = places.air else { return }
        var events: [UInt64: Int] = [:]
        var names: [UInt64: String] = [:]
        for record in self.air {
            guard let lane = places.node(record.node) else { continue }
            let name = timeline.lanes[lane].name
            switch record.event {
            case .txBegin(let number, let bytes, let airtime), .replayBegin(let number, let bytes, let airtime):
                let frame = DecodedFrame(bytes, .transmitted)
                let event = timeline.add(
                    .init(
                        .packet, in: air, at: record.time, for: airtime, "\(frame.shortName) from \(name)",
                        detail: frame.text))
                timeline.addArrow(from: event, start: lane, to: air, at: record.time)
                events[number] = event
                names[number] = "\(frame.shortName) from \(name)"
            case .rxEnd(let number, _):
                guard let event = events[number] else { continue }
                timeline.addArrow(from: event, start: air, to: lane, at: record.time)
                timeline.addDetail("received by \(name)", to: event)
            case .rxDrop(let number, let reason, let other):
                guard let event = events[number] else { continue }
                timeline.addArrow(from: event, start: air, to: lane, at: record.time, isLost: true)
                let obstacle = other.map { ", by \(names[$0] ?? "frame \($0)")" } ?? ""
                timeline.addDetail("lost at \(name): \(reason)\(obstacle)", to: event)
            case .rebooted: timeline.add(.init(.action, in: lane, at: record.time, "restarts"))
            case .poweredOff: timeline.add(.init(.action, in: lane, at: record.time, "power off"))
            case .bridged(let bytes):
                timeline.add(.init(.action, in: lane, at: record.time, "\(bytes.count) bytes over its bridge"))
            case .txEnd, .rxBegin, .appBytes, .appClosed, .interfaceBytes, .interfaceClosed, .booted, .fault,
                .violated, .reported:
                break
            }
        }
    }
}

extension EventLog.Entry {
    /// Tells whether it is a line of the script that begins.
    fileprivate var isOfScript: Bool {
        switch kind {
        case .step, .fault(_, begins: true): true
        case .fault, .toRadio, .toApp, .connected, .disconnected, .cameTrue, .reached, .failed: false
        }
    }
}
