/// Writes fields one behind the other into bytes that it owns.
public struct FieldWriter: FieldWalker {
    /// The bytes written so far.
    public var output: [UInt8]
    /// A tail can only be there when the one before it was.
    @usableFromInline var tailsEnded = false

    /// Begins with no bytes, and room for as many as a frame usually has.
    @inlinable
    public init(reserving capacity: Int = 192) {
        output = []
        output.reserveCapacity(capacity)
    }

    @inlinable
    public mutating func integer<T: FixedWidthInteger & Sendable>(
        _ field: Field, _ value: inout T, in range: ClosedRange<T>?
    ) {
        withUnsafeBytes(of: value.littleEndian) { output.append(contentsOf: $0) }
    }

    @inlinable
    public mutating func fixed<let size: Int>(_ field: Field, _ value: inout FixedBytes<size>) {
        value.withUnsafeBytes { output.append(contentsOf: $0) }
    }

    @inlinable
    public mutating func bytes(_ field: Field, _ value: inout [UInt8], count: Int) {
        if value.count == count {
            output.append(contentsOf: value)
        } else {
            output.append(contentsOf: value.prefix(max(0, count)))
            output.append(contentsOf: repeatElement(0, count: max(0, count - value.count)))
        }
    }

    @inlinable
    public mutating func rest(_ field: Field, _ value: inout [UInt8], atMost limit: Int) {
        output.append(contentsOf: value)
    }

    @inlinable
    public mutating func hasTail(_ field: Field, isSet: Bool, size: Int) -> Bool {
        if !isSet { tailsEnded = true }
        return !tailsEnded
    }

    @inlinable
    public mutating func choice(_ field: Field, _ value: inout UInt8, known: ClosedRange<UInt8>) {
        output.append(value)
    }

    @inlinable
    public mutating func elementCount(_ field: Field, present: Int, size: Int, announced: Int?) -> Int {
        max(0, announced ?? present)
    }
}

extension FieldGroup {
    /// The fields as bytes, unchecked: a value outside its range is written as it stands.
    @inlinable
    public func written() -> [UInt8] {
        var writer = FieldWriter()
        var fields = self
        fields.walk(&writer)
        return writer.output
    }
}
