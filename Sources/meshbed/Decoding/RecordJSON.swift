import MeshCompanion
import MeshFiles
import MeshRecords
import MeshWire

/// A decoded record as one line of JSON.
struct RecordJSON: Encodable {
    struct Field: Encodable {
        let offset: Int
        let size: Int
        let name: String
        let value: String
        let unit: String?
        let note: String?

        init(_ field: PrintedField) {
            offset = field.offset
            size = field.size
            name = field.name
            value = field.value
            unit = field.unit.isEmpty ? nil : field.unit
            note = field.note.isEmpty ? nil : field.note
        }
    }

    /// The circumstances of a reception, as far as the record has them.
    struct Heard: Encodable {
        let line: Int
        let time: String?
        let observer: String?
        let observerID: String?
        let snr: Double?
        let rssi: Double?
        let sent: Bool?

        init?(_ packet: HeardPacket) {
            guard !packet.circumstances.isEmpty else { return nil }
            line = packet.line
            time = packet.time?.description
            observer = packet.observer?.name
            observerID = packet.observer?.id
            snr = packet.snr
            rssi = packet.rssi
            sent = packet.isSent ? true : nil
        }
    }

    let heard: Heard?
    let hex: String
    let name: String
    let direction: String?
    let guess: Bool?
    let fields: [Field]
    let ignored: String?
    let openedBy: String?
    let plaintext: [Field]?
    let notes: [String]?
    let malformed: Bool
    let failure: PrintedProblem?

    init(_ record: DecodedRecord) {
        heard = record.heard.flatMap(Heard.init)
        hex = record.bytes.hex
        name = record.name
        direction = record.direction
        guess = record.isGuess ? true : nil
        fields = record.fields.map(Field.init)
        ignored = record.ignored.isEmpty ? nil : record.ignored.hex
        openedBy = record.openedBy
        plaintext = record.openedBy == nil ? nil : record.plaintext.map(Field.init)
        notes = record.notes.isEmpty ? nil : record.notes
        malformed = record.isMalformed
        failure = record.failure.map(PrintedProblem.init)
    }

    var line: String { (try? jsonText(inOneLine: true)) ?? "{}" }
}

/// The parts of a file that its reader left out, for programs.
struct LeftOutRow: Encodable {
    let reason: String
    let count: Int
    let fault: Bool
    /// The first of the lines.
    let lines: [Int]
    let detail: String?

    init(_ row: LeftOut.Row) {
        reason = row.reason
        count = row.count
        fault = row.isFault
        lines = row.lines
        detail = row.detail.isEmpty ? nil : row.detail
    }
}
