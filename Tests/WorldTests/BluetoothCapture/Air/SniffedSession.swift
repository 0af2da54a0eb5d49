import MeshTime
import MeshWire

@testable import BluetoothCapture

/// Makes a sniffer's packets of an app and a companion radio, as two link layers would send them.
///
/// Both sides alternate, count, repeat what was not acknowledged, fragment, pair and encrypt. The sent frames are
/// kept beside it, so that a reader can be compared with them.
struct SniffedSession {
    struct Packet {
        var nanoseconds: Int64
        var side: LinkSide?
        var channelIndex: UInt8
        /// From the access address to the check sum.
        var bytes: [UInt8]
        var isRepeated = false
    }

    struct Sent: Hashable {
        var connection: Int
        var side: LinkSide
        var channel: UInt16
        var payload: [UInt8]
        var isEncrypted: Bool
    }

    static let pin: UInt32 = 123_456
    /// Most significant byte first.
    static let longTermKey = FixedBytes<16>(0x10...0x1F)
    static let name = "MeshCore-alice"
    static let central: (address: UInt64, isRandom: Bool) = (0x5A11_2233_4455, true)
    static let peripheral: (address: UInt64, isRandom: Bool) = (0xC0FF_EE00_1122, true)
    static let uart: [UInt8] = [
        0x9E, 0xCA, 0xDC, 0x24, 0x0E, 0xE5, 0xA9, 0xE0, 0x93, 0xF3, 0xA3, 0xB5, 0x01, 0x00, 0x40, 0x6E,
    ]

    private(set) var packets: [Packet] = []
    private(set) var sent: [Sent] = []
    var interval: UInt16 = 24
    /// Every so many packets is sent twice; 0 for none.
    var repeatsEvery = 5
    private var random: RandomStream
    private var now: Int64 = 1_700_000_000_000_000_000
    private var connection = -1
    private var accessAddress: UInt32 = 0
    private var checkSumStart: UInt32 = 0
    private var sequence = (central: false, peripheral: false)
    private var cipher: LinkCipher?
    private var counters: (central: UInt64, peripheral: UInt64) = (0, 0)
    private var count = 0

    init(seed: UInt64) { random = Seed(seed).stream("sniffed") }
}

// Advertising
extension SniffedSession {
    mutating func advertise() {
        let service: [UInt8] = [0x02, 0x01, 0x06, 0x11, 0x07] + Self.uart
        let name = [UInt8(Self.name.utf8.count + 1), 0x09] + Array(Self.name.utf8)
        onAdvertisingChannel(0x40, Self.address(Self.peripheral.address) + service)
        onAdvertisingChannel(0x44, Self.address(Self.peripheral.address) + name)
        now += 100_000_000
    }

    mutating func connect() {
        connection += 1
        accessAddress = 0x5065_5D5A ^ UInt32(connection) << 8
        checkSumStart = UInt32(truncatingIfNeeded: random.next()) & 0xFF_FFFF
        sequence = (false, false)
        cipher = nil
        var body = Self.address(Self.central.address) + Self.address(Self.peripheral.address)
        body += accessAddress.littleEndianBytes + checkSumStart.littleEndianBytes.prefix(3)
        body += [0x02, 0x03, 0x00, UInt8(truncatingIfNeeded: interval), UInt8(interval >> 8), 0, 0, 0x48, 0x00]
        onAdvertisingChannel(0xC5, body + [0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 0x07])
        now += 30_000_000
    }

    /// Any packet of advertising, a while after the one before.
    mutating func onAir(
        _ first: UInt8, _ body: [UInt8], channelIndex: UInt8, accessAddress: UInt32 = 0x8E89_BED6,
        start: UInt32 = AirCheckSum.advertising, after microseconds: Int64 = 500
    ) {
        now += microseconds * 1000
        add(first, body, accessAddress, start, nil, channelIndex: channelIndex)
    }

    private mutating func onAdvertisingChannel(_ first: UInt8, _ body: [UInt8]) {
        add(first, body, 0x8E89_BED6, AirCheckSum.advertising, nil, channelIndex: 37)
        now += 500_000
    }

    private static func address(_ number: UInt64) -> [UInt8] {
        (0..<6).map { UInt8(truncatingIfNeeded: number >> UInt64($0 * 8)) }
    }

    private mutating func add(
        _ first: UInt8, _ body: [UInt8], _ accessAddress: UInt32, _ start: UInt32, _ side: LinkSide?,
        channelIndex: UInt8, isRepeated: Bool = false
    ) {
        let pdu = [first, UInt8(body.count)] + body
        let sum = AirCheckSum.of(pdu.span, start: start)
        let bytes = accessAddress.littleEndianBytes + pdu + sum.littleEndianBytes.prefix(3)
        packets.append(
            Packet(nanoseconds: now, side: side, channelIndex: channelIndex, bytes: bytes, isRepeated: isRepeated))
    }
}

// Data
extension SniffedSession {
    /// A whole L2CAP packet in fragments of at most 27 bytes.
    mutating func send(_ side: LinkSide, channel: UInt16 = 4, _ payload: [UInt8]) {
        sent.append(
            Sent(
                connection: connection, side: side, channel: channel, payload: payload, isEncrypted: cipher != nil))
        var rest = UInt16(payload.count).littleEndianBytes + channel.littleEndianBytes + payload
        var kind: UInt8 = 2
        while !rest.isEmpty {
            transmit(side, kind: kind, Array(rest.prefix(27)))
            rest.removeFirst(min(27, rest.count))
            kind = 1
        }
    }

    mutating func control(_ side: LinkSide, _ body: [UInt8]) { transmit(side, kind: 3, body) }

    /// Events of the connection until the packet is acknowledged: the central's packet, then the peripheral's.
    private mutating func transmit(_ side: LinkSide, kind: UInt8, _ body: [UInt8]) {
        count += 1
        let sealed = seal(side, kind, body)
        let times = repeatsEvery > 0 && count.isMultiple(of: repeatsEvery) ? 2 : 1
        for time in 0..<times {
            let begin = now
            let isRepeated = time > 0
            if side == .central {
                onDataChannel(.central, kind, sealed, isRepeated: isRepeated)
                // The answer to what was not heard does not come.
                if time == times - 1 { onDataChannel(.peripheral, 1, []) }
            } else {
                onDataChannel(.central, 1, [], isRepeated: isRepeated)
                onDataChannel(.peripheral, kind, sealed, isRepeated: isRepeated)
            }
            now = begin + Int64(interval) * 1_250_000
        }
        sequence = (!sequence.central, !sequence.peripheral)
    }

    private mutating func seal(_ side: LinkSide, _ kind: UInt8, _ body: [UInt8]) -> [UInt8] {
        guard let cipher else { return body }
        let counter = side == .central ? counters.central : counters.peripheral
        if side == .central { counters.central += 1 } else { counters.peripheral += 1 }
        return cipher.seal(body, header: kind, counter: counter, side)
    }

    private mutating func onDataChannel(_ side: LinkSide, _ kind: UInt8, _ body: [UInt8], isRepeated: Bool = false) {
        let isOne = side == .central ? sequence.central : sequence.peripheral
        let first = kind | (isOne ? 0x08 : 0) | (sequence.central ? 0 : 0x04)
        add(first, body, accessAddress, checkSumStart, side, channelIndex: UInt8(count % 37), isRepeated: isRepeated)
        now += Int64(150_000 + (body.count + 10) * 8_000)
    }
}

// Pairing and encryption
extension SniffedSession {
    /// Pairs in the old way, encrypts with the short term key, and sends the long term key.
    mutating func pair(pin: UInt32 = Self.pin, keySize: UInt8 = 16) {
        let request: [UInt8] = [0x01, 0x04, 0x00, 0x05, 0x10, 0x00, 0x01]
        let response: [UInt8] = [0x02, 0x00, 0x00, 0x05, keySize, 0x00, 0x01]
        let randoms = (central: block(), peripheral: block())
        let script = PairingScript(pin: pin, request: request, response: response)
        send(.central, channel: 6, request)
        send(.peripheral, channel: 6, response)
        send(.central, channel: 6, [0x03] + script.confirm(randoms.central))
        send(.peripheral, channel: 6, [0x03] + script.confirm(randoms.peripheral))
        send(.central, channel: 6, [0x04] + randoms.central)
        send(.peripheral, channel: 6, [0x04] + randoms.peripheral)
        encrypt(
            script.shortTermKey(central: randoms.central, peripheral: randoms.peripheral, size: Int(keySize)),
            random: 0, diversifier: 0)
        send(.peripheral, channel: 6, [0x06] + Self.longTermKey.array.reversed())
        send(.peripheral, channel: 6, [0x07, 0x34, 0x12, 1, 2, 3, 4, 5, 6, 7, 8])
    }

    mutating func encrypt(_ key: FixedBytes<16>, random number: UInt64, diversifier: UInt16) {
        let keyHalves = (central: random.next(), peripheral: random.next())
        let nonceHalves = (
            central: UInt32(truncatingIfNeeded: random.next()), peripheral: UInt32(truncatingIfNeeded: random.next())
        )
        let request = number.littleEndianBytes + diversifier.littleEndianBytes
        control(
            .central, [0x03] + request + keyHalves.central.littleEndianBytes + nonceHalves.central.littleEndianBytes)
        control(.peripheral, [0x04] + keyHalves.peripheral.littleEndianBytes + nonceHalves.peripheral.littleEndianBytes)
        control(.peripheral, [0x05])
        cipher = LinkCipher(longTermKey: key, keyHalves: keyHalves, nonceHalves: nonceHalves)
        counters = (0, 0)
        control(.central, [0x06])
        control(.peripheral, [0x06])
    }

    /// Turns a bit of the packet's payload.
    mutating func damage(_ index: Int) { packets[index].bytes[7] ^= 0x10 }

    mutating func terminate() { control(.central, [0x02, 0x13]) }

    private mutating func block() -> [UInt8] { random.next().littleEndianBytes + random.next().littleEndianBytes }
}

extension FixedWidthInteger {
    var littleEndianBytes: [UInt8] {
        (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) }
    }
}
