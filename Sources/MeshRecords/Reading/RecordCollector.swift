import MeshFiles
import MeshPacket
import MeshWire

/// Finds the packets in JSON: a record, a list of them, or a record with several observations.
struct RecordCollector {
    private(set) var packets: [HeardPacket] = []
    private(set) var leftOut = LeftOut()
    private var recent = RecentRecords()

    /// Members that are lists of records.
    private static let lists = ["observations", "packets"]
    /// Members that may be the record itself, as in a message of a server.
    private static let wrappers = ["packet", "data", "payload"]

    /// Collects what a value holds.
    mutating func collect(_ value: JSONText) { collect(value, RecordDraft()) }

    private mutating func collect(_ value: JSONText, _ inherited: RecordDraft) {
        if case .array(let elements) = value.content {
            for element in elements { collect(element, inherited) }
            return
        }
        guard let fields = try? JSONFields(value, at: "") else {
            return leftOut.note(Self.noRecord, line: value.line, detail: "this is \(value.kind)")
        }
        var draft = inherited
        draft.take(fields)
        if draft.strayNumbers > 0 {
            leftOut.note("with a signal that no radio reports", isFault: false, line: fields.line)
        }
        if let list = Self.list(fields) {
            for element in list { collect(element, draft) }
        } else if let (name, hex) = Self.hex(fields) {
            take(hex, member: name, fields, draft)
        } else if let inner = Self.wrappers.lazy.compactMap({ fields.member($0) }).first(where: \.isObject) {
            collect(inner, draft)
        } else {
            let kind = draft.kind.isEmpty ? "" : "its type is \(draft.kind.prefix(20))"
            leftOut.note(Self.noPacket, isFault: false, line: fields.line, detail: kind)
        }
    }

    private static func list(_ fields: JSONFields) -> [JSONText]? {
        for key in lists {
            if case .array(let elements) = fields.member(key)?.content, !elements.isEmpty { return elements }
        }
        return nil
    }

    private static func hex(_ fields: JSONFields) -> (name: String, text: String)? {
        for name in RecordForm.members {
            if let text = RecordDraft.text(fields, name), !text.isEmpty { return (name, text) }
        }
        return nil
    }

    private mutating func take(_ hex: String, member: String, _ fields: JSONFields, _ draft: RecordDraft) {
        let line = fields.line
        guard case .bytes(var bytes) = HexLine.read(hex.utf8), !bytes.isEmpty else {
            return leftOut.note("with no hex in \(member)", line: line)
        }
        // The client library from PyPI has the whole push in `raw_hex`: SNR, RSSI and packet. The packet is `payload`.
        if member == "raw_hex", let payload = RecordDraft.text(fields, "payload").flatMap({ [UInt8](hex: $0) }),
            !payload.isEmpty, bytes.count == payload.count + 2, bytes.dropFirst(2).elementsEqual(payload)
        {
            bytes = payload
        }
        if let length = draft.length, length != bytes.count {
            let reason = bytes.count < length && !draft.isSent ? Self.cut : Self.otherPacket
            return leftOut.note(reason, line: line, detail: "\(bytes.count) of \(length) bytes")
        }
        // Some observers put the packet received last into the record of one that they send, with its own type.
        if draft.isSent, let type = draft.payloadType, type != Int(PayloadType(header: bytes[0]).rawValue) {
            return leftOut.note(Self.otherPacket, line: line, detail: "of type \(type) by the record")
        }
        var packet = HeardPacket(bytes, .json, line: line)
        (packet.time, packet.observer) = (draft.time, draft.observer)
        (packet.snr, packet.rssi, packet.isSent) = (draft.snr, draft.rssi, draft.isSent)
        guard recent.isNew(packet) else {
            return leftOut.note("equal to one before", isFault: false, line: line)
        }
        packets.append(packet)
    }

    /// Hands over what was collected, and keeps the memory of the last records.
    mutating func handOver() -> (packets: [HeardPacket], leftOut: LeftOut) {
        defer { (packets, leftOut) = ([], LeftOut()) }
        return (packets, leftOut)
    }

    static let noRecord = "of another kind"
    static let noPacket = "without a packet"
    static let cut = "with a packet that is cut"
    static let otherPacket = "with the bytes of another packet"
}

extension JSONText {
    fileprivate var isObject: Bool { if case .object = content { true } else { false } }
}

/// The records read last: some observers report a packet twice, as a packet and as bytes alone.
struct RecentRecords {
    private static let limit = 16

    private struct Key: Hashable {
        let bytes: [UInt8]
        let observer: HeardPacket.Observer?
        let time: RecordTime
    }

    private var keys: [Key] = []

    /// Returns whether none of the last records has the same bytes, observer and time; one without a time is new.
    mutating func isNew(_ packet: HeardPacket) -> Bool {
        guard let time = packet.time else { return true }
        let key = Key(bytes: packet.bytes, observer: packet.observer, time: time)
        guard !keys.contains(key) else { return false }
        if keys.count == Self.limit { keys.removeFirst() }
        keys.append(key)
        return true
    }
}
