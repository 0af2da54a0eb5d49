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

    /// Milliseconds since `earlier`, as the unsigned difference that the firmware computes.
    func since(_ earlier: Millis) -> UInt32 { count &- earlier.count }

    /// Returns whether this moment lies strictly in the past of `now` (`millisHasNowPassed`).
    func hasPassed(at now: Millis) -> Bool { distance(to: now) > 0 }

    /// Returns whether a queue entry scheduled for this moment may go: now or later (`PacketQueue::get`).
    func isDue(at now: Millis) -> Bool { now.distance(to: self) <= 0 }

    static func + (moment: Millis, milliseconds: UInt32) -> Millis { Millis(moment.count &+ milliseconds) }
}
