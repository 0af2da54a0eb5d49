/// The conversion from floating point to whole numbers, for every quotient and every number from outside.
///
/// The initialisers of the standard library stop the program at a value that does not fit or is no number. These
/// return the nearest bound instead, and 0, or the bound next to it, for no number.
extension FixedWidthInteger {
    /// The whole number nearest to a value, halves away from zero.
    ///
    /// - Parameter range: bounds of the result; those of the type unless given.
    @inlinable
    package init(nearest value: Double, in range: ClosedRange<Self> = Self.min...Self.max) {
        let whole = Self(wholePart: value, in: range)
        // `rounded()` would call the C library on processors without an instruction for it.
        let rest = value - Double(whole)
        if rest >= 0.5, whole < range.upperBound {
            self = whole + 1
        } else if rest <= -0.5, whole > range.lowerBound {
            self = whole - 1
        } else {
            self = whole
        }
    }

    /// The whole part of a value, towards zero.
    ///
    /// - Parameter range: bounds of the result; those of the type unless given.
    @inlinable
    package init(wholePart value: Double, in range: ClosedRange<Self> = Self.min...Self.max) {
        if value.isNaN {
            self = Swift.min(Swift.max(0, range.lowerBound), range.upperBound)
        } else if value >= Double(range.upperBound) {
            self = range.upperBound
        } else if value <= Double(range.lowerBound) {
            self = range.lowerBound
        } else if value.magnitude < 0x1p62 {
            // An instruction of the processor; the generic conversion takes seventy.
            self = Self(truncatingIfNeeded: Int64(value))
        } else {
            self = Self(value)
        }
    }
}

// Every value of 32 bits is one of 64, so these are the same.
extension FixedWidthInteger {
    /// The whole number nearest to a value, halves away from zero.
    @inlinable
    package init(nearest value: Float, in range: ClosedRange<Self> = Self.min...Self.max) {
        self.init(nearest: Double(value), in: range)
    }

    /// The whole part of a value, towards zero.
    @inlinable
    package init(wholePart value: Float, in range: ClosedRange<Self> = Self.min...Self.max) {
        self.init(wholePart: Double(value), in: range)
    }
}
