import MeshCompanion
import MeshPacket
import MeshTime
import MeshWire

extension Recording {
    /// The same conversation without its secrets, so that it can be shown to others and still replays.
    ///
    /// Secrets that the header lists as scrubbed are left alone, so that scrubbing twice changes nothing.
    public func scrubbed(
        of secrets: Set<RecordingHeader.Secret> = RecordingScrubber.usual, salt: [UInt8]
    ) -> (recording: Recording, report: ScrubReport) {
        var scrubber = RecordingScrubber(of: secrets, salt: salt, in: header)
        let entries = entries.map { scrubber.scrubbed($0) }
        return (Recording(scrubber.header, entries), scrubber.report)
    }
}

/// Replaces secrets line by line: by others of the same length, the same for the same secret and salt.
///
/// It governs private keys, secrets of channels, PINs, passwords of logins and in commands to repeaters, positions
/// and texts. Names are replaced on request. All this applies to frames and to the clear part of packets. Public
/// keys stay, for they identify contacts. Notes and comments are written anew.
public struct RecordingScrubber: Sendable {
    /// All secrets but the names of nodes.
    public static let usual: Set<RecordingHeader.Secret> = [.keys, .pins, .passwords, .positions, .texts]

    /// The recording's header, with the row that names what was scrubbed.
    public let header: RecordingHeader
    /// The replacements in the lines so far; the header's own rows are not counted.
    public internal(set) var report = ScrubReport()
    let secrets: Set<RecordingHeader.Secret>
    let substitution: Substitution
    /// The open questions to nodes, by the beginning of their keys, oldest first: an answer does not name its
    /// question.
    var questions = RecentValues<[UInt8], [CommandLineSecret.Question]>()
    /// The binary request whose SENT is awaited, and the kinds of the requests by their tags.
    var requested: RequestType?
    var requests = RecentValues<UInt64, RequestType>()

    /// The open questions at each snapshot, by its name in the recording, and the number that it gets.
    private var snapshots: [String: (number: Int, asked: Asked?)] = [:]
    /// Snapshots of which that is kept at most; without it an answer is scrubbed as one to an unknown question.
    private static let mostAsked = 1024

    private struct Asked {
        var questions = RecentValues<[UInt8], [CommandLineSecret.Question]>()
        var requested: RequestType?
        var requests = RecentValues<UInt64, RequestType>()
    }

    /// The salt keeps others from guessing; recordings that shall agree with each other have the same.
    public init(
        of secrets: Set<RecordingHeader.Secret> = usual, salt: [UInt8], in header: RecordingHeader = RecordingHeader()
    ) {
        let done = header.scrubbed ?? []
        self.secrets = secrets.subtracting(done)
        substitution = Substitution(salt: salt)
        var scrubbed = header
        scrubbed.scrubbed = done.union(secrets)
        if !self.secrets.isEmpty {
            scrubbed.firmware = header.firmware.map(WrittenSecrets.maskedRuns)
            scrubbed.board = header.board.map(WrittenSecrets.maskedRuns)
            scrubbed.story = header.story.map(WrittenSecrets.maskedRuns)
            scrubbed.rows = header.rows.map { .init($0.key, WrittenSecrets.masked(row: $0.key, $0.value)) }
        }
        self.header = scrubbed
    }

    /// The line without its secrets.
    public mutating func scrubbed(_ entry: RecordingEntry) -> RecordingEntry {
        guard !secrets.isEmpty else { return entry }
        var entry = entry
        switch entry.event {
        // A recording that was made of a Bluetooth capture says here how the radio calls itself.
        case .connected: entry.note = secrets.contains(.names) ? "" : WrittenSecrets.masked(entry.note)
        case .disconnected(let reason):
            entry.event = .disconnected(reason: WrittenSecrets.rewritten(reason))
            entry.note = WrittenSecrets.rewritten(entry.note)
        case .problem(let what):
            entry.event = .problem(WrittenSecrets.rewritten(what))
            entry.note = WrittenSecrets.rewritten(entry.note)
        case .turn(let turn):
            entry.event = .turn(scrubbed(turn))
            entry.note = WrittenSecrets.rewritten(entry.note)
        case .frame(let direction, let bytes):
            entry.event = .frame(direction, scrubbed(frame: bytes, direction))
            if !entry.note.isEmpty { entry.note = Self.name(of: bytes, direction) }
        case .packet(let way, let bytes, let signal):
            entry.event = .packet(way, scrubbed(packet: bytes), signal: signal)
            if !entry.note.isEmpty { entry.note = bytes.first.map { PayloadType(header: $0).name } ?? "" }
        }
        return entry
    }

    /// A snapshot may be called anything: it gets a number, the same wherever it is named.
    private mutating func scrubbed(_ turn: RunTurn) -> RunTurn {
        let known = snapshots[turn.name]
        let number = known?.number ?? snapshots.count + 1
        switch turn {
        case .snapshot:
            let isKept = known?.asked != nil || number <= Self.mostAsked
            let asked = Asked(questions: questions, requested: requested, requests: requests)
            snapshots[turn.name] = (number, isKept ? asked : nil)
            return .snapshot("\(number)")
        case .restored:
            // Nobody answers any more what was asked in between.
            let asked = known?.asked ?? Asked()
            (questions, requested, requests) = (asked.questions, asked.requested, asked.requests)
            snapshots[turn.name] = (number, known?.asked)
            return .restored("\(number)")
        }
    }

    private static func name(of bytes: [UInt8], _ direction: FrameDirection) -> String {
        guard let first = bytes.first else { return "" }
        return direction == .toRadio
            ? CommandCode(rawValue: first)?.wireName ?? "" : RadioCode(first)?.wireName ?? ""
    }
}
