/// A product of positive factors, far beyond what a Double holds and without a logarithm per factor.
struct Capital {
    /// The product divided by 2⁵¹² `scale` times; from 2⁻⁵¹² to 2⁵¹².
    private(set) var part = 1.0
    private(set) var scale = 0

    /// Multiplies by a factor from 2⁻²⁵⁶ to 2²⁵⁶. Scaling by a power of two rounds nothing.
    @inline(__always)
    mutating func multiply(by factor: Double) {
        part *= factor
        if part > 0x1p512 {
            part *= 0x1p-512
            scale += 1
        } else if part < 0x1p-512 {
            part *= 0x1p512
            scale -= 1
        }
    }

    /// Returns whether the product is greater than a threshold from 1 to 2⁵⁰⁰.
    func exceeds(_ threshold: Double) -> Bool {
        switch scale {
        case 0: part > threshold
        case 1: part > threshold * 0x1p-512
        // The parts overlap, so a greater scale alone does not make a greater product; two steps do.
        default: scale > 0
        }
    }

    /// The natural logarithm of the product.
    var logarithm: Double { Elementary.log(part) + Double(scale) * Elementary.log(0x1p512) }
}
