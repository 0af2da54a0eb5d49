import MeshBluetoothHost
import MeshWire
import Testing

@testable import BluetoothCapture

/// The functions of the old pairing, against figures of others, and the search of a PIN.
@Suite struct LegacyPairingTests {
    private func bytes<let size: Int>(_ hex: String) -> FixedBytes<size> { FixedBytes(hex: hex) ?? FixedBytes() }

    /// Bluetooth Core, Vol 3 Part H, 2.2.3: the values of the text's example.
    @Test func `c1 is that of the specification`() {
        let confirm = LegacyPairing.confirm(
            key: LegacyPairing.key(pin: 0), random: bytes("5783d52156ad6f0e6388274ec6702ee0"),
            request: bytes("07071000000101"), response: bytes("05000800000302"),
            initiator: AirAddress(number: 0xA1A2_A3A4_A5A6, isRandom: true),
            responder: AirAddress(number: 0xB1B2_B3B4_B5B6, isRandom: false))

        #expect(confirm.array.hex == "1e1e3fef878988ead2a74dc5bef13b86")
    }

    /// Bluetooth Core, Vol 3 Part H, 2.2.4.
    @Test func `s1 is that of the specification`() {
        let key = LegacyPairing.shortTermKey(
            key: LegacyPairing.key(pin: 0), responder: bytes("000f0e0d0c0b0a091122334455667788"),
            initiator: bytes("010203040506070899aabbccddeeff00"))

        #expect(key.array.hex == "9a1fe1f0e8b0f49b5b4216ae796da062")
    }

    @Test func `a PIN is found by trying, and the search tells how far it is`() throws {
        var session = SniffedSession(seed: 3)
        session.connect()
        session.pair(pin: 23_456)
        let pairing = try #require(session.read(.bare).pairings.first)
        var seen: [UInt32] = []

        let pin = pairing.findPIN { next in
            seen.append(next)
            return true
        }

        #expect(pin == 23_456)
        #expect(seen == [0, 10_000, 20_000])
        #expect(pairing.findPIN(in: 0..<23_456) == nil)
        #expect(pairing.findPIN { $0 < 20_000 } == nil)
        #expect(pairing.findPIN(in: 23_400..<5_000_000) == 23_456)
    }

    @Test func `a PIN with a short key reads what follows`() {
        var session = SniffedSession(seed: 4)
        session.connect()
        session.pair(keySize: 7)

        let reader = session.read(.telling, AirOptions(pin: SniffedSession.pin))

        #expect(reader.sink.payloads == session.sent)
    }

    @Test func `a pairing without a PIN is read without being told one`() {
        var session = SniffedSession(seed: 5)
        session.connect()
        session.pair(pin: 0)

        #expect(session.read(.telling).sink.payloads == session.sent)
    }

    @Test func `a PIN is tried where nothing was heard that it can be checked against`() throws {
        var session = SniffedSession(seed: 6)
        session.connect()
        session.pair()

        let reader = session.read(.telling, AirOptions(pin: SniffedSession.pin)) { index, _ in index > 0 }

        #expect(reader.sink.opened.map(\.isInTheMiddle) == [true])
        #expect(reader.sink.payloads == session.sent)
        let pairing = try #require(reader.pairings.first)
        #expect(pairing.matches(pin: SniffedSession.pin) == nil)
        #expect(pairing.findPIN() == nil)
    }

    @Test func `Secure Connections say that nothing can be read`() {
        var session = SniffedSession(seed: 7)
        session.connect()
        session.send(.central, channel: 6, [0x01, 0x04, 0x00, 0x0D, 0x10, 0x00, 0x01])
        session.send(.peripheral, channel: 6, [0x02, 0x00, 0x00, 0x0D, 0x10, 0x00, 0x01])
        session.send(.central, channel: 6, [0x0C] + [UInt8](repeating: 7, count: 64))

        let reader = session.read(.telling, AirOptions(pin: SniffedSession.pin))

        #expect(reader.sink.events == [.pairing(.secureConnections)])
        #expect(reader.pairings.isEmpty)
    }
}
