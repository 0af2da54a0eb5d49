import MeshBluetoothHost
import MeshCapture
import Testing

@testable import BluetoothCapture

/// The containers of captures, by files made byte by byte. Source: CaptureFormats, "Containers" and "Byte examples".
@Suite struct ContainerReaderTests {
    @Test(arguments: [false, true], [UInt32(0xA1B2_C3D4), 0xA1B2_3C4D])
    func `pcap is read in both byte orders, in microseconds and in nanoseconds`(isBig: Bool, magic: UInt32) {
        var file = CaptureBytes.pcap(201, isBig: isBig, magic: magic)
        file.pcapRecord(1_700_000_002, 77, Example.sent)
        file.pcapRecord(1_700_000_003, 5, Example.received, original: 99)

        let log = RecordLog.reading(file.file)

        let tick: Int64 = magic == 0xA1B2_C3D4 ? 1000 : 1
        #expect(log.problems.isEmpty)
        #expect(log.headers.map(\.number) == [1, 2])
        #expect(log.headers.map(\.offset) == [24, 24 + 16 + 27])
        #expect(
            log.headers.map(\.nanoseconds) == [
                1_700_000_002_000_000_000 + 77 * tick, 1_700_000_003_000_000_000 + 5 * tick,
            ])
        #expect(log.headers.map(\.originalLength) == [27, 99])
        #expect(log.headers.map(\.link) == [.h4WithDirection, .h4WithDirection])
        #expect(log.record(0) == Example.sent)
        #expect(log.record(1) == Example.received)
    }

    @Test func `a fraction of a second above one is carried over`() {
        var file = CaptureBytes.pcap(201)
        file.pcapRecord(10, 2_500_000, Example.sent)

        #expect(RecordLog.reading(file.file).headers.map(\.nanoseconds) == [12_500_000_000])
    }

    @Test func `the upper half of the link type's word is masked`() {
        var file = CaptureBytes.pcap(0x2400_00C9)
        file.pcapRecord(1, 1, Example.sent)

        #expect(RecordLog.reading(file.file).headers.map(\.link) == [.h4WithDirection])
    }

    @Test(arguments: [1, 15, 16, 20, 42])
    func `a pcap that ends in the middle of a record is read up to there, and the cut is named`(left: Int) {
        var file = CaptureBytes.pcap(201)
        file.pcapRecord(1, 1, Example.sent)
        let whole = file.file.count
        file.pcapRecord(1, 1, Example.sent)

        let log = RecordLog.reading(Array(file.file[..<(whole + left)]))

        #expect(log.headers.count == 1)
        let wanted = left < 16 ? 16 : 43
        #expect(
            log.problems == [
                CaptureProblem(offset: UInt64(whole), number: 2, "the file ends after \(left) of \(wanted) bytes")
            ])
    }

    @Test func `a length above the limit ends a pcap`() {
        var file = CaptureBytes.pcap(201)
        file.pcapRecord(1, 1, Example.sent)
        file.add(bytes("00000000 00000000 01000400 01000400"))
        file.pcapRecord(1, 1, Example.sent)

        let log = RecordLog.reading(file.file)

        #expect(log.headers.count == 1)
        #expect(
            log.problems == [
                CaptureProblem(offset: 67, number: 2, "a record of 262145 bytes is damage; the rest is left")
            ])
    }

    @Test func `the longest record is read`() {
        var file = CaptureBytes.pcap(201)
        file.pcapRecord(1, 1, [UInt8](repeating: 7, count: 262_144))

        let log = RecordLog.reading(file.file, pieces: [4096])

        #expect(log.problems.isEmpty)
        #expect(log.bytes.count == 262_144)
    }

    @Test func `the example of btsnoop type 1002 is read`() {
        let file =
            bytes("62 74 73 6e 6f 6f 70 00 00 00 00 01 00 00 03 ea")
            + bytes("00 00 00 17 00 00 00 17 00 00 00 00 00 00 00 00 00 e2 e7 d7 27 6c 44 80 02") + Example.data

        let log = RecordLog.reading(file)

        #expect(log.problems.isEmpty)
        let header = RecordHeader(
            number: 1, offset: 16, nanoseconds: 1_700_000_002_000_000_000, link: .h4, originalLength: 23, way: .sent)
        #expect(log.headers == [header])
        #expect(log.bytes == [2] + Example.data)
    }

    @Test func `the example of btsnoop type 2001 is read`() {
        let file =
            bytes("62 74 73 6e 6f 6f 70 00 00 00 00 01 00 00 07 d1")
            + bytes("00 00 00 16 00 00 00 16 00 00 00 04 00 00 00 00 00 e2 e7 d7 27 6c 44 80") + Example.data

        let log = RecordLog.reading(file)

        #expect(log.problems.isEmpty)
        let header = RecordHeader(
            number: 1, offset: 16, nanoseconds: 1_700_000_002_000_000_000, link: .linuxMonitorByFlags,
            originalLength: 22, kind: 4)
        #expect(log.headers == [header])
        #expect(log.bytes == Example.data)
    }

    @Test(arguments: [
        (UInt32(1003), "btsnoop of type 1003 (HCI over BCSP) is not read"),
        (1004, "btsnoop of type 1004 (HCI over H5) is not read"),
        (2002, "btsnoop of type 2002 (a simulator's) is not read"), (7, "btsnoop of type 7 (unknown) is not read"),
    ])
    func `other kinds of btsnoop are refused by name`(type: UInt32, reason: String) {
        var file = CaptureBytes.btsnoop(type)
        file.btsnoopRecord(1, flags: 0, Example.data)

        let log = RecordLog.reading(file.file)

        #expect(log.headers.isEmpty)
        #expect(log.problems == [CaptureProblem(offset: 0, reason)])
    }

    @Test func `btsnoop of another version is refused`() {
        let log = RecordLog.reading(CaptureBytes.btsnoop(1002, version: 2).file)

        #expect(log.problems == [CaptureProblem(offset: 0, "btsnoop of version 2 is not known")])
    }

    @Test func `records that a recorder lost are named`() {
        var file = CaptureBytes.btsnoop(1002)
        file.btsnoopRecord(1, flags: 0, [2] + Example.data)
        file.btsnoopRecord(2, flags: 0, [2] + Example.data, drops: 3)
        file.btsnoopRecord(3, flags: 0, [2] + Example.data, drops: 3)

        let log = RecordLog.reading(file.file)

        #expect(log.headers.count == 3)
        #expect(log.problems == [CaptureProblem(offset: 63, number: 2, "the recorder lost 3 records before this")])
    }

    @Test func `the little-endian example of PacketLogger is read`() {
        let log = RecordLog.reading(bytes("1f 00 00 00 02 f1 53 65 4d 00 00 00 02") + Example.data)

        #expect(log.problems.isEmpty)
        let header = RecordHeader(
            number: 1, offset: 0, nanoseconds: 1_700_000_002_000_077_000, link: .packetLogger, originalLength: 22,
            way: .sent, kind: 2)
        #expect(log.headers == [header])
        #expect(log.bytes == Example.data)
    }

    @Test func `the big-endian example of PacketLogger is read`() {
        let log = RecordLog.reading(bytes("00 00 00 1f 65 53 f1 02 00 00 00 4d 02") + Example.data)

        #expect(log.problems.isEmpty)
        #expect(log.headers.map(\.nanoseconds) == [1_700_000_002_000_077_000])
        #expect(log.bytes == Example.data)
    }

    @Test func `a PacketLogger file is told by its first five records`() {
        var good = CaptureBytes()
        for type: UInt8 in [0, 1, 2, 3, 0xFC] { good.packetLoggerRecord(1, 999_999, type, Example.data) }
        var bad = good
        // The sixth may be of any type, and its time odd.
        good.packetLoggerRecord(1, 1_000_000, 0x55, Example.data)
        bad = CaptureBytes()
        for type: UInt8 in [0, 1, 2, 3, 0x55] { bad.packetLoggerRecord(1, 999_999, type, Example.data) }

        #expect(RecordLog.reading(good.file).headers.map(\.kind) == [0, 1, 2, 3, 0xFC, 0x55])
        #expect(
            RecordLog.reading(bad.file).problems == [
                CaptureProblem(offset: 0, "the first bytes are those of no capture")
            ])
    }

    @Test func `what is no capture is refused in words`() {
        let reasons = [
            [], [1, 2], bytes("1f8b0800 00000000"), Array("hello, world, this is text".utf8), Array("btsn".utf8),
        ]
        .map { RecordLog.reading($0).problems }

        #expect(
            reasons.map { $0.map(\.reason) } == [
                ["0 bytes are no capture"], ["2 bytes are no capture"], ["is packed with gzip"],
                ["the first bytes are those of no capture"], ["is cut in its first word"],
            ])
    }

    @Test func `damage all over a file is named a thousand times, then no more`() {
        var file = CaptureBytes()
        file.section()
        for _ in 0..<1200 { file.packet(3, ticks: 1, [1, 2, 3]) }

        let log = RecordLog.reading(file.file)

        #expect(log.problems.count == 1001)
        #expect(log.problems.last?.reason == "there are more problems than the 1000 named")
    }
}
