public import MeshCompanion
public import MeshTime
import MeshWire

/// Makes the lines of a recording from the bytes that pass between an app and a radio, serial or TCP.
///
/// It makes no difference whether bytes come whole or one by one. Bytes that are no frame become a problem, with
/// their number. The bytes themselves are stored on request only, since their content is unknown. Memory is bounded
/// by one frame a direction.
public struct StreamRecorder: Sendable {
    private let link: RecordingLink
    private let keepsNoise: Bool
    private let hasAir: Bool
    private var toRadio = FrameHunt(.toRadio)
    private var toApp = FrameHunt(.toApp)
    private var found: [FrameHunt.Found] = []

    /// - Parameters:
    ///   - keepsNoise: True to record the first bytes of what is no frame.
    ///   - hasAir: True when another recorder has the radio's receptions, so that the packets it logs are not
    ///     recorded from its frames.
    public init(_ link: RecordingLink, keepsNoise: Bool = false, hasAir: Bool = false) {
        self.link = link
        self.keepsNoise = keepsNoise
        self.hasAir = hasAir
    }

    /// An app has connected; nothing of an earlier connection is left.
    public mutating func connected(at time: TimeSpan, note: String = "", into entries: inout [RecordingEntry]) {
        flush(at: time, into: &entries)
        entries.append(RecordingEntry(time, link, .connected, note: note))
    }

    /// Ends the connection; frames that were begun are reported as cut.
    public mutating func disconnected(_ reason: String, at time: TimeSpan, into entries: inout [RecordingEntry]) {
        flush(at: time, into: &entries)
        entries.append(RecordingEntry(time, link, .disconnected(reason: reason)))
    }

    /// The world took a snapshot, or went back to one: frames that were begun `now` are told as cut, and the connection
    /// is over.
    ///
    /// - Parameter time: When the snapshot was taken, for both turns.
    public mutating func turn(_ turn: RunTurn, at time: TimeSpan, now: TimeSpan, into entries: inout [RecordingEntry]) {
        if case .restored = turn { flush(at: now, into: &entries) }
        entries.append(RecordingEntry(time, link, .turn(turn)))
    }

    /// Records a problem that the recorder itself reports.
    public mutating func problem(_ what: String, at time: TimeSpan, into entries: inout [RecordingEntry]) {
        entries.append(RecordingEntry(time, link, .problem(what)))
    }

    /// The next bytes of one direction.
    public mutating func take(
        _ bytes: some Sequence<UInt8>, _ direction: FrameDirection, at time: TimeSpan,
        into entries: inout [RecordingEntry]
    ) {
        switch direction {
        case .toRadio: for byte in bytes { toRadio.take(byte, into: &found) }
        case .toApp: for byte in bytes { toApp.take(byte, into: &found) }
        }
        tell(direction, at: time, into: &entries)
    }

    /// Reports frames that were begun and will not continue, as at the end of a recording.
    public mutating func flush(at time: TimeSpan, into entries: inout [RecordingEntry]) {
        toRadio.end(into: &found)
        tell(.toRadio, at: time, into: &entries)
        toApp.end(into: &found)
        tell(.toApp, at: time, into: &entries)
    }

    private mutating func tell(
        _ direction: FrameDirection, at time: TimeSpan, into entries: inout [RecordingEntry]
    ) {
        for found in found {
            if case .frame(let frame) = found {
                entries.append(RecordingEntry(frame, direction, over: link, at: time))
                if !hasAir, let logged = RecordingEntry(loggedBy: frame, direction, at: time) { entries.append(logged) }
            } else {
                entries.append(RecordingEntry(time, link, .problem(text(of: found, direction))))
            }
        }
        found.removeAll(keepingCapacity: true)
    }

    private func text(of found: FrameHunt.Found, _ direction: FrameDirection) -> String {
        let way = direction == .toRadio ? "to the radio" : "to the app"
        let (what, start): (String, [UInt8]) =
            switch found {
            case .frame(let frame): ("a frame of \(frame.count) bytes \(way)", frame)
            case .noise(1, let start): ("1 byte outside of frames \(way)", start)
            case .noise(let count, let start): ("\(count) bytes outside of frames \(way)", start)
            case .oversize(let length, let start): ("a frame of \(length) bytes \(way), longer than any", start)
            case .cut(let have, let length, let start):
                ("a frame \(way) ends after \(have) of \(length) bytes", start)
            }
        return keepsNoise && !start.isEmpty ? "\(what): \(start.hex)" : what
    }
}

extension RecordingEntry {
    /// The line of a frame, with its name behind it.
    public init(_ frame: [UInt8], _ direction: FrameDirection, over link: RecordingLink, at time: TimeSpan) {
        let name = frame.first.flatMap { code in
            direction == .toRadio ? CommandCode(rawValue: code)?.wireName : RadioCode(code)?.wireName
        }
        let warning = frame.count > CompanionLimits.frame ? "longer than a radio takes" : nil
        let note = [name, warning].compactMap { $0 }.joined(separator: ", ")
        self.init(time, link, .frame(direction, frame), note: note)
    }
}
