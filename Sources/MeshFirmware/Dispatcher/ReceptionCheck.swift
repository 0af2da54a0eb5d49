import MeshCompanion
import MeshRadio
import MeshTime

/// The check of drivers since 1.17 for a frame in reception, with their memory of earlier checks.
///
/// A driver looks at the chip's flags only when it is asked. The firmware asks every 120 to 360 ms while a packet
/// is due. It also asks in each pass while it samples the noise floor. The driver remembers that it has seen a
/// header, and the time at which it first saw the present signal. Both outlive their frame when the next one
/// follows closely. The check then returns "free" once, into the preamble of that frame:
///
///     frame    |preamble|header and payload|   |preamble|…
///     check                     x                  o        the header has gone: state cleared, "free"
///     check        x                               o        this preamble seems to last too long: flag cleared, "free"
///     check                     x         s s s s ss        sampling found out before: "busy"
///
/// Source: firmware, `isReceiving` of `CustomSX1262`; those of SX1268, LLCC68, STM32WL, LR1110 and LR2021 are alike.
/// The SX127x's driver remembers nothing.
struct ReceptionCheck: Hashable, Sendable {
    /// The time at which the driver first saw a preamble, or then a header; 0 stands for never, as in the firmware.
    private var seenAt = Millis(0)
    private var hasSeenHeader = false
    /// True when the noise floor was being sampled at the last check.
    private var wasSampling = false
    /// The time at which the driver was last asked for a packet.
    private var askedAt = Millis(0)
    /// The frame of which the driver has cleared flags, and whether that of the header was among them.
    private var cleared: Cleared?

    private struct Cleared: Hashable {
        let since: Instant
        let withHeader: Bool
    }

    /// One check for a packet that is due; `sampledBefore` is how long ago a sampling was last to begin.
    mutating func isReceiving(
        _ reception: RadioStatus.Reception?, at now: Millis, sampledBefore: TimeSpan, _ airtime: Airtime
    ) -> Bool {
        let remaining = cleared.flatMap { $0.since == reception?.since ? $0 : nil }
        let hasHeader = reception?.hasHeader == true && remaining?.withHeader != true
        let hasPreamble = reception != nil && remaining == nil
        let wasAsked = catchUp(reception, at: now, sampledBefore)
        if wasAsked {
            // The pass before has seen the same.
            hasSeenHeader = hasHeader
            seenAt = hasHeader || hasPreamble ? now : Millis(0)
            return hasHeader || hasPreamble
        }
        if !hasHeader && hasSeenHeader { return forget() }
        if hasHeader {
            if !hasSeenHeader { seenAt = now }
            hasSeenHeader = true
            guard now.since(seenAt) > airtime.payloadDeadlineMilliseconds else { return true }
            return clear(reception, withHeader: true)
        }
        guard hasPreamble else { return forget() }
        if seenAt.count == 0 { seenAt = now }
        guard now.since(seenAt) > airtime.preambleDeadlineMilliseconds else { return true }
        return clear(reception, withHeader: false)
    }

    /// Accounts for the checks by sampling since the last check; returns whether sampling is under way.
    ///
    /// A sampling that has ended found the antenna quiet in its last pass, after which nothing was remembered.
    private mutating func catchUp(
        _ reception: RadioStatus.Reception?, at now: Millis, _ sampledBefore: TimeSpan
    ) -> Bool {
        let hasBegun = sampledBefore.milliseconds < Int64(now.since(askedAt))
        askedAt = now
        let isSampling = reception.map { sampledBefore < $0.busyFor + NoiseSampling.length } ?? false
        if (hasBegun || wasSampling) && !isSampling { _ = forget() }
        wasSampling = isSampling
        return isSampling
    }

    private mutating func forget() -> Bool {
        seenAt = Millis(0)
        hasSeenHeader = false
        return false
    }

    private mutating func clear(_ reception: RadioStatus.Reception?, withHeader: Bool) -> Bool {
        cleared = reception.map { Cleared(since: $0.since, withHeader: withHeader) }
        return forget()
    }
}

/// The abilities of a board's driver that matter while it listens before it talks.
///
/// Three flags beside what every pass looks at; the whole profile of a board is several cache lines away.
struct ReceptionDriver: Hashable, Sendable {
    /// It learns of receptions by interrupt flags; that of the SX127x asks the modem itself.
    private let raisesFlags: Bool
    /// A preamble alone is no reception for it.
    private let needsHeader: Bool
    /// It keeps what it saw between two checks for a reception.
    let remembersReceptions: Bool

    init(_ board: BoardProfile) {
        raisesFlags = board.chip != .sx127x
        needsHeader =
            switch board.firmware.switches.receptionFlags {
            case .headerAlone: true
            case .preambleAndHeader: false
            }
        remembersReceptions = raisesFlags && !needsHeader
    }

    /// Returns whether it considers such a channel busy, without memory of earlier frames.
    ///
    /// Of a channel that is busy without a known frame every driver sees that.
    @inline(__always)
    func sees(_ status: RadioStatus) -> Bool {
        guard raisesFlags, needsHeader, let reception = status.reception else { return status.isReceiving }
        return reception.hasHeader
    }
}
