import MeshBluetoothHost
import MeshTime
import Testing

/// The limits of a link, counted by hand.
@Suite struct RequestResponseLimitTests {
    /// A frame of one byte, and one of so many bytes back: 8 and 7 + n bytes of L2CAP.
    @Test(
        arguments: [
            // 107 bytes in one packet beside the 5 of the write response.
            (24, PhysicalLayer.le1M, 251, nil, 100, 2),
            // 183 bytes in seven packets of 27 at most, 708 µs each, and one of 5: 532 µs. All within 7.5 ms.
            (6, .le1M, 27, nil, 176, 2),
            // Four packets an event: eight of them in two events.
            (24, .le1M, 27, 4, 176, 3),
            // One packet an event, as the first phones had it.
            (24, .le1M, 27, 1, 100, 1 + 1 + 4),
        ] as [(UInt16, PhysicalLayer, Int, Int?, Int, Int)])
    func `an exchange takes the events that its packets need`(
        units: UInt16, layer: PhysicalLayer, longest: Int, packets: Int?, response: Int, events: Int
    ) {
        let limit = RequestResponseLimit(
            interval: .microseconds(Int(units) * 1250), layer: layer, longestPayload: longest, packetsPerEvent: packets)

        #expect(limit.events(request: 1, response: response) == events)
    }

    @Test func `the rest of a radio counts where it is longer than the events`() {
        let exchanges = (0..<10).map { _ in (request: 1, response: 100) }
        func time(_ interval: Int, rest: Int) -> TimeSpan {
            RequestResponseLimit(interval: .milliseconds(interval), rest: .milliseconds(rest))
                .time(exchanges: exchanges)
        }

        #expect(time(15, rest: 60) == .milliseconds(600))
        #expect(time(30, rest: 60) == .milliseconds(600))
        #expect(time(50, rest: 60) == .milliseconds(1000))
        #expect(time(30, rest: 0) == .milliseconds(600))
    }

    @Test func `a pair of packets and its gaps take what the parts take`() {
        #expect(RequestResponseLimit.pairTime(27, 0, .le1M, isEncrypted: true) == .microseconds(708))
        #expect(RequestResponseLimit.pairTime(251, 0, .le2M, isEncrypted: true) == .microseconds(1064 + 44 + 300))
    }
}
