public import MeshCapture
import MeshCompanion
public import MeshReports

extension TestReport {
    /// Reports the radio's answers to a replayed client, command by command.
    public init(replaying recording: Recording, against target: String, _ checks: [ReplayCheck]) {
        self.init(title: "Replay", command: "replay --as client", target: target)
        entries = checks.enumerated().map { number, check in
            let place = check.entry.map { "entry \($0 + 1)" } ?? "extra \(number + 1)"
            var entry = Entry(
                kind: .check, id: place.replacing(" ", with: "/"), group: check.isPush ? "Pushes" : "Commands",
                title: "\(check.title), \(place)",
                verdict: check.isKept ? .kept : .broken(check.problems.map(\.description)))
            if let number = check.entry, case .frame(let direction, let bytes) = recording.entries[number].event {
                entry.frames = [DecodedFrame(bytes, direction == .toRadio ? .toRadio : .toApp)]
            }
            return entry
        }
        entries += Self.powerCuts(recording)
        entries += Self.leftOut(recording.history)
    }

    /// The cuts of the power in a recording, each of which this replay cannot make: nothing is known of what followed.
    private static func powerCuts(_ recording: Recording) -> [Entry] {
        recording.history.places.compactMap { place in
            guard case .disconnected(reason: RecordingEntry.powerCut) = recording.entries[place].event else {
                return nil
            }
            return Entry(
                kind: .check, id: "entry/\(place + 1)", group: "Faults", title: "power cut, entry \(place + 1)",
                verdict: .invalid(["the power of the radio was cut when it was recorded, and was not now"]))
        }
    }

    /// The part of a recording that is not played, because its run left it behind; nothing where it never went back.
    private static func leftOut(_ history: Recording.History) -> [Entry] {
        guard let note = history.note else { return [] }
        return [
            Entry(
                kind: .check, id: "left-behind", group: "Recording", title: "what the run left behind is replayed",
                verdict: .notRun(note))
        ]
    }

    /// Reports how a client got on with the radio of a recording.
    public init(_ radio: RadioReplayer, at target: String) {
        self.init(title: "Replay", command: "replay --as radio", target: target)
        let missing = Set(radio.neverCame.map(\.entry))
        for exchange in radio.script.exchanges {
            let title = FramePrinter.printed(exchange.command, direction: .toRadio).name
            entries.append(
                Entry(
                    kind: .check, id: "entry/\(exchange.entry + 1)", group: "Commands",
                    title: "\(title), entry \(exchange.entry + 1)",
                    verdict: missing.contains(exchange.entry) ? .notRun("the client did not send it") : .kept))
        }
        for (number, departure) in radio.departures.enumerated() {
            var entry = Entry(
                kind: .check, id: "departure/\(number + 1)", group: "Departures",
                title: FramePrinter.printed(departure.command, direction: .toRadio).name,
                verdict: .broken([departure.description]))
            entry.frames = [DecodedFrame(departure.command, .toRadio)]
            entries.append(entry)
        }
        entries += Self.leftOut(radio.script.history)
    }
}

extension TestReport {
    /// Reports the end of a service stack after a recording. Without an expectation, it must have asked nothing that
    /// the recording cannot answer. `differences` are those of an expectation.
    public init(replayingInto outcome: StackOutcome, differences: [String]?) {
        self.init(title: "Replay", command: "replay --into stack", target: "stack")
        if let differences {
            entries = [
                Entry(
                    kind: .check, id: "expectation", group: "Stack", title: "the stack ends up as expected",
                    verdict: differences.isEmpty ? .kept : .broken(differences))
            ]
            return
        }
        entries = [
            Entry(
                kind: .check, id: "connection", group: "Stack", title: "the stack connects",
                verdict: outcome.error.map { .broken([$0]) } ?? .kept)
        ]
        entries += outcome.departures.enumerated().map { number, departure in
            Entry(
                kind: .check, id: "departure/\(number + 1)", group: "Departures",
                title: String(departure.prefix { $0 != " " }), verdict: .broken([departure]))
        }
    }

    /// A replay that could not be.
    public init(impossibleReplay reason: String, command: String, target: String) {
        self.init(title: "Replay", command: command, target: target)
        entries = [
            Entry(
                kind: .check, id: "replay", group: "Recording", title: "the recording is replayed",
                verdict: .couldNotRun(reason))
        ]
    }

    /// One report of several recordings, each by its name in front of groups and identifiers.
    public init(replays: [(name: String, report: TestReport)], target: String) {
        self.init(title: "Replays", command: replays.first?.report.command ?? "replay", target: target)
        for (name, report) in replays {
            entries += report.entries.map { entry in
                var entry = entry
                entry.id = "\(name)/\(entry.id)"
                entry.group = "\(name): \(entry.group)"
                return entry
            }
        }
    }
}

extension ReplayCheck {
    fileprivate var isPush: Bool { title.hasPrefix("PUSH_") }
}

extension RadioReplayer {
    /// The summary for people.
    public var summary: [String] {
        var lines = departures.map { "departure: \($0)" }
        if departureCount > departures.count {
            lines.append("and \(departureCount - departures.count) departures more")
        }
        let missing = neverCame
        if !missing.isEmpty {
            lines.append("never sent: " + missing.map(\.named).joined(separator: ", "))
        }
        lines.append(
            "\(answered) answered (\(repeated) of them again), \(departureCount) departures, \(missing.count) of "
                + "\(script.exchanges.count) recorded commands never sent")
        return lines
    }
}

extension ReplayScript.Exchange {
    fileprivate var named: String {
        "\(FramePrinter.printed(command, direction: .toRadio).name) (entry \(entry + 1))"
    }
}
