import ArgumentParser
import MeshCapture
import MeshCaptureIO
import MeshCompanion
import MeshReports
import MeshTime
import MeshWire

/// `meshbed capture show`: the conversation.
struct CaptureShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a recording as a conversation, decoded, with protocol violations.",
        discussion: """
            Each frame or packet gets a line: seconds, link, direction (> to the radio, < from it), and its meaning. \
            A separate line below marks what breaks the protocol: malformed frames, answers without a command, \
            commands without an answer, contacts outside of a listing. All filters given must fit. In a Bluetooth \
            capture the line of a connection names the other side. Observers' records have packets on the air alone.

            With --summary a repeated exchange is one line, with its count and its last time: the reading of 40 \
            channels, the listing of contacts.

            With --hci the lines are commands of the host and events of its controller, by name, for all devices: \
            adapter, > to the controller, < from it. Values that may be keys are left out.

            Examples:
              meshbed capture show session.capture
              meshbed capture show session.capture --direction to-radio --code LOGIN \\
                --fields
              meshbed capture show session.capture --from 10 --to 12.5 --json
              meshbed capture show btsnoop_hci.log --hci --code "Create Connection"
              meshbed capture show sniffed.pcapng --pin 123456

            Exit status: 0, or 1 when a line that is shown breaks the protocol or some of the file could not be read.
            """)

    /// The lines that are shown.
    enum Direction: String, CaseIterable, ExpressibleByArgument {
        case toRadio = "to-radio"
        case toApp = "to-app"
        case heard
        case transmitted
    }

    @Argument(help: "A recording, a Bluetooth capture or observers' records; '-' reads standard input.")
    var file: String
    @Flag(help: "Print every field of every frame in a line of its own.") var fields = false
    @Flag(help: "Print exchanges that are repeated as one line.") var summary = false
    @Option(help: "Show only one way: to-radio, to-app, heard, transmitted.") var direction: Direction?
    @Option(
        help: ArgumentHelp(
            "Show frames whose name has this in it, as in SELF_INFO; can be repeated.", valueName: "name"))
    var code: [String] = []
    @Option(help: "Show one connection or observer, counted from 1.") var connection: Int?
    @Option(help: ArgumentHelp("Show lines from this time on.", valueName: "seconds"), transform: CaptureShow.time)
    var from: TimeSpan?
    @Option(help: ArgumentHelp("Show lines up to this time.", valueName: "seconds"), transform: CaptureShow.time)
    var to: TimeSpan?
    @OptionGroup var keys: AirKeyOptions
    @Flag(help: "Show what host and controller say to each other, instead of frames.") var hci = false
    @Flag(help: "Print one JSON object a line.") var json = false

    static func time(_ text: String) throws -> TimeSpan {
        guard let seconds = Double(text), 0...4_000_000_000 ~= seconds else {
            throw ValidationError("'\(text)' is not a time; give seconds since the recording began")
        }
        return .microseconds(Int64(nearest: seconds * 1_000_000))
    }

    func validate() throws {
        guard !hci || (direction == nil && connection == nil) else {
            throw ValidationError("--hci shows no frames, so it takes neither --direction nor --connection")
        }
        guard !summary || (!hci && !fields && !json) else {
            throw ValidationError("--summary excludes --hci, --fields and --json")
        }
        let names = ShownNames(isHCI: hci)
        if let stray = code.first(where: { !names.knows($0) }) {
            throw ValidationError("--code: no frame or packet has '\(stray)' in its name; there are \(names.listing)")
        }
    }

    func run() throws {
        try CaptureRun.run("show") {
            if hci { return try HostListing(self).show(file, Console.out) }
            let capture = try LoadedCapture(file, keys.options)
            let isWell = try show(capture, Console.out)
            return capture.reportProblems("capture show") && isWell
        }
    }

    /// Emits the lines of all connections; returns `false` when one of them breaks the protocol.
    func show(_ capture: LoadedCapture, _ out: (String) -> Void) throws -> Bool {
        let parts = try connection.map { [try capture.part(connection: $0)] } ?? capture.parts
        var isWell = true
        for (index, part) in parts.enumerated() {
            if parts.count > 1, !json { out("\(capture.isOfObservers ? "observer" : "connection") \(index + 1)") }
            if !show(part, out) { isWell = false }
        }
        return isWell
    }

    /// Emits the lines that fit; returns `false` when one of them breaks the protocol.
    private func show(_ part: LoadedCapture.Part, _ out: (String) -> Void) -> Bool {
        let conversation = RecordingConversation(part.recording)
        let breaches = conversation.breaches
        var next = breaches.startIndex
        var isWell = conversation.breachCount == breaches.count
        var repetition = ShownRepetition(isFolding: summary)
        for (index, entry) in part.recording.entries.enumerated() {
            let start = next
            while next < breaches.endIndex, breaches[next].entry == index { next += 1 }
            guard shows(entry) else { continue }
            let found = breaches[start..<next]
            if !found.isEmpty { isWell = false }
            if json {
                out(CaptureJSON.line(ShownEntry(entry, place: part.places[index], found)))
            } else {
                if !repetition.take(entry, isSound: found.isEmpty, out) { show(entry, out) }
                for breach in found {
                    out("  ! line \(part.places[index]): \(breach.rule.rawValue): \(breach.reason)")
                }
            }
        }
        repetition.end(out)
        return isWell
    }

    private func show(_ entry: RecordingEntry, _ out: (String) -> Void) {
        guard fields, let decoded = entry.decoded else { return out(entry.shown) }
        out("\(entry.time.recordedText) \(entry.link.rawValue) \(entry.mark) \(decoded.name)")
        for field in decoded.fields { out(Self.line(field)) }
        for remark in decoded.remarks { out("    \(remark)") }
    }

    /// A field in a line of its own.
    static func line(_ field: PrintedField) -> String {
        let unit = field.unit.isEmpty || field.unit == "text" ? "" : " \(field.unit)"
        let note = field.note.isEmpty ? "" : " (\(field.note))"
        return "    \(field.offset) \(field.name): \(field.value)\(unit)\(note)"
    }

    func shows(_ entry: RecordingEntry) -> Bool {
        if let from, entry.time < from { return false }
        if let to, entry.time > to { return false }
        if let direction, !direction.holds(entry.event) { return false }
        if !code.isEmpty {
            guard let name = entry.decoded?.name.uppercased() else { return false }
            return code.contains { name.contains($0.uppercased()) }
        }
        return true
    }
}

extension CaptureShow.Direction {
    fileprivate func holds(_ event: RecordingEntry.Event) -> Bool {
        switch event {
        case .frame(.toRadio, _): self == .toRadio
        case .frame(.toApp, _): self == .toApp
        case .packet(.heard, _, _): self == .heard
        case .packet(.transmitted, _, _): self == .transmitted
        case .connected, .disconnected, .problem, .turn: false
        }
    }
}

/// A line of a recording for programs.
struct ShownEntry: Encodable {
    struct Breach: Encodable {
        let rule: String
        let reason: String
    }

    let line: Int
    let seconds: Double
    let link: String
    let mark: String
    let story: String
    let hex: String?
    let name: String?
    let fields: [RecordJSON.Field]?
    let note: String?
    let breaches: [Breach]?

    init(_ entry: RecordingEntry, place: Int, _ found: some Collection<ProtocolBreach>) {
        line = place
        seconds = Double(entry.time.microseconds) / 1_000_000
        link = entry.link.rawValue
        mark = entry.mark
        story = entry.story
        let decoded = entry.decoded
        hex = decoded?.bytes.hex
        name = decoded?.name
        fields = decoded?.fields.map(RecordJSON.Field.init)
        note = entry.note.isEmpty ? nil : entry.note
        breaches = found.isEmpty ? nil : found.map { Breach(rule: $0.rule.rawValue, reason: $0.reason) }
    }
}
