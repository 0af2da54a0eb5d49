extension Int32 {
    /// The number that a text begins with, spaces before it allowed; 0 without one, and the limit for a larger one.
    ///
    /// It is what `atoi` of the boards' C library gives, whose integers have 32 bits.
    init(leadingNumberIn text: some Sequence<UInt8>) {
        var digits = text.drop { $0 == UInt8(ascii: " ") || (9...13).contains($0) }.makeIterator()
        var next = digits.next()
        let isNegative = next == UInt8(ascii: "-")
        if isNegative || next == UInt8(ascii: "+") { next = digits.next() }
        var value: Int64 = 0
        while let digit = next, digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") {
            value = Swift.min(value * 10 + Int64(digit - UInt8(ascii: "0")), 1 << 40)
            next = digits.next()
        }
        self = Int32(clamping: isNegative ? -value : value)
    }
}
