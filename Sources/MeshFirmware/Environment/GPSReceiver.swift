import MeshTime

/// The GPS as the firmware's sensor manager drives it; off until a setting or a command starts it.
///
/// The firmware looks at the receiver every so many seconds. Here no pass is made for that: the result of the last
/// look is computed on request. Source: firmware, `EnvironmentSensorManager` and `MicroNMEALocationProvider`.
struct GPSReceiver: Hashable, Sendable {
    /// Found at boot.
    private(set) var isPresent = false
    private(set) var isActive = false
    /// Seconds between two looks (`gps_update_interval_sec`).
    private(set) var interval: UInt32 = 1
    /// The time of the next look when this was written; others follow it.
    private var firstLook = Instant.start
    private var started: Instant?
    private var stopped = Instant.start
    /// The values that `node_lat`, `node_lon` and `node_altitude` were set to.
    private var storedPlace = GPSPosition()
    private var stored = Instant.start
    /// The time from which the clock is to be set.
    private var clockWanted = Instant.start
    private var listening = Instant.start

    /// The time that a fix is valid before the clock is set by it: until the fourth look of the provider.
    private static let clockSettling = TimeSpan.milliseconds(3003)
    /// From setting the clock to the next time (`TIME_SYNC_INTERVAL`).
    private static let clockInterval = TimeSpan.milliseconds(1_800_001)

    /// A receiver that has not been looked for, or not been found.
    init() {}

    /// Boots with a receiver that was found, and starts it when the settings ask for it.
    ///
    /// `interval` is in seconds, 0 for the firmware's own of one second.
    init(found: Bool, isOn: Bool, interval: UInt32, place: GPSPosition, at now: Instant) {
        isPresent = found
        isActive = found && isOn
        if interval > 0 { self.interval = interval }
        firstLook = now
        started = isActive ? now : nil
        storedPlace = place
        stored = now
        clockWanted = now
        listening = now
    }

    /// Starts or stops it; a place that was found stays known.
    mutating func setActive(_ active: Bool, signal: GPSSignal?, at now: Instant) {
        setPlace(place(signal: signal, at: now), at: now)
        // Starting it once more does not lose the fix.
        if active, !isActive { started = now }
        if !active, isActive { stopped = now }
        isActive = active
    }

    mutating func setInterval(_ seconds: UInt32, signal: GPSSignal?, at now: Instant) {
        setPlace(place(signal: signal, at: now), at: now)
        // The look that is due stays due.
        if let last = lastLook(at: now) { firstLook = last + period }
        interval = max(seconds, 1)
    }

    /// Overwrites the place until the next look that has a fix.
    mutating func setPlace(_ place: GPSPosition, at now: Instant) {
        storedPlace = place
        stored = now
    }

    /// Returns the position that the node believes in: that of the last look with a fix, or one that was set since.
    func place(signal: GPSSignal?, at now: Instant) -> GPSPosition {
        guard isActive, let signal, let seen = lastFix(of: signal, at: now) else { return storedPlace }
        return signal.place(at: seen) ?? storedPlace
    }

    /// Returns whether the receiver reports a fix; a stopped one keeps reporting what it reported last.
    func hasFix(signal: GPSSignal?, at now: Instant) -> Bool {
        guard let signal, let first = firstFix(of: signal) else { return false }
        let seen = isActive ? now : stopped
        return seen >= first && signal.isClear(at: seen)
    }

    // MARK: Looks

    /// A pause ends when the counter of milliseconds is past its end, not at it.
    private var period: TimeSpan { .milliseconds(Int64(interval &* 1000) + 1) }

    private func lastLook(at now: Instant) -> Instant? {
        guard now >= firstLook else { return nil }
        let count = (now - firstLook).microseconds / period.microseconds
        return firstLook + TimeSpan(microseconds: count * period.microseconds)
    }

    /// The moment of the first fix: a receiver needs some time after it is switched on.
    private func firstFix(of signal: GPSSignal) -> Instant? {
        started.map { max($0.later(by: signal.acquisition), listening) }
    }

    /// The last look that had a fix and came after the place was stored.
    private func lastFix(of signal: GPSSignal, at now: Instant) -> Instant? {
        guard let first = firstFix(of: signal) else { return nil }
        var look = lastLook(at: now)
        // Each turn goes back to before an outage, so there are no more turns than outages.
        while let time = look, time >= first, time > stored {
            guard let outage = signal.outages.first(where: { $0.contains(time) }) else { return time }
            look = lastLook(at: outage.lowerBound - .microseconds(1))
        }
        return nil
    }

    // MARK: Time

    /// Handles `gps sync`: forgets the received sentences, and sets the clock as soon as the time is certain.
    mutating func synchronizeClock(signal: GPSSignal?, at now: Instant) {
        setPlace(place(signal: signal, at: now), at: now)
        clockWanted = now
        // The next sentences are a second away.
        listening = now + .seconds(1)
    }

    /// Returns the moment at which this receiver is to set the node's clock; `.never` when it is not.
    func clockDue(signal: GPSSignal?) -> Instant {
        guard isActive, let signal, signal.unixSecondsAtStart != nil, !signal.way.isEmpty,
            let first = firstFix(of: signal)
        else { return .never }
        var due = max(clockWanted, first.later(by: Self.clockSettling))
        for outage in signal.outages where outage.lowerBound < due && outage.upperBound > due - Self.clockSettling {
            due = outage.upperBound.later(by: Self.clockSettling)
        }
        return due
    }

    /// Returns the Unix time to set the clock to, when it is due.
    mutating func takeClock(signal: GPSSignal?, at now: Instant) -> UInt32? {
        guard now >= clockDue(signal: signal), let time = signal?.unixSeconds(at: now) else { return nil }
        clockWanted = now + Self.clockInterval
        return time
    }
}

extension Instant {
    /// This much later, or never.
    fileprivate func later(by span: TimeSpan) -> Instant {
        let (sum, isOver) = microseconds.addingReportingOverflow(span.microseconds)
        return isOver ? .never : Instant(microseconds: sum)
    }
}
