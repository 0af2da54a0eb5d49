/// One field as it stands in a frame: where it is, what it is called, and its value for people.
public struct PrintedField: Hashable, Sendable {
    public let name: String
    public let offset: Int
    public let size: Int
    public let value: String
    public let unit: String

    public init(name: String, offset: Int, size: Int, value: String, unit: String = "") {
        self.name = name
        self.offset = offset
        self.size = size
        self.value = value
        self.unit = unit
    }
}

/// Walks a decoded value and lists its fields with their offsets.
public struct FieldPrinter: FieldWalker {
    public private(set) var fields: [PrintedField] = []
    var offset: Int

    public init(from offset: Int = 0) {
        self.offset = offset
    }

    mutating func add(_ field: Field, size: Int, _ value: String) {
        let printed = PrintedField(
            name: field.name.description, offset: offset, size: size, value: value, unit: field.unit.description)
        fields.append(printed)
        offset += size
    }

    public mutating func integer<T: FixedWidthInteger & Sendable>(
        _ field: Field, _ value: inout T, in range: ClosedRange<T>?
    ) {
        let size = MemoryLayout<T>.size
        switch field.unit {
        case .hex:
            let digits = String(value, radix: 16)
            add(field, size: size, "0x" + String(repeating: "0", count: max(0, 2 * size - digits.count)) + digits)
        case .quarterDecibels:
            add(field, size: size, "\(Double(Int64(clamping: value)) / 4) dB (\(value))")
        default: add(field, size: size, "\(value)")
        }
    }

    public mutating func fixed<let size: Int>(_ field: Field, _ value: inout FixedBytes<size>) {
        let text = value.text
        let isText =
            size >= 12 && !text.isEmpty && text.bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F } && text.count < size
        add(field, size: size, isText ? Self.quoted(text.bytes) : value.hex)
    }

    public mutating func bytes(_ field: Field, _ value: inout [UInt8], count: Int) {
        add(field, size: count, value.hex)
    }

    public mutating func rest(_ field: Field, _ value: inout [UInt8], atMost limit: Int) {
        let isText = !value.isEmpty && value.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        add(field, size: value.count, isText ? Self.quoted(value) : value.hex)
    }

    public mutating func hasTail(_ field: Field, isSet: Bool, size: Int) -> Bool { isSet }

    public mutating func choice(_ field: Field, _ value: inout UInt8, known: ClosedRange<UInt8>) {
        add(field, size: 1, "\(value)")
    }

    static func quoted(_ bytes: [UInt8]) -> String {
        "\"" + String(decoding: bytes, as: UTF8.self) + "\""
    }
}

extension FieldGroup {
    /// The fields with offsets and values, for people.
    public func printed(from offset: Int = 0) -> [PrintedField] {
        var printer = FieldPrinter(from: offset)
        var fields = self
        fields.walk(&printer)
        return printer.fields
    }
}
