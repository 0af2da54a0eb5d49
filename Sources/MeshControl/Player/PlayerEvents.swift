import MeshPacket
package import MeshTime
package import MeshWorlds

/// The events in columns: a row for each event, a row for each transmission, and the texts of both.
package struct PlayerEvents: Hashable, Sendable {
    /// The kind of an event; the number stands in the document.
    enum Kind: UInt8, CaseIterable, Sendable {
        case txBegin = 0
        case replayBegin = 1
        case txEnd = 2
        case rxBegin = 3
        case rxEnd = 4
        case rxDrop = 5
        case discard = 6
        case forwarded = 7
        case delivered = 8
        case acknowledging = 9
        case acked = 10
        case rebooted = 11
        case booted = 12
        case poweredOff = 13
        case faultBegin = 14
        case faultEnd = 15
        case violated = 16
        case message = 17
        case acknowledged = 18
        case other = 19
        /// An event in a lane that is no node of a mesh; the rest is in `Note`.
        case note = 20
        /// A message has ended without an acknowledgement.
        case ended = 21
    }

    /// An event in a lane, with an arrow to another one where it went there.
    package struct Note: Hashable, Sendable {
        /// `frame`, `packet`, `lost`, `action`, `note` or `failure`, which gives it its colour.
        package var style: String
        package var label: String
        package var detail: String
        /// Microseconds.
        package var length: Int64 = 0
        /// The lane to which it went; its own where it went nowhere.
        package var to: Int
    }

    /// A message as its sender wrote it.
    package struct Words: Hashable, Sendable {
        package var to: String
        package var text: String
    }

    // A row for each event.
    package private(set) var times: [Int64] = []
    package private(set) var kinds: [UInt8] = []
    package private(set) var nodes: [UInt32] = []
    /// A frame, a text, a number: see the article "Player documents".
    package private(set) var firsts: [UInt32] = []
    package private(set) var seconds: [Int32] = []

    // A row for each transmission, in the order of their beginnings.
    package private(set) var airtimes: [UInt32] = []
    package private(set) var hashes: [UInt64] = []
    /// The payload type, or 255 for bytes that are no packet.
    package private(set) var types: [UInt8] = []
    package private(set) var routes: [UInt8] = []
    package private(set) var hops: [UInt8] = []
    package private(set) var lengths: [UInt8] = []
    package private(set) var bytes: [UInt8] = []

    package private(set) var strings: [String] = []
    package private(set) var messages: [Words] = []
    package private(set) var notes: [Note] = []
    private var places: [String: UInt32] = [:]

    package init() {}

    package var count: Int { times.count }

    /// Different texts that are kept at most: what only a damaged or hostile file exceeds becomes one word.
    package static let mostStrings = 4096

    /// Adds a line of a trace. Times must not go back.
    package mutating func add(_ time: Instant, _ node: Int, _ content: TraceFile.Line.Content) {
        switch content {
        case .txBegin(let frame, let bytes, let airtime):
            transmission(.txBegin, time, node, frame, bytes, airtime)
        case .replayBegin(let frame, let bytes, let airtime):
            transmission(.replayBegin, time, node, frame, bytes, airtime)
        case .txEnd(let frame): row(.txEnd, time, node, Self.number(frame))
        case .rxBegin(let frame): row(.rxBegin, time, node, Self.number(frame))
        case .rxEnd(let frame, let snr, let rssi):
            row(.rxEnd, time, node, Self.number(frame), Int32(snr) << 16 | Int32(UInt16(bitPattern: rssi)))
        case .rxDrop(let frame, let reason, _):
            row(.rxDrop, time, node, Self.number(frame), Int32(place(of: reason)))
        case .discard(let reason): row(.discard, time, node, place(of: reason))
        case .forwarded(let hops, let delay):
            row(.forwarded, time, node, Self.number(hops), Int32(clamping: delay))
        case .delivered(let type): row(.delivered, time, node, UInt32(type))
        case .acknowledging(let tag): row(.acknowledging, time, node, tag)
        case .acked(let tag): row(.acked, time, node, tag)
        case .rebooted: row(.rebooted, time, node)
        case .booted: row(.booted, time, node)
        case .poweredOff: row(.poweredOff, time, node)
        case .faultBegin(let number): row(.faultBegin, time, node, Self.number(number))
        case .faultEnd(let number): row(.faultEnd, time, node, Self.number(number))
        case .violated(let rule): row(.violated, time, node, place(of: rule))
        case .message(let number, let to, let text):
            row(.message, time, node, Self.number(number), Int32(messages.count))
            messages.append(Words(to: to, text: text))
        case .acknowledged(let number): row(.acknowledged, time, node, Self.number(number))
        case .ended(let number, let end):
            row(.ended, time, node, Self.number(number), Int32(clamping: place(of: Self.words(for: end))))
        case .other(let name): row(.other, time, node, place(of: name))
        }
    }

    /// Adds an event in a lane.
    package mutating func add(_ time: Instant, lane: Int, _ note: Note) {
        row(.note, time, lane, UInt32(notes.count))
        notes.append(note)
    }

    private mutating func transmission(
        _ kind: Kind, _ time: Instant, _ node: Int, _ frame: Int, _ packet: [UInt8], _ airtime: TimeSpan
    ) {
        row(kind, time, node, Self.number(frame))
        let view = try? PacketView(packet)
        airtimes.append(UInt32(clamping: airtime.microseconds))
        hashes.append(view?.packetHash ?? 0)
        types.append(view?.type.rawValue ?? 255)
        routes.append(view.map { $0.header & 3 } ?? 255)
        hops.append(UInt8(clamping: view?.hopCount ?? 0))
        lengths.append(UInt8(clamping: packet.count))
        bytes += packet.prefix(255)
    }

    private mutating func row(
        _ kind: Kind, _ time: Instant, _ node: Int, _ first: UInt32 = 0, _ second: Int32 = 0
    ) {
        times.append(max(times.last ?? 0, time.microseconds))
        kinds.append(kind.rawValue)
        nodes.append(UInt32(clamping: node))
        firsts.append(first)
        seconds.append(second)
    }

    private mutating func place(of text: String) -> UInt32 {
        if let place = places[text] { return place }
        guard strings.count < Self.mostStrings else { return place(ofLast: "…") }
        let place = UInt32(strings.count)
        strings.append(text)
        places[text] = place
        return place
    }

    private mutating func place(ofLast text: String) -> UInt32 {
        if let place = places[text] { return place }
        strings.append(text)
        places[text] = UInt32(strings.count - 1)
        return UInt32(strings.count - 1)
    }

    /// The word for a page: whether the message has arrived all the same, and the reason.
    private static func words(for end: String) -> String {
        guard let end = MessageEnd(rawValue: end) else { return end }
        return (end.hasArrived ? "delivered: " : end == .refused ? "refused: " : "given up: ") + end.words
    }

    private static func number(_ number: Int) -> UInt32 { UInt32(truncatingIfNeeded: number) }
}
