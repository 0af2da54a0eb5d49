/// Compares a value with the ranges and lengths that its walk states, as a sender does before it sends.
public struct RangeChecker: FieldWalker {
    /// The first value outside the ranges of the walk, or nil when there is none.
    public private(set) var failure: FrameError?
    var offset: Int
    var tailsEnded = false

    /// `offset` is where the first field stands in the frame (1 behind a code byte).
    public init(from offset: Int = 0) {
        self.offset = offset
    }

    mutating func fail(_ field: Field, _ reason: FrameError.Reason) {
        if failure == nil {
            failure = FrameError(field: field.name.description, offset: offset, reason: reason)
        }
    }

    public mutating func integer<T: FixedWidthInteger & Sendable>(
        _ field: Field, _ value: inout T, in range: ClosedRange<T>?
    ) {
        if let range, !range.contains(value) {
            let allowed = Int64(clamping: range.lowerBound)...Int64(clamping: range.upperBound)
            fail(field, .outOfRange(value: Int64(clamping: value), allowed: allowed))
        }
        offset += MemoryLayout<T>.size
    }

    public mutating func fixed<let size: Int>(_ field: Field, _ value: inout FixedBytes<size>) {
        offset += size
    }

    public mutating func bytes(_ field: Field, _ value: inout [UInt8], count: Int) {
        if value.count != count {
            fail(field, .invalid("holds \(value.count) bytes where the fields before it announce \(count)"))
        }
        offset += count
    }

    public mutating func rest(_ field: Field, _ value: inout [UInt8], atMost limit: Int) {
        if value.count > limit { fail(field, .tooLong(count: value.count, limit: limit)) }
        offset += value.count
    }

    public mutating func hasTail(_ field: Field, isSet: Bool, size: Int) -> Bool {
        if isSet && tailsEnded { fail(field, .invalid("is set while the optional field before it is not")) }
        if !isSet { tailsEnded = true }
        return isSet
    }

    public mutating func choice(_ field: Field, _ value: inout UInt8, known: ClosedRange<UInt8>) {
        offset += 1
    }

    public mutating func elementCount(_ field: Field, present: Int, size: Int, announced: Int?) -> Int {
        if let announced, announced != present {
            fail(field, .invalid("has \(present) elements where the fields before it announce \(announced)"))
        }
        return present
    }
}

extension FieldGroup {
    /// The first field that a sender may not send, or `nil`.
    public func rangeFailure(from offset: Int = 0) -> FrameError? {
        var checker = RangeChecker(from: offset)
        var fields = self
        fields.walk(&checker)
        return checker.failure
    }
}
