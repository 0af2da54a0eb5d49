/// Reads and prints in one pass, so that a malformed frame still shows every field before the one that fails.
public struct FieldTracer: FieldWalker {
    /// The reader, whose failure names the first field that makes no sense.
    public private(set) var reader: FieldReader
    var printer: FieldPrinter

    /// The fields that were read.
    public var fields: [PrintedField] { printer.fields }
    /// The field that could not be read.
    public var failure: FrameError? { reader.failure }

    /// Reads `memory` from `offset` on. The memory must outlive the tracer.
    public init(_ memory: UnsafeRawBufferPointer, from offset: Int = 0) {
        reader = FieldReader(memory, from: offset)
        printer = FieldPrinter(from: offset)
    }

    public mutating func integer<T: FixedWidthInteger & Sendable>(
        _ field: Field, _ value: inout T, in range: ClosedRange<T>?
    ) {
        reader.integer(field, &value, in: range)
        if failure == nil { printer.integer(field, &value, in: range) }
    }

    public mutating func fixed<let size: Int>(_ field: Field, _ value: inout FixedBytes<size>) {
        reader.fixed(field, &value)
        if failure == nil { printer.fixed(field, &value) }
    }

    public mutating func bytes(_ field: Field, _ value: inout [UInt8], count: Int) {
        reader.bytes(field, &value, count: count)
        if failure == nil { printer.bytes(field, &value, count: count) }
    }

    public mutating func rest(_ field: Field, _ value: inout [UInt8], atMost limit: Int) {
        reader.rest(field, &value, atMost: limit)
        if failure == nil { printer.rest(field, &value, atMost: limit) }
    }

    public mutating func hasTail(_ field: Field, isSet: Bool, size: Int) -> Bool {
        reader.hasTail(field, isSet: isSet, size: size)
    }

    public mutating func choice(_ field: Field, _ value: inout UInt8, known: ClosedRange<UInt8>) {
        reader.choice(field, &value, known: known)
        if failure == nil { printer.choice(field, &value, known: known) }
    }

    public mutating func elementCount(_ field: Field, present: Int, size: Int, announced: Int?) -> Int {
        reader.elementCount(field, present: present, size: size, announced: announced)
    }

    public mutating func note(_ text: @autoclosure () -> String) {
        if failure == nil { printer.note(text()) }
    }
}

extension FieldGroup {
    /// The fields of `memory` up to the first that cannot be read, and that failure.
    public static func traced(
        _ memory: UnsafeRawBufferPointer, from offset: Int = 0
    ) -> (fields: [PrintedField], end: Int, failure: FrameError?) {
        var tracer = FieldTracer(memory, from: offset)
        var fields = Self()
        fields.walk(&tracer)
        return (tracer.fields, tracer.reader.offset, tracer.failure)
    }
}
