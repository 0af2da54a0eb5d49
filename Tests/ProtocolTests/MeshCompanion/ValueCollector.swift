import MeshWire

/// Walks a frame and notes its values by wire name: what the `fields` of a vector are compared with.
struct ValueCollector: FieldWalker {
    enum Value: Equatable {
        case number(Int64, size: Int)
        case bytes([UInt8])
    }

    private(set) var values: [(name: String, value: Value)] = []
    private var tailsEnded = false

    func all(_ name: String) -> [Value] { values.filter { $0.name == name }.map(\.value) }

    mutating func integer<T: FixedWidthInteger & Sendable>(_ field: Field, _ value: inout T, in range: ClosedRange<T>?)
    {
        values.append((field.name.description, .number(Int64(value), size: T.bitWidth / 8)))
    }

    mutating func fixed<let size: Int>(_ field: Field, _ value: inout FixedBytes<size>) {
        values.append((field.name.description, .bytes(value.array)))
    }

    mutating func bytes(_ field: Field, _ value: inout [UInt8], count: Int) {
        values.append((field.name.description, .bytes(value)))
    }

    mutating func rest(_ field: Field, _ value: inout [UInt8], atMost limit: Int) {
        values.append((field.name.description, .bytes(value)))
    }

    mutating func hasTail(_ field: Field, isSet: Bool, size: Int) -> Bool {
        tailsEnded = tailsEnded || !isSet
        return !tailsEnded
    }

    mutating func choice(_ field: Field, _ value: inout UInt8, known: ClosedRange<UInt8>) {
        integer(field, &value, in: nil)
    }

    mutating func elementCount(_ field: Field, present: Int, size: Int, announced: Int?) -> Int { present }
}

extension FieldGroup {
    var collected: ValueCollector {
        var collector = ValueCollector()
        var fields = self
        fields.walk(&collector)
        return collector
    }
}
