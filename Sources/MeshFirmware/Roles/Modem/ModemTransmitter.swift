import MeshTime

/// The one packet that a modem has to send, and the waits before it.
///
/// ```
///  idle --packet--> waiting for a clear channel --clear, byte low enough--> delay --> sending --> ended --told--> idle
///                       ^    |  \--busy for too long-------------------------^
///                       |    clear, byte too high
///                       +--- slot
/// ```
///
/// In full duplex a packet goes straight to the delay. It knows no radio: its inputs are the states of the channel,
/// and it decides when a packet begins. Source: firmware 1.17.1, `KissModem::processTx`.
struct ModemTransmitter: Hashable, Sendable {
    /// The settings that the host may change: in units of 10 ms, but for the byte of persistence.
    struct Settings: Hashable, Sendable {
        /// `KISS_DEFAULT_TXDELAY`
        var txDelay: UInt8 = 50
        /// `KISS_DEFAULT_PERSISTENCE`
        var persistence: UInt8 = 63
        /// `KISS_DEFAULT_SLOTTIME`
        var slotTime: UInt8 = 10
        /// Not 0: no listening before.
        var fullDuplex: UInt8 = 0
    }

    private enum State: Hashable {
        case idle
        case waitingForClear(since: Instant)
        case slot(since: Instant)
        case delay(since: Instant)
        case sending(since: Instant)
        case ended(isGood: Bool)
    }

    /// The interval at which a waiting modem looks at the channel, and the duration of the shortest slot.
    static let look = TimeSpan.milliseconds(1)

    var settings = Settings()
    private(set) var packet: RadioFrame?
    private var state = State.idle

    /// The radio transmits; it is asked for nothing meanwhile.
    var isSending: Bool { if case .sending = state { true } else { false } }

    /// The result of a transmission that has ended, until it is reported to the host.
    var outcome: Bool? { if case .ended(let isGood) = state { isGood } else { nil } }

    /// Accepts a packet; false when another one is there.
    mutating func take(_ packet: RadioFrame) -> Bool {
        guard self.packet == nil else { return false }
        self.packet = packet
        return true
    }

    /// Handles the end of the transmission. One that was given up is ignored.
    mutating func transmitted() -> Bool {
        guard isSending else { return false }
        state = .ended(isGood: true)
        return true
    }

    /// The host knows how it ended: the next packet may come.
    mutating func finish() {
        state = .idle
        packet = nil
    }

    /// Advances as far as time and channel allow; returns the packet when it begins.
    ///
    /// - Parameters:
    ///   - longestAirtime: of the longest packet, by the driver's estimate in milliseconds.
    ///   - airtime: the same of this packet.
    ///   - random: the source of the byte.
    mutating func advance(
        at now: Instant, isReceiving: Bool, longestAirtime: UInt32, airtime: UInt32, random: inout RandomStream
    ) -> RadioFrame? {
        while true {
            switch state {
            case .idle:
                guard packet != nil else { return nil }
                state = settings.fullDuplex == 0 ? .waitingForClear(since: now) : .delay(since: now)
            case .waitingForClear(let since):
                if !isReceiving {
                    state = random.nextByte() <= settings.persistence ? .delay(since: now) : .slot(since: now)
                } else if now >= since + Self.patience(longestAirtime) {
                    state = .delay(since: now)
                } else {
                    return nil
                }
            case .slot(let since):
                guard now >= slotEnd(since) else { return nil }
                state = .waitingForClear(since: now)
            case .delay(let since):
                guard now >= delayEnd(since) else { return nil }
                state = .sending(since: now)
                return packet
            case .sending(let since):
                guard now >= since + Self.patience(airtime) else { return nil }
                state = .ended(isGood: false)
            case .ended: return nil
            }
        }
    }

    /// Returns the moment at which it wants its next step.
    func nextWake(at now: Instant, airtime: UInt32) -> Instant {
        switch state {
        case .idle, .ended: .never
        case .waitingForClear: now + Self.look
        case .slot(let since): slotEnd(since)
        case .delay(let since): delayEnd(since)
        case .sending(let since): since + Self.patience(airtime)
        }
    }

    private func delayEnd(_ since: Instant) -> Instant { since + .milliseconds(Int(settings.txDelay) * 10) }
    private func slotEnd(_ since: Instant) -> Instant {
        since + max(Self.look, .milliseconds(Int(settings.slotTime) * 10))
    }

    /// `KISS_TX_TIMEOUT_FACTOR`: half as long again as the driver's estimate.
    private static func patience(_ milliseconds: UInt32) -> TimeSpan { .milliseconds(UInt64(milliseconds) * 3 / 2) }
}
