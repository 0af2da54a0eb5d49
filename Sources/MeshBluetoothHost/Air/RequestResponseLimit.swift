package import MeshTime

/// The limit of a connection for a client that sends each request when the last answer has come.
///
/// A request is written with response and answered by a notification. A host's packet goes with the next connection
/// event at the earliest. So an exchange needs two events at least: one for the request, and one for the response of
/// the write with the notification behind it. Longer ones need more:
///
/// ```
/// event    1             2                            3
/// app      write ------> |                            | write ...
/// radio                  | write response, notification
/// ```
///
/// The notification is acknowledged in the event behind it, so a radio listens there whatever latency it has. One that
/// rests between notifications needs that rest for each exchange at least. No other order is faster in this model; see
/// <doc:ModelledAir> for the differences of real controllers.
package struct RequestResponseLimit: Hashable, Sendable {
    /// From one connection event to the next.
    package var interval: TimeSpan
    package var layer: PhysicalLayer
    /// The longest payload of a packet on the air, in bytes.
    package var longestPayload: Int
    /// Packets of each side in one event at most; `nil` for as many as there is time for.
    package var packetsPerEvent: Int?
    /// The radio's least time from one notification to the next.
    package var rest: TimeSpan

    /// The header of L2CAP, the opcode and the handle in front of a value.
    private static let overhead = 4 + 3
    /// A write response: the header of L2CAP and the opcode.
    private static let writeResponse = 4 + 1

    package init(
        interval: TimeSpan, layer: PhysicalLayer = .le1M, longestPayload: Int = 251, packetsPerEvent: Int? = nil,
        rest: TimeSpan = .zero
    ) {
        self.interval = interval
        self.layer = layer
        self.longestPayload = longestPayload
        self.packetsPerEvent = packetsPerEvent
        self.rest = rest
    }

    /// The connection events of one exchange: a written value of `request` bytes, and a notified one of `response`
    /// bytes.
    package func events(request: Int, response: Int) -> Int {
        events(payloads: packets(Self.overhead + request))
            + events(payloads: packets(Self.writeResponse) + packets(Self.overhead + response))
    }

    /// The least time for such exchanges, one after the other.
    package func time(exchanges: some Sequence<(request: Int, response: Int)>) -> TimeSpan {
        var (count, events) = (0, 0)
        for exchange in exchanges {
            count += 1
            events += self.events(request: exchange.request, response: exchange.response)
        }
        return max(interval * Int64(events), rest * Int64(count))
    }

    /// The payloads that a packet of L2CAP is cut into.
    private func packets(_ bytes: Int) -> [Int] {
        stride(from: 0, to: bytes, by: longestPayload).map { min(longestPayload, bytes - $0) }
    }

    /// Returns the number of events needed to send these while the other side sends nothing.
    private func events(payloads: [Int]) -> Int {
        var (events, used, count) = (1, TimeSpan.zero, 0)
        for payload in payloads {
            let pair = Self.pairTime(payload, 0, layer, isEncrypted: true)
            if count > 0, used + pair > interval || count == packetsPerEvent ?? .max {
                (events, used, count) = (events + 1, .zero, 0)
            }
            (used, count) = (used + pair, count + 1)
        }
        return events
    }

    /// Returns the time of a packet of each side, with the gaps behind both.
    ///
    /// 27 encrypted bytes one way need 80 + 150 + 328 + 150 = 708 µs on 1M.
    package static func pairTime(_ one: Int, _ other: Int, _ layer: PhysicalLayer, isEncrypted: Bool) -> TimeSpan {
        layer.airTime(payload: one, isEncrypted: isEncrypted) + layer.airTime(payload: other, isEncrypted: isEncrypted)
            + PhysicalLayer.gap * 2
    }
}
