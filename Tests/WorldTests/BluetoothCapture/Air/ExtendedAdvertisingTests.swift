import MeshBluetoothHost
import MeshTime
import MeshWire
import Testing

@testable import BluetoothCapture

/// Extended advertising: pointers, chains, trains, and the connections that begin on other channels
/// (Bluetooth Core, Vol 6 Part B, 2.3 and 4.4).
@Suite struct ExtendedAdvertisingTests {
    /// A packet of extended advertising, as its fields.
    struct Extended {
        var mode: UInt8 = 0
        var address: UInt64?
        var set: UInt16?
        /// Channel, microseconds.
        var pointer: (channel: UInt8, offset: Int)?
        var train: (accessAddress: UInt32, start: UInt32)?
        var hasPower = false
        var data: [UInt8] = []

        var body: [UInt8] {
            var flags: UInt8 = 0
            var fields: [UInt8] = []
            if let address {
                flags |= 0x01
                fields += address.littleEndianBytes.prefix(6)
            }
            if let set {
                flags |= 0x08
                fields += set.littleEndianBytes
            }
            if let pointer {
                flags |= 0x10
                let word = UInt32(pointer.channel) | UInt32(pointer.offset / 30) << 8
                fields += word.littleEndianBytes.prefix(3)
            }
            if let train {
                flags |= 0x20
                fields += [0, 0, 80, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F] + train.accessAddress.littleEndianBytes
                fields += train.start.littleEndianBytes.prefix(3) + [0, 0]
            }
            if hasPower {
                flags |= 0x40
                fields.append(8)
            }
            let header = flags == 0 ? [] : [flags] + fields
            return [mode << 6 | UInt8(header.count)] + header + data
        }
    }

    static let address = SniffedSession.peripheral.address
    static let uart: [UInt8] = [17, 0x07] + SniffedSession.uart
    static let name = [UInt8(SniffedSession.name.utf8.count + 1), 0x09] + Array(SniffedSession.name.utf8)

    /// The same on the three advertising channels.
    private static func announce(_ session: inout SniffedSession, _ packet: Extended) {
        for channel in 37...39 as ClosedRange<UInt8> { session.onAir(0x47, packet.body, channelIndex: channel) }
    }

    @Test(arguments: Sniffer.allCases)
    func `a name in the packet that is pointed to is that of the peer`(sniffer: Sniffer) {
        var session = SniffedSession(seed: 51)
        Self.announce(&session, Extended(mode: 1, set: 0x1234, pointer: (9, 1500)))
        session.onAir(
            0x47, Extended(mode: 1, address: Self.address, set: 0x1234, data: Self.uart + Self.name).body,
            channelIndex: 9)
        session.connect()

        let reader = session.read(sniffer)

        #expect(reader.advertisers.map(\.name) == [SniffedSession.name])
        #expect(reader.advertisers.map(\.hasNordicUART) == [true])
        #expect(reader.sink.opened.map(\.peerName) == [SniffedSession.name])
        #expect(reader.waiting.packets == 0)
        #expect(reader.counts.badCheckSums == 0)
    }

    @Test(arguments: Sniffer.allCases)
    func `data in a chain is put together, and the address may stand in the first packet alone`(sniffer: Sniffer) {
        var session = SniffedSession(seed: 52)
        let data = Self.uart + Self.name
        Self.announce(&session, Extended(address: Self.address, set: 0x1234, pointer: (9, 1500)))
        session.onAir(0x07, Extended(set: 0x1234, pointer: (20, 900), data: [UInt8](data[..<10])).body, channelIndex: 9)
        session.onAir(
            0x07, Extended(set: 0x1234, pointer: (30, 900), hasPower: true, data: [UInt8](data[10..<22])).body,
            channelIndex: 20)
        session.onAir(0x07, Extended(set: 0x1234, data: [UInt8](data[22...])).body, channelIndex: 30)

        let reader = session.read(sniffer)

        #expect(reader.advertisers.map(\.name) == [SniffedSession.name])
        #expect(reader.advertisers.map(\.hasNordicUART) == [true])
        #expect(reader.advertisers.first?.packets == 6)
        #expect(reader.waiting.packets == 0)
    }

    @Test func `a packet that nothing pointed to is nobody's`() {
        for (set, channel, wait) in [(0x4321, 9, 500), (0x1234, 10, 500), (0x1234, 9, 3_000_000)] {
            var session = SniffedSession(seed: 53)
            Self.announce(&session, Extended(address: Self.address, set: 0x1234, pointer: (9, 1500)))
            session.onAir(
                0x07, Extended(set: UInt16(set), data: Self.name).body, channelIndex: UInt8(channel),
                after: Int64(wait))

            #expect(session.read(.telling).advertisers.map(\.name) == [nil], "\(set) \(channel) \(wait)")
        }
    }

    @Test func `the sets of two devices do not mix`() {
        var session = SniffedSession(seed: 54)
        let other: UInt64 = 0xC111_2222_3333
        Self.announce(&session, Extended(set: 0x1234, pointer: (9, 5000)))
        Self.announce(&session, Extended(address: other, set: 0x1234, pointer: (9, 5000)))
        session.onAir(0x47, Extended(address: Self.address, set: 0x1234, data: Self.name).body, channelIndex: 9)
        session.onAir(0x47, Extended(set: 0x1234, data: [4, 0x09] + Array("Bob".utf8)).body, channelIndex: 9)

        let reader = session.read(.telling)

        #expect(reader.advertisers.count == 2)
        for advertiser in reader.advertisers {
            #expect(advertiser.name == (advertiser.address.number == other ? "Bob" : SniffedSession.name))
        }
    }

    @Test func `an answer to a scan has its own address`() {
        var session = SniffedSession(seed: 55)
        Self.announce(&session, Extended(mode: 2, set: 0x1234, pointer: (9, 1500)))
        session.onAir(0x47, Extended(mode: 2, address: Self.address, set: 0x1234).body, channelIndex: 9)
        session.onAir(
            0x47, Extended(mode: 0, address: Self.address, set: 0x1234, data: Self.name).body, channelIndex: 9)

        #expect(session.read(.telling).advertisers.map(\.name) == [SniffedSession.name])
    }

    @Test func `a train of periodic advertising is no connection`() {
        var session = SniffedSession(seed: 56)
        let train: (accessAddress: UInt32, start: UInt32) = (0x1234_5678, 0xABCDEF)
        Self.announce(&session, Extended(address: Self.address, set: 0x1234, pointer: (9, 1500)))
        session.onAir(0x07, Extended(set: 0x1234, train: train).body, channelIndex: 9)
        for channel in 3..<6 as Range<UInt8> {
            session.onAir(
                0x07, Extended(data: Self.name).body, channelIndex: channel, accessAddress: train.accessAddress,
                start: train.start)
        }

        for sniffer in Sniffer.allCases {
            let reader = session.read(sniffer)
            #expect(reader.sink.opened.isEmpty)
            #expect(reader.advertisers.map(\.name) == [SniffedSession.name])
            #expect(reader.counts.badCheckSums == 0)
        }
    }

    @Test func `an advertisement to one device has an address and no data`() {
        var session = SniffedSession(seed: 57)
        session.onAir(
            0x41, Array(Self.address.littleEndianBytes.prefix(6)) + Array(Self.name.prefix(6)), channelIndex: 37)

        let reader = session.read(.bare)
        #expect(reader.advertisers.map(\.address.number) == [Self.address])
        #expect(reader.advertisers.map(\.name) == [nil])
    }

    @Test func `fields that are not whole are counted, and nothing grows`() {
        var session = SniffedSession(seed: 58)
        let whole = Extended(
            address: Self.address, set: 1, pointer: (9, 600), train: (0x1111_1111, 5), hasPower: true, data: []
        ).body
        for count in 0..<whole.count { session.onAir(0x07, [UInt8](whole[..<count]), channelIndex: 37) }
        let cut = whole.count
        var stream = Seed(58).stream("noise")
        for number in 0..<3000 as Range<UInt64> {
            let packet = Extended(
                address: number % 3 == 0 ? nil : 0xC000_0000_0000 | number,
                set: UInt16(truncatingIfNeeded: stream.next()),
                pointer: (UInt8(stream.draw(0, 37)), 600), train: (UInt32(truncatingIfNeeded: stream.next()), 5),
                data: (0..<stream.draw(0, 200)).map { _ in stream.nextByte() })
            session.onAir(0x07, packet.body, channelIndex: UInt8(number % 40))
        }

        let reader = session.read(.telling)

        #expect(reader.counts.cut == cut)
        #expect(reader.waiting.packets <= 2 * AdvertisingChains.limit)
        #expect(reader.waiting.bytes <= AdvertisingChains.limit * AdvertisedFacts.longestData)
        #expect(reader.advertisers.count == AdvertiserTable.limit)
    }
}
