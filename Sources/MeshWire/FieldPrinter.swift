/// The value of a field for programs, as it stands in the frame.
package enum FieldContent: Hashable, Sendable {
    /// An integer of the field's own width and sign.
    case number(Int64)
    case bytes([UInt8])
    /// Bytes meant to be UTF-8, with what follows a NUL.
    case text([UInt8])
}

/// One field of a frame: its place, its name, and its value for people.
public struct PrintedField: Hashable, Sendable {
    /// The firmware's name for it.
    public let name: String
    /// The offset of the field, in bytes from the start of the frame.
    public let offset: Int
    /// The number of bytes of the field.
    public let size: Int
    /// Its value, written for people.
    public let value: String
    /// The unit of its number; empty for a number without a unit.
    public let unit: String
    /// The meaning of the value, where the protocol has a name for it.
    public internal(set) var note: String
    /// The same value for programs; `nil` where whoever made the field did not say.
    package var content: FieldContent?

    public init(name: String, offset: Int, size: Int, value: String, unit: String = "", note: String = "") {
        self.note = note
        self.name = name
        self.offset = offset
        self.size = size
        self.value = value
        self.unit = unit
    }
}

/// Walks a decoded value and lists its fields with their offsets.
public struct FieldPrinter: FieldWalker {
    /// The fields that the walk has named so far, in order.
    public private(set) var fields: [PrintedField] = []
    var offset: Int
    var tailsEnded = false

    public init(from offset: Int = 0) {
        self.offset = offset
    }

    mutating func add(_ field: Field, size: Int, _ value: String, _ content: FieldContent) {
        var printed = PrintedField(
            name: field.name.description, offset: offset, size: size, value: value, unit: field.unit.description)
        printed.content = content
        fields.append(printed)
        offset += size
    }

    public mutating func integer<T: FixedWidthInteger & Sendable>(
        _ field: Field, _ value: inout T, in range: ClosedRange<T>?
    ) {
        let size = MemoryLayout<T>.size
        let number = Int64(clamping: value)
        let text =
            switch field.unit {
            case .hex: "0x" + Self.hex(value, digits: 2 * size)
            case .quarterDecibels: "\(Double(number) / 4) dB (\(value))"
            default: "\(value)"
            }
        add(field, size: size, text, .number(number))
    }

    private static func hex(_ value: some FixedWidthInteger, digits count: Int) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }

    public mutating func fixed<let size: Int>(_ field: Field, _ value: inout FixedBytes<size>) {
        guard field.unit == .text else { return add(field, size: size, value.hex, .bytes(value.array)) }
        let text = value.text
        add(field, size: size, Self.quoted(text.bytes), .text(value.array))
        let residue = value.array.dropFirst(text.count)
        if residue.contains(where: { $0 != 0 }) { note("then \(residue.hex)") }
    }

    public mutating func bytes(_ field: Field, _ value: inout [UInt8], count: Int) {
        add(field, size: count, value.hex, .bytes(value))
    }

    public mutating func rest(_ field: Field, _ value: inout [UInt8], atMost limit: Int) {
        let isText = field.unit == .text
        add(
            field, size: value.count, isText ? Self.quoted(value) : value.hex, isText ? .text(value) : .bytes(value))
    }

    public mutating func hasTail(_ field: Field, isSet: Bool, size: Int) -> Bool {
        if !isSet { tailsEnded = true }
        return !tailsEnded
    }

    public mutating func choice(_ field: Field, _ value: inout UInt8, known: ClosedRange<UInt8>) {
        add(field, size: 1, "\(value)", .number(Int64(value)))
    }

    public mutating func elementCount(_ field: Field, present: Int, size: Int, announced: Int?) -> Int {
        max(0, announced ?? present)
    }

    public mutating func note(_ text: @autoclosure () -> String) {
        guard let last = fields.indices.last else { return }
        fields[last].note = text()
    }

    /// In quotes, as JSON has it: the bytes come from anywhere and go to a terminal.
    package static func quoted(_ bytes: [UInt8]) -> String {
        var escaped: [UInt8] = [UInt8(ascii: "\"")]
        for byte in bytes {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { escaped.append(UInt8(ascii: "\\")) }
            escaped.append(byte)
        }
        escaped.append(UInt8(ascii: "\""))
        return String(decoding: escaped, as: UTF8.self).visibleLine
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
