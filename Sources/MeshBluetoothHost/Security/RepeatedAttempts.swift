import MeshTime

/// The failed pairings with a peer, and the time at which the next may be tried.
///
/// With a fixed passkey an attacker learns a little from each attempt. The first three failures are free, for people
/// mistype; then the wait begins at 2 s and doubles up to 64 s. A success ends it. Source: Bluetooth Core, Vol 3 Part
/// H, 2.3.6, which leaves the figures open.
struct RepeatedAttempts: Hashable, Sendable {
    /// Failures since the last success.
    private(set) var failures = 0
    /// Before this moment a pairing is refused.
    private(set) var notBefore: Instant?

    static let free = 3
    static let firstWait = TimeSpan.seconds(2)
    static let longestWait = TimeSpan.seconds(64)

    init() {}

    func allow(at now: Instant) -> Bool { notBefore.map { now >= $0 } ?? true }

    mutating func fail(at now: Instant) {
        failures = min(failures + 1, 100)
        guard failures >= Self.free else { return }
        let doublings = min(failures - Self.free, 5)
        notBefore = now + min(Self.longestWait, Self.firstWait * (1 << Int64(doublings)))
    }
}
