import MeshCapture
import MeshTime
import Testing

@testable import BluetoothCapture

/// Records that are written, and read again as they were.
///
/// Source: CaptureFormats, "Containers".
@Suite struct WriterTests {
    /// Random records of a link type, with all that the formats keep.
    private func records(_ link: LinkType, _ seed: UInt64, count: Int = 60) -> [(RecordHeader, [UInt8])] {
        var random = Seed(seed).stream("records")
        return (1...count).map { number in
            let length = Int(random.draw(0, 9) == 0 ? random.draw(0, 70_000) : random.draw(1, 300))
            var bytes = (0..<length).map { _ in random.nextByte() }
            if link == .h4 && !bytes.isEmpty { bytes[0] = UInt8(random.draw(1, 5)) }
            let type = link == .h4 ? bytes.first ?? 0 : 0
            let isReceived = random.draw(0, 2) == 0
            var header = RecordHeader(
                number: number, offset: 0, nanoseconds: Int64(random.nextU32()) * 1_000_000_007, link: link,
                originalLength: length + (random.draw(0, 4) == 0 ? Int(random.draw(0, 5000)) : 0))
            switch link {
            case .h4:
                header.way = isReceived ? .received : .sent
                header.kind = (isReceived ? 1 : 0) | (type == 1 || type == 4 ? 2 : 0)
            case .hciByFlags:
                header.kind = random.draw(0, 4)
                header.way = header.kind & 1 == 0 ? .sent : .received
            case .linuxMonitorByFlags: header.kind = random.nextU32()
            default: break
            }
            return (header, bytes)
        }
    }

    private func file(_ writer: some RecordWriter, _ records: [(RecordHeader, [UInt8])]) throws -> [UInt8] {
        var writer = writer
        var file: [UInt8] = []
        writer.begin(into: &file)
        for (header, bytes) in records { try writer.write(header, bytes, into: &file) }
        return file
    }

    private func expect(
        _ log: RecordLog, _ records: [(RecordHeader, [UInt8])], time: (Int64) -> Int64 = { $0 },
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(log.problems.isEmpty, sourceLocation: sourceLocation)
        var expected = records.map(\.0)
        for index in expected.indices {
            expected[index].offset = index < log.headers.count ? log.headers[index].offset : 0
            expected[index].nanoseconds = expected[index].nanoseconds.map(time)
        }
        #expect(log.headers == expected, sourceLocation: sourceLocation)
        #expect(log.bytes == records.flatMap(\.1), sourceLocation: sourceLocation)
    }

    @Test(arguments: [LinkType.h4WithDirection, .linuxMonitor, .lowEnergyWithRadio, .other(5)], 0..<4 as Range<UInt64>)
    func `pcap keeps bytes, lengths and times`(link: LinkType, seed: UInt64) throws {
        let records = records(link, seed)

        let nano = try file(try #require(PcapWriter(link: link)), records)
        let micro = try file(try #require(PcapWriter(link: link, keepsNanoseconds: false)), records)

        expect(.reading(nano), records)
        expect(.reading(micro), records) { $0 / 1000 * 1000 }
    }

    @Test(arguments: [LinkType.h4, .hciByFlags, .linuxMonitorByFlags], 0..<4 as Range<UInt64>)
    func `btsnoop keeps bytes, lengths, flags and times`(link: LinkType, seed: UInt64) throws {
        let records = records(link, seed)

        let file = try file(try #require(BtsnoopWriter(link: link)), records)

        expect(.reading(file), records) { $0 / 1000 * 1000 }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `pcapng keeps records of several link types and adapters`(seed: UInt64) throws {
        var random = Seed(seed).stream("mixture")
        let links: [LinkType] = [.h4WithDirection, .lowEnergy, .nordicSniffer, .linuxMonitor]
        var interfaces: [LinkType] = []
        var records: [(header: RecordHeader, bytes: [UInt8])] = []
        for link in links { records += self.records(link, seed, count: 20).map { (header: $0.0, bytes: $0.1) } }
        records.shuffle(using: &random)
        for index in records.indices {
            records[index].header.number = index + 1
            records[index].header.way = [nil, .sent, .received][Int(random.draw(0, 3))]
            if random.draw(0, 5) == 0 { records[index].header.nanoseconds = nil }
            if !interfaces.contains(records[index].header.link) { interfaces.append(records[index].header.link) }
        }

        let log = RecordLog.reading(try file(PcapngWriter(comment: "synthetic"), records.map { ($0.header, $0.bytes) }))

        #expect(log.problems.isEmpty)
        #expect(log.bytes == records.flatMap(\.bytes))
        #expect(log.headers.map(\.link) == records.map(\.header.link))
        #expect(log.headers.map(\.way) == records.map(\.header.way))
        #expect(log.headers.map(\.originalLength) == records.map(\.header.originalLength))
        #expect(log.headers.map { Int($0.interface) } == records.map { interfaces.firstIndex(of: $0.header.link) })
        // A record without a time becomes a simple packet where it can, else one of 1970.
        #expect(log.headers.map { $0.nanoseconds ?? 0 } == records.map { $0.header.nanoseconds ?? 0 })
    }

    @Test func `pcapng is written as others write it`() throws {
        var writer = PcapngWriter(comment: "synthetic")
        var file: [UInt8] = []
        writer.begin(into: &file)
        let start = file.count
        let header = RecordHeader(
            number: 1, offset: 0, nanoseconds: 0x1797_9CFE_362A_007B, link: .h4WithDirection, originalLength: 27,
            way: .sent)
        let sent = Example.sent
        try writer.write(header, sent, into: &file)

        let blocks = bytes(
            """
            01 00 00 00 28 00 00 00 c9 00 00 00 00 00 04 00 02 00 04 00 68 63 69 30 09 00 01 00 09 00 00 00
            00 00 00 00 28 00 00 00
            06 00 00 00 48 00 00 00 00 00 00 00 fe 9c 97 17 7b 00 2a 36 1b 00 00 00 1b 00 00 00
            """)
        let tail = bytes("00 02 00 04 00 02 00 00 00 00 00 00 00 48 00 00 00")
        #expect(Array(file[start...]) == blocks + Example.sent + tail)
        #expect(String(decoding: file[..<start], as: UTF8.self).contains("synthetic"))
    }

    @Test func `a record without a time is a simple packet block, in bytes too`() throws {
        var writer = PcapngWriter()
        var file: [UInt8] = []
        writer.begin(into: &file)
        let header = RecordHeader(
            number: 1, offset: 0, nanoseconds: nil, link: .h4WithDirection, originalLength: 27)
        try writer.write(header, Example.sent, into: &file)

        let block = bytes("03 00 00 00 2c 00 00 00 1b 00 00 00") + Example.sent + bytes("00 2c 00 00 00")
        #expect(Array(file.suffix(block.count)) == block)
        #expect(block.count == 0x2C)
    }

    @Test func `simple packet blocks of all paddings are read as they were written, among others`() throws {
        let records = (0..<12).map { number in
            let length = number == 11 ? 262_144 : number
            var header = RecordHeader(
                number: number + 1, offset: 0, nanoseconds: nil, link: .h4WithDirection, originalLength: length)
            // Time, direction and length on the wire have no place in a simple packet.
            if number == 3 { header.nanoseconds = 7 }
            if number == 4 { header.way = .sent }
            if number == 5 { header.originalLength = 100 }
            if number == 6 { header.link = .linuxMonitor }
            return (header, [UInt8](repeating: UInt8(number), count: length))
        }

        let log = RecordLog.reading(try file(PcapngWriter(), records), pieces: [7, 100])

        #expect(log.problems.isEmpty)
        #expect(log.headers.count == 12)
        // Not compared in the expectation, which would look for what differs in a quarter of a million bytes.
        let isSame = log.bytes == records.flatMap(\.1)
        #expect(isSame)
        for (read, written) in zip(log.headers, records.map(\.0)) {
            let isSimple = ![4, 5, 6, 7].contains(written.number)
            #expect(read.nanoseconds == (isSimple ? nil : written.nanoseconds ?? 0), "\(written.number)")
            #expect(read.way == written.way && read.originalLength == written.originalLength)
            #expect(read.link == written.link && read.interface == (written.number == 7 ? 1 : 0))
        }
    }

    @Test func `a time before 1970 fits into btsnoop alone`() throws {
        let header = RecordHeader(number: 7, offset: 0, nanoseconds: -1, link: .h4, originalLength: 1, way: .sent)
        var file: [UInt8] = []
        var btsnoop = try #require(BtsnoopWriter(link: .h4))
        btsnoop.begin(into: &file)
        try btsnoop.write(header, [3], into: &file)

        #expect(RecordLog.reading(file).headers.map(\.nanoseconds) == [-1000])
        #expect(throws: CaptureProblem(offset: 0, number: 7, "pcap has times from 1970 to 2106")) {
            var pcap = try #require(PcapWriter(link: .h4))
            try pcap.write(header, [3], into: &file)
        }
        #expect(throws: CaptureProblem(offset: 0, number: 7, "the time is before 1970")) {
            var pcapng = PcapngWriter()
            try pcapng.write(header, [3], into: &file)
        }
    }

    @Test func `what a format cannot hold is refused`() throws {
        let long = [UInt8](repeating: 0, count: 262_145)
        let header = RecordHeader(number: 1, offset: 0, nanoseconds: 0, link: .h4, originalLength: 1)
        var file: [UInt8] = []

        #expect(PcapWriter(link: .hciByFlags) == nil)
        #expect(BtsnoopWriter(link: .lowEnergy) == nil)
        for (link, bytes) in [(LinkType.h4, long), (.h4, [1, 2]), (.lowEnergy, [1])] {
            var writer = try #require(PcapWriter(link: link))
            #expect(throws: CaptureProblem.self) { try writer.write(header, bytes, into: &file) }
        }
        #expect(throws: CaptureProblem.self) {
            var writer = PcapngWriter()
            var header = header
            header.link = .packetLogger
            try writer.write(header, [1], into: &file)
        }
        #expect(file.isEmpty)
    }

    @Test(arguments: [LinkType.h4WithDirection, .h4, .linuxMonitor, .linuxMonitorByFlags, .hciByFlags])
    func `a packet that is wrapped in a link type comes out as it was`(link: LinkType) throws {
        var encoder = try #require(LinkEncoder(link, LinkDecoder(PacketLog())))
        let record = RecordHeader(number: 1, offset: 0, nanoseconds: 9, link: .packetLogger, originalLength: 30)
        let packets: [(HostPacketHeader.Kind, HostWay, [UInt8])] = [
            (.command, .sent, [3, 0x0C, 0]), (.event, .received, [5, 4, 0, 0x40, 0, 0x13]),
            (.data, .sent, Example.data),
            (.data, .received, Example.receivedData),
        ]
        for (kind, way, bytes) in packets {
            encoder.take(HostPacketHeader(record: record, kind: kind, way: way), bytes)
        }

        let log = encoder.sink.sink
        #expect(log.problems.isEmpty)
        #expect(log.hosts.map(\.header.kind) == packets.map(\.0))
        #expect(log.hosts.map(\.header.way) == packets.map(\.1))
        #expect(log.hosts.map(\.bytes) == packets.map(\.2))
        #expect(log.hosts.allSatisfy { $0.header.record.originalLength == 30 })
    }

    @Test func `the air has no packets of hosts`() {
        #expect(LinkEncoder(.lowEnergy, RecordLog()) == nil)
    }
}
