/// An argument or an observation that no figure can be made from: which one it is, and why.
package struct StatisticsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason for which the argument was refused.
    package enum Reason: Hashable, Sendable {
        /// NaN or an infinity, also where a figure overflows.
        case notFinite
        /// Beyond the least and the greatest value, which are both allowed.
        case outOfRange(ClosedRange<Double>)
        /// There is nothing to make a figure from.
        case empty
        /// The range is a single point, or its width is not finite.
        case noWidth
        /// Only whole numbers are allowed.
        case notWhole
        /// The name occurs twice.
        case repeated
    }

    /// The parameter's name, as the initializer or function spells it.
    package let argument: String
    package let reason: Reason

    package init(_ argument: String, _ reason: Reason) {
        self.argument = argument
        self.reason = reason
    }

    package var description: String {
        switch reason {
        case .notFinite: "\(argument) is not finite"
        case .outOfRange(let range): "\(argument) is outside \(range.lowerBound)...\(range.upperBound)"
        case .empty: "\(argument) has no values"
        case .noWidth: "\(argument) is a range without a finite width"
        case .notWhole: "\(argument) is not a whole number"
        case .repeated: "\(argument) occurs twice"
        }
    }

    /// Refuses NaN, infinities and values outside a range.
    static func check(_ value: Double, _ argument: String, in range: ClosedRange<Double>) throws(StatisticsError) {
        guard value.isFinite else { throw StatisticsError(argument, .notFinite) }
        guard range.contains(value) else { throw StatisticsError(argument, .outOfRange(range)) }
    }

    /// Refuses counts outside a range.
    static func check(_ count: Int, _ argument: String, in range: ClosedRange<Int>) throws(StatisticsError) {
        guard range.contains(count) else {
            let allowed = Double(range.lowerBound)...Double(range.upperBound)
            throw StatisticsError(argument, .outOfRange(allowed))
        }
    }

    /// The width of a range, which has to be finite and above zero.
    static func width(
        of range: ClosedRange<Double>, _ argument: String
    ) throws(StatisticsError) -> Double {
        let width = range.upperBound - range.lowerBound
        guard width > 0, width.isFinite else { throw StatisticsError(argument, .noWidth) }
        return width
    }
}
