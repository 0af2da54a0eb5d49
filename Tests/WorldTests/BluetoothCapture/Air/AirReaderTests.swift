import MeshBluetoothHost
import MeshWire
import Testing

@testable import BluetoothCapture

/// Whole sessions as sniffers hear them.
@Suite struct AirReaderTests {
    private let session = SniffedSession.whole(seed: 1)

    @Test(arguments: Sniffer.allCases)
    func `with the PIN, a pairing and everything after it are read`(sniffer: Sniffer) {
        let reader = session.read(sniffer, AirOptions(pin: SniffedSession.pin))

        #expect(reader.sink.payloads == session.sent)
        #expect(reader.sink.events == [.pairing(.legacy(pin: SniffedSession.pin))])
        #expect(reader.sink.encrypted == [true, true])
        #expect(reader.sink.closed == [0x13, 0x13])
        #expect(reader.sink.losses.isEmpty)
        #expect(reader.sink.isFinished)
    }

    @Test(arguments: Sniffer.allCases)
    func `with the long term key alone, later connections are read`(sniffer: Sniffer) {
        let reader = session.read(sniffer, AirOptions(keys: [SniffedSession.longTermKey]))

        #expect(reader.sink.payloads == session.sent.filter { !$0.isEncrypted || $0.connection == 1 })
        #expect(reader.sink.encrypted == [false, true])
        #expect(reader.sink.closed == [nil, 0x13])
    }

    @Test(arguments: Sniffer.allCases)
    func `without a key it says since when how much is encrypted`(sniffer: Sniffer) throws {
        let reader = session.read(sniffer)

        #expect(reader.sink.payloads == session.sent.filter { !$0.isEncrypted })
        #expect(reader.sink.encrypted == [false, false])
        let unreadable = reader.sink.events.compactMap { event -> UnreadablePackets? in
            if case .unreadable(let packets) = event { packets } else { nil }
        }
        let first = try #require(unreadable.first)
        #expect(unreadable.count == 2)
        // Both answers to the start, two keys, the talk in 15 fragments, and the end.
        #expect(first.packets == 20)
        #expect(first.sinceNanoseconds == session.packets[first.sinceRecord - 1].nanoseconds)
        #expect(reader.counts.unreadable == unreadable.reduce(0) { $0 + $1.packets })
    }

    @Test func `a wrong PIN reads nothing, and is not taken for the right one`() {
        let reader = session.read(.telling, AirOptions(pin: 654_321))

        #expect(reader.sink.events.first == .pairing(.legacy(pin: nil)))
        #expect(reader.sink.payloads == session.sent.filter { !$0.isEncrypted })
    }

    @Test func `names are known before the connection`() {
        let reader = session.read(.bare)

        let advertiser = reader.advertisers.first
        #expect(reader.advertisers.count == 1)
        #expect(advertiser?.name == SniffedSession.name)
        #expect(advertiser?.hasNordicUART == true)
        #expect(advertiser?.packets == 4)
        #expect(reader.sink.opened.map(\.peerName) == [SniffedSession.name, SniffedSession.name])
        #expect(reader.sink.opened.first?.peer == BluetoothAddress(number: 0xC0FF_EE00_1122, isRandom: true))
        #expect(reader.sink.opened.map(\.isInTheMiddle) == [false, false])
    }

    @Test func `what was sent twice is read once`() {
        let repeated = session.packets.count { $0.isRepeated && $0.bytes.count > 9 }
        let reader = session.read(.telling, AirOptions(pin: SniffedSession.pin))

        #expect(repeated > 10)
        #expect(reader.counts.retransmissions == repeated)
    }
}
