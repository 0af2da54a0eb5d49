import MeshBluetoothHost
import MeshWire
import Testing

@testable import BluetoothCapture

/// What the PIN of a legacy pairing opens.
@Suite struct LegacyPairingTests {
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
