import MeshRadio
import MeshTime

/// How drivers judge whether a frame is being received, with what they remember from one check to the next.
///
/// A driver looks at the chip's flags only when it is asked, and the firmware asks only while a packet is due: every 120
/// to 360 ms. It remembers that it has seen a header, and when it first saw what it is seeing. Both outlive the frame that
/// they are from when the next one follows closely, and then the check says "free" once, into the preamble of that frame:
///
///     frame    |preamble|header and payload|   |preamble|…
///     check                     x                  o        the header has gone: state cleared, "free"
///     check        x                               o        this preamble seems to last too long: flag cleared, "free"
///
/// Source: firmware, `isReceiving` of `CustomSX1262`; those of SX1268, LLCC68, STM32WL, LR1110 and LR2021 are alike. The
/// SX127x's driver remembers nothing.
struct ReceptionCheck: Hashable, Sendable {
    /// When the driver first saw a preamble, or then a header; 0 stands for never, as in the firmware.
    private var seenAt = Millis(0)
    private var hasSeenHeader = false
    /// The frame of which the driver has cleared flags, and whether that of the header was among them.
    private var cleared: Cleared?

    private struct Cleared: Hashable {
        let since: Instant
        let withHeader: Bool
    }

    /// One check.
    mutating func isReceiving(_ reception: RadioStatus.Reception?, at now: Millis, _ airtime: Airtime) -> Bool {
        let remaining = cleared.flatMap { $0.since == reception?.since ? $0 : nil }
        let hasHeader = reception?.hasHeader == true && remaining?.withHeader != true
        let hasPreamble = reception != nil && remaining == nil
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

extension RadioChip {
    /// Whether its driver keeps what it saw between two checks for a reception.
    var remembersReceptions: Bool { self != .sx127x }
}
