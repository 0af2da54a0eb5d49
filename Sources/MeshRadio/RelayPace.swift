/// The times of a packet that repeaters pass on along a known way.
///
/// A repeater passes a packet on after a pause that it draws, and does not receive while it sends. A packet that
/// follows too soon meets the relay of the one before at that repeater.
package struct RelayPace: Hashable, Sendable {
    /// The time that the packet is on the air, once.
    package let frame: Duration
    /// Repeaters on the way.
    package let hops: Int
    private let longestPause: Duration
    private let slack: Duration

    /// - Parameters:
    ///   - delayHundredths: the setting of the repeaters for direct packets (`direct.txdelay`), in hundredths.
    ///   - slack: the time that a node takes for a packet beside its airtime and its pause.
    package init(frame: Duration, hops: Int, delayHundredths: Int, slack: Duration) {
        (self.frame, self.hops, self.slack) = (frame, hops, slack)
        // The firmware draws from 0 to five times the share of the airtime.
        longestPause = frame * (5 * delayHundredths) / 100
    }

    /// The airtime of the packet and of its relays.
    package var airtime: Duration { frame * (hops + 1) }
    /// The time until the last relay is over, however long the pauses are.
    package var whole: Duration { airtime + (longestPause + slack) * hops + slack }
    /// The same with pauses of mean length, and no time for anything else.
    package var mean: Duration { airtime + longestPause * hops / 2 }
    /// The time until the first relay is over, however long its pause is.
    package var firstRelay: Duration { frame * 2 + longestPause + slack * 2 }
    /// The time from the end of the first relay to that of the last, with the longest pauses, and a pause for others.
    ///
    /// Nodes that waited for the relay to end send then. They do not hear the sender, and would meet its next packet.
    /// With a mean pause the packets are as far apart as without hearing, on average.
    package var afterFirstRelay: Duration {
        (frame + longestPause + slack) * max(0, hops - 1) + longestPause / 2 + slack
    }
}

/// The moment at which the next packet may follow along the same way. Knows no clock.
///
/// The sender hears the first relay, also a late one, and gives others a pause. When it does not hear it, the packet
/// was lost or the relay was. Then the very same packet goes once more: a repeater that has it drops it, and another
/// one passes it on now. Over one repeater the next packet takes no longer than that, so it goes instead.
///
///     alice  --packet--                                      --next--           --next, again--
///     hill             ..pause..--relay--                            x (lost)
///     dale                               ..pause..--relay--
package struct RelayTurn: Hashable, Sendable {
    package enum Step: Hashable, Sendable {
        /// The next packet may go.
        case free
        /// Nothing is to be done for this time, unless the relay is heard.
        case wait(Duration)
        /// The same packet goes again; `repeated` notes that.
        case again
    }

    private struct Packet: Hashable, Sendable {
        let pace: RelayPace
        /// The next packet goes no earlier.
        let earliest: Duration
        var relayDue: Duration
        var mayRepeat: Bool
    }

    /// The moment at which the relays of the last packet are over.
    package private(set) var freeAt: Duration = .zero
    /// The packet whose first relay was not heard yet.
    private var awaited: Packet?

    package init() {}

    /// Notes that a packet has gone; the next one goes after `distance` at the earliest.
    ///
    /// `isHeard` is false where nobody listens for the relay.
    package mutating func sent(
        _ pace: RelayPace, distance: Duration = .zero, isHeard: Bool = true, at now: Duration
    ) {
        let start = max(freeAt, now)
        freeAt = start + max(pace.whole, distance)
        guard isHeard, pace.hops > 0 else { return awaited = nil }
        // Where the air is to be spared no packet goes twice.
        awaited = Packet(
            pace: pace, earliest: start + distance, relayDue: start + pace.firstRelay,
            mayRepeat: pace.hops > 1 && distance == .zero)
    }

    /// Notes that the first relay of the last packet is over.
    package mutating func relayed(at now: Duration) {
        guard let packet = awaited else { return }
        awaited = nil
        freeAt = max(packet.earliest, now + packet.pace.afterFirstRelay)
    }

    /// Notes that the last packet goes again.
    package mutating func repeated(at now: Duration) {
        guard let packet = awaited else { return }
        awaited?.mayRepeat = false
        freeAt = max(freeAt, now + packet.pace.firstRelay)
    }

    package func next(at now: Duration) -> Step {
        if let packet = awaited, packet.mayRepeat {
            return now < packet.relayDue ? .wait(packet.relayDue - now) : .again
        }
        return now < freeAt ? .wait(freeAt - now) : .free
    }
}
