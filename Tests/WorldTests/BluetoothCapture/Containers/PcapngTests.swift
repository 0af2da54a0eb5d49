import MeshCapture
import Testing

@testable import BluetoothCapture

/// The blocks of pcapng. Source: CaptureFormats, "pcapng" and "Byte examples".
@Suite struct PcapngTests {
    private static let nano: [UInt8] = [9]

    @Test func `the example with an interface in nanoseconds and a packet with flags is read`() {
        var file = CaptureBytes()
        file.section()
        file.add(
            bytes(
                """
                01 00 00 00 28 00 00 00 c9 00 00 00 ff ff 00 00 02 00 04 00 68 63 69 30 09 00 01 00 09 00 00 00 \
                00 00 00 00 28 00 00 00
                """))
        file.add(
            bytes("06 00 00 00 48 00 00 00 00 00 00 00 fe 9c 97 17 7b 00 2a 36 1b 00 00 00 1b 00 00 00")
                + Example.sent + bytes("00 02 00 04 00 02 00 00 00 00 00 00 00 48 00 00 00"))

        let log = RecordLog.reading(file.file)

        #expect(log.problems.isEmpty)
        let header = RecordHeader(
            number: 1, offset: 68, nanoseconds: 0x1797_9CFE_362A_007B, link: .h4WithDirection, originalLength: 27,
            way: .sent)
        #expect(log.headers == [header])
        #expect(log.bytes == Example.sent)
    }

    @Test func `every section has its own byte order and its own interfaces`() {
        var file = CaptureBytes()
        file.section()
        file.interface(201)
        file.interface(272)
        file.packet(1, ticks: 1, Example.nordic1)
        file.isBig = true
        file.section()
        file.interface(251)
        file.packet(0, ticks: 2, Example.air, flags: 1)
        file.packet(1, ticks: 3, Example.nordic1)
        file.isBig = false
        file.section()
        file.interface(187)
        file.packet(0, ticks: 4, [2] + Example.data, flags: 2)

        let log = RecordLog.reading(file.file)

        #expect(log.headers.map(\.link) == [.nordicSniffer, .lowEnergy, .h4])
        #expect(log.headers.map(\.interface) == [1, 0, 0])
        #expect(log.headers.map(\.nanoseconds) == [1000, 2000, 4000])
        #expect(log.headers.map(\.way) == [nil, .received, .sent])
        #expect(log.headers.map(\.number) == [1, 2, 4])
        #expect(log.problems.map(\.reason) == ["there is no interface 1"])
        #expect(log.problems.map(\.number) == [3])
    }

    @Test(
        arguments: [
            // Option value, ticks, nanoseconds.
            (nil, 7, 7000), (0, 3, 3_000_000_000), (3, 3, 3_000_000), (6, 7, 7000), (9, 7, 7), (12, 7123, 7),
            (28, 1 << 63, 0), (29, 1 << 63, 0), (127, .max, 0), (0x80, 5, 5_000_000_000), (0x81, 5, 2_500_000_000),
            (0x9E, 1 << 30, 1_000_000_000), (0xC0, 1 << 63, 500_000_000), (0xC1, 1 << 63, 250_000_000), (0xFF, .max, 0),
            (0xA0, .max, 4_294_967_295_999_999_999), (9, 1 << 63, nil), (0, .max, nil), (0x80, .max, nil),
        ] as [(UInt8?, UInt64, Int64?)])
    func `an interface's resolution gives the time`(resolution: UInt8?, ticks: UInt64, time: Int64?) {
        var file = CaptureBytes()
        file.section()
        file.interface(201) { if let resolution { $0.option(9, [resolution]) } }
        file.packet(0, ticks: ticks, Example.sent)

        let log = RecordLog.reading(file.file)

        #expect(log.headers.map(\.nanoseconds) == [time])
        #expect(log.problems.map(\.reason) == (time == nil ? ["the time is out of range"] : []))
    }

    @Test(arguments: [(Int64(100), Int64(100_000_007_000) as Int64?), (-1, -999_993_000), (.max, nil)])
    func `an interface's offset is added to the time`(seconds: Int64, time: Int64?) {
        var file = CaptureBytes()
        file.section()
        file.interface(201) {
            $0.option(3, Array("described".utf8))
            $0.option(14, withUnsafeBytes(of: seconds.littleEndian) { Array($0) })
        }
        file.packet(0, ticks: 7, Example.sent)

        #expect(RecordLog.reading(file.file).headers.map(\.nanoseconds) == [time])
    }

    @Test func `simple packets have the first interface, no time, and what is kept of them`() {
        var file = CaptureBytes()
        file.section()
        file.interface(251, snapLength: 16)
        file.simplePacket(Array(Example.air.prefix(16)), original: 27)
        file.simplePacket([1, 2, 3])

        let log = RecordLog.reading(file.file)

        #expect(log.problems.isEmpty)
        #expect(log.headers.map(\.nanoseconds) == [nil, nil])
        #expect(log.headers.map(\.originalLength) == [27, 3])
        #expect(log.record(0) == Array(Example.air.prefix(16)))
        #expect(log.record(1) == [1, 2, 3])
    }

    @Test func `obsolete packets are read and other blocks are stepped over`() {
        var file = CaptureBytes()
        file.section()
        file.block(0x0BAD, [UInt8](repeating: 1, count: 3_000_000))
        file.interface(254)
        file.block(4, [])
        file.obsoletePacket(0, ticks: 1 << 32 | 5, Example.data)
        file.block(5, [UInt8](repeating: 0, count: 20))

        let log = RecordLog.reading(file.file, pieces: [100_000])

        #expect(log.problems.isEmpty)
        #expect(log.headers.map(\.link) == [.linuxMonitor])
        #expect(log.headers.map(\.nanoseconds) == [4_294_967_301_000])
        #expect(log.bytes == Example.data)
    }

    @Test func `damage inside of a block does not end the file`() {
        var file = CaptureBytes()
        file.section()
        file.interface(201)
        file.packet(0, ticks: 1, Example.sent, captured: 300)
        file.packet(0, ticks: 2, Example.sent, behind: 13)
        file.block(6, [1, 2, 3, 4])
        file.block(6, [UInt8](repeating: 1, count: 1 << 20))
        file.packet(0, ticks: 3, Example.received)

        let log = RecordLog.reading(file.file)

        #expect(log.headers.map(\.number) == [2, 5])
        #expect(
            log.problems.map(\.reason) == [
                "a packet of 300 bytes is damage", "the lengths in front of a packet block and behind it differ",
                "a packet block of 16 bytes is left out", "a packet block of 1048588 bytes is left out",
            ])
    }

    @Test(arguments: [8, 62])
    func `a block length that cannot be ends the file`(length: Int) {
        var file = CaptureBytes()
        file.section()
        file.interface(201)
        file.packet(0, ticks: 1, Example.sent)
        file.packet(0, ticks: 2, Example.sent, length: length)
        file.packet(0, ticks: 3, Example.sent)

        let log = RecordLog.reading(file.file)

        #expect(log.headers.count == 1)
        #expect(
            log.problems == [
                CaptureProblem(offset: 108, "a block of \(length) bytes is damage; the rest is left")
            ])
    }

    @Test func `an interface that cannot be read keeps its number`() {
        var file = CaptureBytes()
        file.section()
        file.block(1, [1, 2, 3, 4])
        file.interface(201)
        file.packet(1, ticks: 2, Example.sent)

        #expect(RecordLog.reading(file.file).headers.map(\.link) == [.h4WithDirection])
    }
}
