import MeshCompanion
import MeshReports
package import MeshSimulator
package import MeshTime

/// An event between client, radio and air during a statement.
package struct TranscriptLine: Hashable, Sendable {
    let at: Instant
    /// `app>`, `<app`, `air<`, `air>`, `raw>`, `<raw`, or what was done: `link down`.
    let kind: String
    var bytes: [UInt8]

    package init(at moment: Instant, kind: String, bytes: [UInt8] = []) {
        at = moment
        self.kind = kind
        self.bytes = bytes
    }

    /// The line of a report.
    package var text: String { bytes.isEmpty ? kind : kind + " " + FrameText.hex(bytes) }

    /// Between whom a frame went, for lines that are one.
    var way: DecodedFrame.Way? {
        switch kind {
        case "app>": .toRadio
        case "<app": .toApp
        case "air<": .heard
        case "air>": .transmitted
        default: nil
        }
    }
}

/// Events of a statement up to the departure of the radio.
package struct Evidence: Hashable, Sendable {
    /// Oldest first.
    var lines: [TranscriptLine]
    /// Packets that the radio sent, each with its time; empty where they are not known.
    var transmissions: [HeldRadio.Transmission]
    /// Tells whether the air of the target can be observed.
    var hasAir: Bool
    /// The time at which the statement was given up.
    var end: Instant
    /// The command that the radio refused as unknown, where that is the departure.
    var refused: CommandCode?

    package init(lines: [TranscriptLine], transmissions: [HeldRadio.Transmission], hasAir: Bool, end: Instant) {
        self.lines = lines
        self.transmissions = transmissions
        self.hasAir = hasAir
        self.end = end
    }

    private static let (app, radio, air) = (0, 1, 2)

    /// The last frames, oldest first.
    var frames: [DecodedFrame] {
        lines.compactMap { line in line.way.map { DecodedFrame(line.bytes, $0, at: line.at) } }
            .suffix(TestReport.Entry.frameLimit)
    }

    /// The statement in lanes; `failure` has the lines of the report.
    func timeline(failure: [String]) -> Timeline {
        var timeline = Timeline(lanes: [.app("app"), .radio("radio")] + (hasAir ? [.air("air")] : []))
        for line in lines { add(line, to: &timeline) }
        // Those before the first line that is left have no place.
        let begin = lines.first?.at ?? .start
        for transmission in transmissions where transmission.begin >= begin { add(transmission, to: &timeline) }
        let label = failure.last { $0.hasPrefix("got") } ?? failure.last ?? "departs"
        let short = label.prefix { $0 != "\n" }.split(separator: " ").joined(separator: " ")
        timeline.add(.init(.failure, in: Self.app, at: end, short, detail: failure.joined(separator: "\n")))
        return timeline
    }

    private func add(_ line: TranscriptLine, to timeline: inout Timeline) {
        let (app, radio, air) = (Self.app, Self.radio, Self.air)
        let raw = "\(line.bytes.count) bytes as they are"
        switch line.kind {
        case "app>": add(DecodedFrame(line.bytes, .toRadio, at: line.at), line.at, from: app, to: radio, &timeline)
        case "<app": add(DecodedFrame(line.bytes, .toApp, at: line.at), line.at, from: radio, to: app, &timeline)
        case "raw>":
            timeline.add(.init(.frame, in: app, at: line.at, raw, detail: FrameText.hex(line.bytes)), to: radio)
        case "<raw":
            timeline.add(.init(.frame, in: radio, at: line.at, raw, detail: FrameText.hex(line.bytes)), to: app)
        case "air<" where hasAir:
            add(DecodedFrame(line.bytes, .heard, at: line.at), line.at, from: air, to: radio, &timeline)
        case "air>" where hasAir && transmissions.isEmpty:
            add(DecodedFrame(line.bytes, .transmitted, at: line.at), line.at, from: radio, to: air, &timeline)
        // Transmissions are there with their own times; looking for them is no event.
        case "air>", "air?", "air quiet?": break
        case "channel busy", "channel free":
            timeline.add(.init(.action, in: hasAir ? air : radio, at: line.at, line.kind))
        case "link down", "link up", "second client", "second app":
            timeline.add(.init(.action, in: app, at: line.at, line.kind))
        case let wait where wait.hasPrefix("wait"): timeline.add(.init(.note, in: app, at: line.at, wait))
        default: timeline.add(.init(.action, in: radio, at: line.at, line.kind))
        }
    }

    private func add(
        _ frame: DecodedFrame, _ at: Instant, from lane: Int, to other: Int, _ timeline: inout Timeline
    ) {
        let kind: Timeline.Kind = lane == Self.air ? .packet : .frame
        timeline.add(.init(kind, in: lane, at: at, frame.shortName, detail: frame.text), to: other)
    }

    private func add(_ transmission: HeldRadio.Transmission, to timeline: inout Timeline) {
        let frame = DecodedFrame(transmission.frame, .transmitted)
        let event = timeline.add(
            .init(
                .packet, in: Self.air, at: transmission.begin, for: transmission.airtime, frame.shortName,
                detail: frame.text))
        timeline.addArrow(from: event, start: Self.radio, to: Self.air, at: transmission.begin)
    }
}
