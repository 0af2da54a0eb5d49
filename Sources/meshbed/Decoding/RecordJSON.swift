import MeshCompanion
import MeshFiles
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
