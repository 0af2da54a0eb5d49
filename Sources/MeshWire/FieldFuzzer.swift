/// Fills any frame from random numbers: tails present or not, choices among the known branches, lengths within limits.
public struct FieldFuzzer<Randomness: RandomNumberGenerator>: FieldWalker {
    /// The source of the values.
    public var randomness: Randomness
    /// The longest `rest` it makes when the walk states no limit.
    public var longestRest: Int
    /// A tail can only be present when the one before it was.
    var tailsEnded = false

    public init(_ randomness: Randomness, longestRest: Int = 32) {
        self.randomness = randomness
        self.longestRest = longestRest
    }

    public mutating func integer<T: FixedWidthInteger & Sendable>(
        _ field: Field, _ value: inout T, in range: ClosedRange<T>?
    ) {
        if let range, Bool.random(using: &randomness) {
            value = T(
                truncatingIfNeeded: Int64.random(
                    in: Int64(clamping: range.lowerBound)...Int64(clamping: range.upperBound), using: &randomness))
        } else {
            value = T(truncatingIfNeeded: randomness.next())
        }
    }

    public mutating func fixed<let size: Int>(_ field: Field, _ value: inout FixedBytes<size>) {
        for index in value.indices { value[index] = UInt8(truncatingIfNeeded: randomness.next()) }
    }

    public mutating func bytes(_ field: Field, _ value: inout [UInt8], count: Int) {
        value = (0..<max(0, count)).map { _ in UInt8(truncatingIfNeeded: randomness.next()) }
    }

    public mutating func rest(_ field: Field, _ value: inout [UInt8], atMost limit: Int) {
        let count = Int.random(in: 0...min(limit, longestRest), using: &randomness)
        value = (0..<count).map { _ in UInt8(truncatingIfNeeded: randomness.next()) }
    }

    public mutating func hasTail(_ field: Field, isSet: Bool, size: Int) -> Bool {
        if tailsEnded { return false }
        tailsEnded = Bool.random(using: &randomness)
        return !tailsEnded
    }

    public mutating func choice(_ field: Field, _ value: inout UInt8, known: ClosedRange<UInt8>) {
        value = UInt8.random(in: known, using: &randomness)
    }

    public mutating func elementCount(_ field: Field, present: Int, size: Int, announced: Int?) -> Int {
        max(0, announced ?? Int.random(in: 0...4, using: &randomness))
    }
}

extension FieldGroup {
    /// A value drawn from `randomness`.
    public static func fuzzed<R: RandomNumberGenerator>(using randomness: inout R, longestRest: Int = 32) -> Self {
        var fuzzer = FieldFuzzer(randomness, longestRest: longestRest)
        var fields = Self()
        fields.walk(&fuzzer)
        randomness = fuzzer.randomness
        return fields
    }
}
