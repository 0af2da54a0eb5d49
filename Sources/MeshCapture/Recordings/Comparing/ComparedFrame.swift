import MeshCompanion
import MeshPacket
import MeshWire

/// A field as it is compared: by its bytes, and for people.
struct ComparedField: Hashable {
    var name: String
    var fieldClass: FieldClass
    /// The bytes that are compared.
    var value: [UInt8]
    var text: String
}

/// A frame as the fields that are compared.
struct ComparedFrame {
    var name: String
    var fields: [ComparedField]

    init(_ bytes: [UInt8], _ direction: FrameDirection) {
        let printed = FramePrinter.printed(bytes, direction: direction)
        name = printed.name
        fields = []
        var end = min(1, bytes.count)
        let repeated = Self.repeatedNames(printed.fields)
        var places: [String: Int] = [:]
        for field in printed.fields.dropFirst() {
            let place = places[field.name, default: 0]
            places[field.name] = place + 1
            let name = repeated.contains(field.name) ? "\(field.name)[\(place)]" : field.name
            add(field, named: name, bytes)
            end = max(end, min(bytes.count, field.offset + field.size))
        }
        judgeDefaultName()
        if end < bytes.count {
            let rest = [UInt8](bytes[end...])
            fields.append(ComparedField(name: "rest", fieldClass: .content, value: rest, text: rest.hex))
        }
    }

    /// Classifies the default name of a node, the beginning of its key: such a name differs as keys do.
    private mutating func judgeDefaultName() {
        guard let key = fields.first(where: { $0.name == "public_key" })?.value, key.count >= 4 else { return }
        let name = [UInt8]([UInt8](key.prefix(4)).hex.uppercased().utf8)
        for index in fields.indices where fields[index].name == "name" && fields[index].value == name {
            fields[index].fieldClass = .key
        }
    }

    private mutating func add(_ field: PrintedField, named name: String, _ bytes: [UInt8]) {
        let start = min(field.offset, bytes.count)
        var value = [UInt8](bytes[start..<min(bytes.count, start + field.size)])
        let meaning = FieldMeaning(field.name, in: self.name) ?? FieldMeaning(.content)
        if meaning.isPacket, let parts = Self.parts(ofPacket: value, named: name) {
            fields += parts
            return
        }
        if field.unit == FieldUnit.text.description { value = [UInt8](value.prefix { $0 != 0 }) }
        let unit = field.unit.isEmpty || field.unit == FieldUnit.text.description ? "" : " " + field.unit
        fields.append(
            ComparedField(name: name, fieldClass: meaning.fieldClass, value: value, text: field.value + unit))
    }

    /// Header, path and payload: payloads are sealed or signed over a time, so that only their length is compared.
    static func parts(ofPacket bytes: [UInt8], named name: String) -> [ComparedField]? {
        guard let view = try? PacketView(bytes, as: .blob) else { return nil }
        let kind = "\(view.type), \(view.route)"
        let payload = view.payload
        return [
            ComparedField(name: "\(name).header", fieldClass: .content, value: [view.header], text: kind),
            ComparedField(
                name: "\(name).path_len", fieldClass: .content, value: [view.pathLength.rawValue],
                text: "\(view.pathLength)"),
            ComparedField(name: "\(name).path", fieldClass: .key, value: view.path, text: view.path.hex),
            ComparedField(
                name: "\(name).payload_len", fieldClass: .content, value: [UInt8(truncatingIfNeeded: payload.count)],
                text: "\(payload.count)"),
            ComparedField(name: "\(name).payload", fieldClass: .random, value: payload, text: payload.hex),
        ]
    }

    private static func repeatedNames(_ fields: [PrintedField]) -> Set<String> {
        var seen: Set<String> = []
        return Set(fields.compactMap { seen.insert($0.name).inserted ? nil : $0.name })
    }
}
