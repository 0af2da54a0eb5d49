/// Permits so many events in a window of time, and counts the refused ones as well.
///
/// Source: InfrastructureNodes, "Anonymous questions" (INF-060); firmware, `RateLimiter`.
struct RateLimiter: Hashable, Sendable {
    let most: UInt32
    let windowSeconds: UInt32
    private var windowStart: UInt32 = 0
    private var count: UInt32 = 0

    init(most: UInt32, windowSeconds: UInt32) {
        self.most = most
        self.windowSeconds = windowSeconds
    }

    /// Returns whether one more is within the limit at these Unix seconds. The first one after a window opens the
    /// next.
    mutating func allows(at now: UInt32) -> Bool {
        if now >= windowStart &+ windowSeconds {
            windowStart = now
            count = 1
        } else {
            count += 1
        }
        return count <= most
    }
}
