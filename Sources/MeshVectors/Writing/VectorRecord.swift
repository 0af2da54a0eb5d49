import MeshCompanion
import MeshFirmware
import MeshPacket
import MeshWire

/// One vector as its file has it; the schema beside the files describes it.
struct VectorRecord: Encodable, Sendable {
    /// The fields of the bytes as their walk gives them.
    struct Reading {
        let name: String
        let fields: [PrintedField]
        let plaintext: [PrintedField]
        let ignored: [UInt8]
        let failure: FrameError?

        init(_ packet: PrintedPacket) {
            name = packet.summary
            fields = packet.fields
            plaintext = packet.plaintext
            ignored = []
            failure = packet.failure
        }

        init(_ frame: PrintedFrame) {
            name = frame.name
            fields = frame.fields
            plaintext = []
            ignored = frame.ignored
            failure = frame.failure
        }
    }

    /// A payload that a secret opens.
    struct Sealed: Encodable, Sendable {
        let secret: String
        let plaintext: String
        /// Its fields, as far as a key of the cast opens the packet; the padding counts as bytes.
        let fields: [VectorField]?
    }

    /// The class of the vector, which is the name of its file.
    let group: VectorGroup
    let id: String
    let kind: VectorCase.Kind
    let name: String
    let hex: String
    let fields: [VectorField]
    let ignored: String?
    let verdict: String
    let reason: String?
    let problem: PrintedProblem?
    let events: [String]?
    let answers: [String]?
    let sealed: Sealed?
    let statement: String
    let versions: [String]

    private enum CodingKeys: String, CodingKey {
        case id, kind, name, hex, fields, ignored, verdict, reason, problem, events, answers, sealed, statement,
            versions
    }

    init(
        _ item: VectorCase, _ verdict: VectorVerdict, _ versions: [FirmwareVersion], suffix: String = "",
        reading: Reading
    ) {
        group = item.group
        id = "\(item.group.rawValue)/\(item.name)\(suffix)"
        kind = item.kind
        name = reading.name
        hex = item.bytes.hex
        fields = reading.fields.map(VectorField.init)
        ignored = reading.ignored.isEmpty ? nil : reading.ignored.hex
        self.verdict = verdict.isValid ? "valid" : "refused"
        reason = verdict.reason
        problem = reading.failure.map(PrintedProblem.init)
        events = item.kind == .packet ? verdict.events : nil
        answers = item.kind == .frame ? nil : verdict.answers
        sealed = item.content.map { content in
            Sealed(
                secret: content.secret.hex, plaintext: content.plaintext.hex,
                fields: reading.plaintext.isEmpty ? nil : reading.plaintext.map(VectorField.init))
        }
        statement = item.statement
        self.versions = versions.map(\.name)
    }
}

/// A field with its place and its value for programs.
struct VectorField: Encodable, Sendable {
    /// A number, or bytes in hex.
    enum Value: Encodable, Sendable {
        case number(Int64)
        case hex(String)

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .number(let number): try container.encode(number)
            case .hex(let hex): try container.encode(hex)
            }
        }
    }

    let name: String
    let offset: Int
    let length: Int
    /// `number`, `bytes` or `text`.
    let type: String
    let value: Value
    /// The bytes of a text up to its first NUL, where they are UTF-8.
    let text: String?
    let unit: String?
    let note: String?

    init(_ field: PrintedField) {
        name = field.name
        offset = field.offset
        length = field.size
        unit = field.unit.isEmpty || field.unit == FieldUnit.text.description ? nil : field.unit
        note = field.note.isEmpty ? nil : field.note
        switch field.content {
        case .number(let number):
            type = "number"
            value = .number(number)
            text = nil
        case .bytes(let bytes):
            type = "bytes"
            value = .hex(bytes.hex)
            text = nil
        case .text(let bytes):
            type = "text"
            value = .hex(bytes.hex)
            text = String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
        case nil:
            preconditionFailure("the field \(field.name) has no value for programs")
        }
    }
}
