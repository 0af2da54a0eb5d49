/// Points on the unit circle, from additions and multiplications alone.
///
/// So every process and every processor draws the same map, which no library promises for its own functions.
package enum Circle {
    /// Cosine and sine of a part of a full turn, exact to some 1e-9.
    package static func point(turns: Double) -> (cosine: Double, sine: Double) {
        let whole = floor(turns)
        let quarter = floor((turns - whole) * 4)
        let angle = (turns - whole - quarter / 4) * 6.283185307179586
        let square = angle * angle
        var (cosine, sine) = (1.0, angle)
        var (cosineTerm, sineTerm) = (1.0, angle)
        for step in 1...9 {
            cosineTerm *= -square / Double((2 * step - 1) * (2 * step))
            sineTerm *= -square / Double((2 * step) * (2 * step + 1))
            cosine += cosineTerm
            sine += sineTerm
        }
        switch Int(wholePart: quarter) {
        case 0: return (cosine, sine)
        case 1: return (-sine, cosine)
        case 2: return (-cosine, -sine)
        default: return (sine, -cosine)
        }
    }

    /// The greatest whole number that is not above a value; the standard library's is a call into libm.
    private static func floor(_ value: Double) -> Double {
        let whole = Double(Int64(wholePart: value))
        return whole > value ? whole - 1 : whole
    }
}
