/// A value of the node's millisecond counter, which wraps every 49.7 days.
///
/// Comparisons are those of the firmware, so they are right only over half that span (OverTheAir, "Conventions").
package struct Millis: Hashable, Sendable {
    package var count: UInt32

    init(_ count: UInt32) {
        self.count = count
    }

    /// Milliseconds from `self` to `other`, negative when `other` is earlier.
    func distance(to other: Millis) -> Int32 { Int32(bitPattern: other.count &- count) }

    /// Milliseconds since `earlier`, as the unsigned difference that the firmware takes.
    func since(_ earlier: Millis) -> UInt32 { count &- earlier.count }

    /// Whether this moment lies strictly in the past of `now` (`millisHasNowPassed`).
    func hasPassed(at now: Millis) -> Bool { distance(to: now) > 0 }

    /// Whether a queue entry scheduled for this moment may go: now or later (`PacketQueue::get`).
    func isDue(at now: Millis) -> Bool { now.distance(to: self) <= 0 }

    static func + (moment: Millis, milliseconds: UInt32) -> Millis { Millis(moment.count &+ milliseconds) }
}

// `rounded()` would call the C library on processors without an instruction for it, and nothing here links that.
extension Int64 {
    /// The whole number next to a value, halves away from zero; what does not fit is cut to 62 bits, no number is 0.
    init(nearestTo value: Double) {
        let limit = Double(1 << 62 as Int64)
        guard !value.isNaN else {
            self = 0
            return
        }
        let bounded = Swift.min(Swift.max(value, -limit), limit)
        let whole = Int64(bounded)
        let rest = bounded - Double(whole)
        self = rest >= 0.5 ? whole + 1 : rest <= -0.5 ? whole - 1 : whole
    }
}

extension UInt32 {
    /// The whole part of a product that the firmware computes in floating point; what does not fit is cut to the range.
    init(wholePartOf value: Float) {
        self = value.isNaN || value <= 0 ? 0 : value >= 4_294_967_296 ? .max : UInt32(value)
    }
}
