import BluetoothCapture
import MeshWire

// The story of an app that meets a radio, pairs, reads, leaves and comes back.
extension SniffedSession {
    static let rx: UInt16 = 12
    static let tx: UInt16 = 9
    /// APP_START of an app called "abc", and frames of every length up to the longest.
    static let commands: [[UInt8]] = [[0x01, 0x03] + Array("      abc".utf8), [0x05], [0x16, 0x03], [0x0A]]
    static let answers: [[UInt8]] = [
        [0x05] + (0..<70).map { UInt8($0) }, [0x09, 0x78, 0x56, 0x34, 0x12], [0x0D] + (0..<80).map { UInt8($0) },
        [0x0A],
    ]

    static func whole(seed: UInt64, repeatsEvery: Int = 5) -> SniffedSession {
        var session = SniffedSession(seed: seed)
        session.repeatsEvery = repeatsEvery
        session.advertise()
        session.connect()
        session.discover()
        session.pair()
        session.talk()
        session.terminate()
        session.advertise()
        session.connect()
        session.encrypt(longTermKey, random: 0x0807_0605_0403_0201, diversifier: 0x1234)
        session.talk()
        session.terminate()
        return session
    }

    /// The MTU, the service and its characteristics, and a write that is refused before the pairing.
    mutating func discover() {
        send(.central, [0x02, 0x05, 0x02])
        send(.peripheral, [0x03, 0xB0, 0x00])
        send(.central, [0x10, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28])
        send(.peripheral, [0x11, 0x14, 0x07, 0x00, 0x0C, 0x00] + Self.uart)
        send(.central, [0x08, 0x07, 0x00, 0x0C, 0x00, 0x03, 0x28])
        send(.peripheral, [0x09, 0x15] + declaration(8, 0x10, Self.tx, 3) + declaration(11, 0x0C, Self.rx, 2))
        send(.central, [0x12, 0x0A, 0x00, 0x01, 0x00])
        send(.peripheral, [0x01, 0x12, 0x0A, 0x00, 0x05])
    }

    mutating func talk() {
        send(.central, [0x12, 0x0A, 0x00, 0x01, 0x00])
        send(.peripheral, [0x13])
        for (command, answer) in zip(Self.commands, Self.answers) {
            send(.central, [0x52] + Self.rx.littleEndianBytes + command)
            send(.peripheral, [0x1B] + Self.tx.littleEndianBytes + answer)
        }
    }

    private func declaration(_ handle: UInt16, _ properties: UInt8, _ value: UInt16, _ number: UInt8) -> [UInt8] {
        var uuid = Self.uart
        uuid[12] = number
        return handle.littleEndianBytes + [properties] + value.littleEndianBytes + uuid
    }
}
