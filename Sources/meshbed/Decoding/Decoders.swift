import MeshCompanion
import MeshPacket
import MeshRecords
import MeshWire

/// Companion frames.
struct FrameDecoder {
    /// The direction of the frame; `nil` for the one in which it makes sense.
    let direction: FrameDirection?

    func decode(_ bytes: [UInt8]) -> DecodedRecord {
        let printed = direction.map { FramePrinter.printed(bytes, direction: $0) } ?? FramePrinter.printed(bytes)
        var record = DecodedRecord(
            bytes: bytes, name: printed.name, text: printed.description, failure: printed.failure)
        record.direction = printed.direction == .toRadio ? "to-radio" : "from-radio"
        record.isGuess = printed.isGuess
        record.fields = printed.fields
        record.ignored = printed.ignored
        record.notes = printed.objection.map { [$0] } ?? []
        return record
    }
}

/// On-air packets.
struct PacketDecoder {
    let printer: PacketPrinter
    /// The origin of all packets, whatever the form of their records is; `nil` for that of the form.
    var source: PacketView.Source?

    func decode(_ packet: HeardPacket) -> DecodedRecord {
        var record = decode(packet.bytes, as: source ?? packet.source)
        record.heard = packet
        return record
    }

    func decode(_ bytes: [UInt8], as source: PacketView.Source = .radio) -> DecodedRecord {
        let printed = printer.printed(bytes, as: source)
        var record = DecodedRecord(
            bytes: bytes, name: printed.summary, text: printed.description, failure: printed.failure)
        record.fields = printed.fields
        record.openedBy = printed.openedBy
        record.plaintext = printed.plaintext
        record.notes = printed.notes
        return record
    }
}

/// One frame or packet, decoded.
struct DecodedRecord {
    let bytes: [UInt8]
    let name: String
    /// As printed for people.
    let text: String
    let failure: FrameError?
    var direction: String?
    var isGuess = false
    var fields: [PrintedField] = []
    var ignored: [UInt8] = []
    var openedBy: String?
    var plaintext: [PrintedField] = []
    var notes: [String] = []
    /// The reception; for packets alone.
    var heard: HeardPacket?

    /// True when the bytes make no sense; a code that is unknown yet is no fault of the bytes.
    var isMalformed: Bool {
        guard let failure else { return false }
        if case .unknownCode = failure.reason { return false }
        return true
    }
}
