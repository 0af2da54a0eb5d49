import MeshCompanion
import MeshTime
import MeshWire

extension Recording {
    /// Reads a whole file. Lines that cannot be read are named in `problems`.
    ///
    /// Firmware and board are read from the radio's own DEVICE_INFO where the header does not have them.
    ///
    /// Throws a `CaptureProblem` when it is no recording at all.
    public init(_ bytes: some Sequence<UInt8>, problems: inout [CaptureProblem]) throws(CaptureProblem) {
        var reader = RecordingReader()
        var entries: [RecordingEntry] = []
        var kept = KeptProblems()
        for byte in bytes {
            if reader.isFull { break }
            do throws(CaptureProblem) {
                if let entry = try reader.take(byte) { entries.append(entry) }
            } catch {
                if reader.isRefused { throw error }
                kept.note(error)
            }
        }
        do throws(CaptureProblem) {
            if let entry = try reader.end() { entries.append(entry) }
        } catch {
            if reader.isRefused { throw error }
            kept.note(error)
        }
        problems += kept.list
        var header = reader.header
        for entry in entries { header.learn(from: entry) }
        self.init(header, entries)
    }
}

/// Reads a recording byte by byte, and holds no more than one line of it.
public struct RecordingReader: Sendable {
    /// Longer lines are no recording's: a frame has 176 bytes, a packet 255.
    public static let longestLine = 4096
    /// Rows of a header that are kept, besides those with a meaning.
    public static let rowLimit = 256
    /// Entries that are read: a day at a frame every tenth of a second has fewer.
    public static let entryLimit = 1_000_000

    /// Complete once the first entry came.
    public private(set) var header = RecordingHeader()
    /// The file is no recording; nothing more is read.
    public private(set) var isRefused = false
    /// There are more entries than are read; nothing more is.
    public private(set) var isFull = false
    private var entries = 0
    private var hasManyRows = false
    private var line: [UInt8] = []
    private var isTooLong = false
    private var number = 1
    private var lineStart: UInt64 = 0
    private var offset: UInt64 = 0
    private var isInHeader = true

    public init() {}

    /// True when nothing more of the line is kept: the bytes up to its end may be skipped.
    package var isBeyondLine: Bool { isTooLong }

    /// Passes over bytes of a line of which nothing more is kept; its end is not among them.
    package mutating func skip(_ count: Int) { offset += UInt64(count) }

    /// Reads the next byte; returns the entry that it completed.
    public mutating func take(_ byte: UInt8) throws(CaptureProblem) -> RecordingEntry? {
        guard !isRefused, !isFull else { return nil }
        offset += 1
        guard byte == UInt8(ascii: "\n") else {
            if line.count < Self.longestLine { line.append(byte) } else { isTooLong = true }
            return nil
        }
        defer {
            line.removeAll(keepingCapacity: true)
            isTooLong = false
            number += 1
            lineStart = offset
        }
        return try entry()
    }

    /// The file is over: a last line without its end was cut, by a recorder that was killed.
    public mutating func end() throws(CaptureProblem) -> RecordingEntry? {
        guard !isRefused, !isFull else { return nil }
        if number == 1 { return try entry() }
        if !line.isEmpty { throw problem("the last line has no end: \(line.count) bytes were left out") }
        return nil
    }

    private mutating func entry() throws(CaptureProblem) -> RecordingEntry? {
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        let text = String(decoding: line, as: UTF8.self)
        if number == 1 {
            guard text == RecordingText.signature else {
                isRefused = true
                throw problem("no recording: the first line is not '\(RecordingText.signature)'")
            }
            return nil
        }
        guard !isTooLong else { throw problem("longer than \(Self.longestLine) bytes") }
        guard !text.isEmpty else {
            isInHeader = false
            return nil
        }
        if text.hasPrefix("#") { return nil }
        if isInHeader {
            try takeRow(text)
            return nil
        }
        guard entries < Self.entryLimit else {
            isFull = true
            throw problem("more than \(Self.entryLimit) entries: what follows is left out")
        }
        do throws(RecordingEntry.Unreadable) {
            let entry = try RecordingEntry(text)
            entries += 1
            return entry
        } catch {
            throw problem(error.reason)
        }
    }

    private mutating func takeRow(_ text: String) throws(CaptureProblem) {
        guard let colon = text.firstIndex(of: ":") else { throw problem("a header row is 'key: value'") }
        let key = String(text[..<colon])
        let value = String(text[text.index(after: colon)...].drop { $0 == " " })
        switch key {
        case "firmware": header.firmware = value
        case "board": header.board = value
        case "story": header.story = value
        case "date": header.date = value
        case "transport":
            guard let link = RecordingLink(rawValue: value) else { throw problem("there is no transport '\(value)'") }
            header.transport = link
        case "scrubbed":
            var secrets: Set<RecordingHeader.Secret> = []
            for word in value.split(separator: ",") {
                let word = String(word.filter { $0 != " " })
                guard let secret = RecordingHeader.Secret(rawValue: word) else {
                    throw problem("nothing named '\(word)' can be scrubbed")
                }
                secrets.insert(secret)
            }
            header.scrubbed = secrets
        default: try keep(.init(key, value))
        }
    }

    private mutating func keep(_ row: RecordingHeader.Row) throws(CaptureProblem) {
        guard header.rows.count >= Self.rowLimit else { return header.rows.append(row) }
        guard !hasManyRows else { return }
        hasManyRows = true
        throw problem("more than \(Self.rowLimit) rows in the header: the others are left out")
    }

    private func problem(_ reason: String) -> CaptureProblem {
        CaptureProblem(offset: lineStart, number: number, reason)
    }
}

extension RecordingEntry {
    struct Unreadable: Error {
        let reason: String
    }

    /// Reads one line without its end.
    init(_ line: String) throws(Unreadable) {
        let halves = line.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
        let words = halves[0].split(separator: " ")
        guard words.count >= 3 else { throw Unreadable(reason: "a line is 'time link mark …'") }
        guard let time = TimeSpan(recorded: words[0]) else {
            throw Unreadable(reason: "'\(words[0])' is no time: seconds with up to six digits behind the point are")
        }
        guard let link = RecordingLink(rawValue: String(words[1])) else {
            throw Unreadable(reason: "there is no link '\(words[1])'")
        }
        let note = halves.count > 1 ? String(halves[1].drop { $0 == " " }) : ""
        var tolerance = Tolerance.none
        var rest: [Substring] = []
        for word in words[3...] {
            if words[2] == ">" || words[2] == "<", try tolerance.take(word) { continue }
            rest.append(word)
        }
        let event = try Event(words[2], rest[...], link)
        if let objection = tolerance.objection(to: event) { throw Unreadable(reason: objection) }
        self.init(time, link, event, tolerance: tolerance, note: note)
    }
}

extension RecordingEntry.Event {
    fileprivate init(
        _ mark: Substring, _ words: ArraySlice<Substring>, _ link: RecordingLink
    ) throws(RecordingEntry.Unreadable) {
        switch mark {
        case "+": self = .connected
        case "-": self = .disconnected(reason: words.joined(separator: " "))
        case "!": self = .problem(words.joined(separator: " "))
        case "@":
            let name = words.dropFirst().joined(separator: " ")
            guard let word = words.first, !name.isEmpty, let turn = RunTurn(word: String(word), name: name) else {
                throw .init(reason: "a turn is 'snapshot NAME' or 'restored NAME'")
            }
            self = .turn(turn)
        case ">", "<":
            guard let hex = words.first, let bytes = [UInt8](hex: hex) else {
                throw .init(reason: "'\(words.first ?? "")' is no hex: pairs of digits are")
            }
            if link == .air {
                let signal = try RecordingEntry.Signal(words.dropFirst())
                self = .packet(mark == "<" ? .heard : .transmitted, bytes, signal: signal)
            } else {
                guard words.count == 1 else { throw .init(reason: "something stands behind the frame") }
                self = .frame(mark == "<" ? .toApp : .toRadio, bytes)
            }
        default: throw .init(reason: "there is no mark '\(mark)': + - > < ! @ are")
        }
    }
}

extension RecordingEntry.Signal {
    /// Reads `snr=… rssi=…`; nothing is no signal.
    fileprivate init?(_ words: ArraySlice<Substring>) throws(RecordingEntry.Unreadable) {
        guard !words.isEmpty else { return nil }
        guard words.count == 2, let first = words.first, let last = words.last, first.hasPrefix("snr="),
            last.hasPrefix("rssi="), let snr = Double(first.dropFirst(4)), -32...31.75 ~= snr,
            let rssi = Int8(last.dropFirst(5))
        else { throw .init(reason: "a signal is 'snr=DB rssi=DBM'") }
        self.init(snrQuarterDecibels: Int8(nearest: snr * 4), rssi: rssi)
    }
}

extension TimeSpan {
    /// Reads seconds with at most six digits behind the point.
    init?(recorded text: Substring) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count > 1 ? parts[1] : "0"
        guard let seconds = UInt32(parts[0]), 1...6 ~= fraction.utf8.count, fraction.utf8.allSatisfy({ 48...57 ~= $0 }),
            let part = Int64(fraction + String(repeating: "0", count: 6 - fraction.utf8.count))
        else { return nil }
        self.init(microseconds: Int64(seconds) * 1_000_000 + part)
    }
}
