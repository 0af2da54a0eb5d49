import Testing

@testable import BluetoothCapture

/// One device's traffic out of an adapter's.
@Suite struct PeerFilterTests {
    static let peer: [UInt8] = [0xC0, 0x11, 0x22, 0x33, 0x44, 0x55]

    static func complete(_ handle: UInt8, _ address: [UInt8], status: UInt8 = 0) -> [UInt8] {
        [0x3E, 19, 0x01, status, handle, 0, 0, 1] + address.reversed() + [0, 0, 0, 0, 0, 0, 0]
    }

    /// Returns the verdicts of a filter on these packets, each a type of H4 and its bytes.
    static func verdicts(_ packets: [(UInt8, [UInt8])], _ link: LinkType) -> [Bool] {
        guard var filter = PeerFilter(peer: peer) else { return [] }
        return packets.map { type, bytes in
            let opcode: UInt8 = type == 4 ? 3 : type == 2 ? 5 : 2
            let flags: UInt32 = type == 1 ? 2 : type == 2 ? 1 : 3
            let logged: UInt32 = type == 1 ? 0 : type == 2 ? 3 : 1
            let (head, kind): ([UInt8], UInt32) =
                switch link {
                case .linuxMonitor: ([0, 1, 0, opcode], 0)
                case .linuxMonitorByFlags: ([], 1 << 16 | UInt32(opcode))
                case .h4WithDirection: ([0, 0, 0, type == 1 ? 0 : 1, type], 0)
                case .h4: ([type], 0)
                case .hciByFlags: ([], flags)
                case .packetLogger: ([], logged)
                default: ([], 0)
                }
            let record = head + bytes
            let header = RecordHeader(
                number: 1, offset: 0, nanoseconds: 0, link: link, originalLength: record.count, kind: kind)
            return filter.keeps(header, record.span)
        }
    }

    @Test(arguments: [LinkType.h4, .h4WithDirection, .linuxMonitor, .hciByFlags, .linuxMonitorByFlags, .packetLogger])
    func `data of the device's connections is kept, that of others and of earlier ones is not`(link: LinkType) {
        let data = { (handle: UInt8) -> (UInt8, [UInt8]) in (2, [handle, 0x20, 1, 0, 0]) }

        let verdicts = Self.verdicts(
            [
                data(0x40), (1, [0x03, 0x0C, 0]), (4, Self.complete(0x40, Self.peer)),
                (4, Self.complete(0x41, [1, 2, 3, 4, 5, 6])), data(0x40), data(0x41),
                (4, [0x05, 4, 0, 0x40, 0, 0x13]), data(0x40), (4, Self.complete(0x42, Self.peer, status: 2)),
                data(0x42),
            ], link)

        #expect(verdicts == [false, true, true, true, true, false, true, false, true, false])
    }

    @Test func `a handle that another device gets is another device's`() {
        let verdicts = Self.verdicts(
            [
                (4, Self.complete(0x40, Self.peer)), (4, Self.complete(0x40, [1, 2, 3, 4, 5, 6])),
                (2, [0x40, 0x20, 1, 0, 0]),
            ], .h4WithDirection)

        #expect(verdicts == [true, true, false])
    }

    @Test func `short and strange records are kept, and end nothing`() {
        let long = Self.complete(0x40, Self.peer)
        let links: [LinkType] = [
            .h4, .h4WithDirection, .linuxMonitor, .hciByFlags, .linuxMonitorByFlags, .packetLogger, .lowEnergy,
        ]
        for link in links {
            for count in 0...long.count {
                #expect(Self.verdicts([(4, Array(long.prefix(count)))], link) == [true])
            }
            #expect(Self.verdicts([(2, []), (9, [1])], link) == [true, true])
        }
    }

    @Test func `adapters of one capture have their own connections`() throws {
        var filter = try #require(PeerFilter(peer: Self.peer))
        func keeps(_ interface: UInt16, _ type: UInt8, _ bytes: [UInt8]) -> Bool {
            let header = RecordHeader(
                number: 1, offset: 0, nanoseconds: 0, link: .h4WithDirection, originalLength: 0, interface: interface)
            return filter.keeps(header, ([0, 0, 0, 1, type] + bytes).span)
        }

        #expect(keeps(1, 4, Self.complete(0x40, Self.peer)))
        #expect(keeps(1, 2, [0x40, 0x20, 1, 0, 0]))
        #expect(!keeps(0, 2, [0x40, 0x20, 1, 0, 0]))
        // Another adapter's reset.
        #expect(keeps(0, 1, [0x03, 0x0C, 0]) && keeps(1, 2, [0x40, 0x20, 1, 0, 0]))
        #expect(keeps(1, 1, [0x03, 0x0C, 0]) && !keeps(1, 2, [0x40, 0x20, 1, 0, 0]))
    }

    @Test func `an address has six bytes`() {
        #expect(PeerFilter(peer: [1, 2, 3]) == nil)
    }
}
