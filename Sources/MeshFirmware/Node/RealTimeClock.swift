public import MeshTime

/// The node's calendar clock: Unix seconds that can be set, and that stamp adverts, messages and tags.
///
/// It is independent of the millisecond counter: setting it changes no delay. Source: OverTheAir, "Contacts and
/// received adverts"; firmware, `VolatileRTCClock` and `RTCClock::getCurrentTimeUnique`.
public struct RealTimeClock: Hashable, Sendable {
    private var base: UInt32
    private var setAt: Instant
    private var lastUnique: UInt32 = 0

    /// A clock that shows `unixSeconds` at `now`.
    public init(unixSeconds: UInt32, at now: Instant) {
        base = unixSeconds
        setAt = now
    }

    /// Unix seconds at `now`.
    public func time(at now: Instant) -> UInt32 {
        base &+ UInt32(truncatingIfNeeded: (now - setAt).milliseconds / 1000)
    }

    /// Returns the instant at which the clock shows `unixSeconds`, unless it is set; a moment gone by for a time
    /// that it has shown.
    public func instant(of unixSeconds: UInt32) -> Instant {
        setAt + .seconds(Int64(unixSeconds) - Int64(base))
    }

    /// Sets the clock; a new second begins.
    public mutating func set(_ unixSeconds: UInt32, at now: Instant) {
        base = unixSeconds
        setAt = now
    }

    /// The time, but at least one more than the last value given out; it can run ahead of the clock.
    public mutating func uniqueTime(at now: Instant) -> UInt32 {
        let time = time(at: now)
        lastUnique = time <= lastUnique ? lastUnique &+ 1 : time
        return lastUnique
    }
}
