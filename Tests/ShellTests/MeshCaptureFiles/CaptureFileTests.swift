import BluetoothCapture
import Glibc
import MeshCapture
import MeshCaptureIO
import MeshTestSupport
import Testing

/// Captures of others on disk.
@Suite struct CaptureFileTests {
    /// Counts records and keeps problems.
    private struct Count: RecordSink {
        var records = 0
        var bytes = 0
        var problems: [CaptureProblem] = []

        mutating func take(_ header: RecordHeader, _ bytes: Span<UInt8>) {
            records += 1
            self.bytes += bytes.count
        }

        mutating func note(_ problem: CaptureProblem) {
            problems.append(problem)
        }
    }

    /// A pcap with as many equal records of 27 bytes.
    static func pcap(_ records: Int) throws -> [UInt8] {
        var file: [UInt8] = []
        let writer = try #require(PcapWriter(link: .h4WithDirection, keepsNanoseconds: false))
        writer.begin(into: &file)
        let bytes: [UInt8] = [
            0, 0, 0, 0, 2, 0x40, 0, 0x12, 0, 0x0E, 0, 4, 0, 0x52, 9, 0, 1, 3, 32, 32, 32, 32, 32, 32, 0x61, 0x62, 0x63,
        ]
        for number in 0..<records {
            let header = RecordHeader(
                number: number, offset: 0, nanoseconds: 1_700_000_000_000_000_000, link: .h4WithDirection,
                originalLength: 27)
            try writer.write(header, bytes.span, into: &file)
        }
        return file
    }

    private func reading(_ bytes: [UInt8]) throws -> (format: CaptureFormat?, count: Count) {
        let path = "/tmp/capture-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        defer { unlink(path) }
        let file = try #require(fopen(path, "wx"))
        #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
        fclose(file)
        var count = Count()
        let format = try CaptureFile(path).read(into: &count)
        return (format, count)
    }

    @Test func `a capture larger than what is read at once is read whole`() throws {
        let (format, count) = try reading(Self.pcap(60_000))

        #expect(format == .pcap)
        #expect(count.records == 60_000)
        #expect(count.bytes == 60_000 * 27)
        #expect(count.problems.isEmpty)
    }

    @Test func `a packed capture is read like any other, in one member or in several`() throws {
        let file = try Self.pcap(60_000)
        let one = try reading(gzip(file))
        let several = try reading(gzip(Array(file[..<500])) + gzip(Array(file[500...])) + [0, 0, 0])

        for (format, count) in [one, several] {
            #expect(format == .pcap)
            #expect(count.records == 60_000)
            #expect(count.problems.isEmpty)
        }
    }

    @Test func `what unpacks to far more than recorded traffic does is left out behind a bound`() throws {
        let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
        // A frame of zlib has two bytes in front and four behind; the sum of gzip is not reached.
        let zeros = try #require(Packing.deflated([UInt8](repeating: 0, count: 160 << 20))).dropFirst(2).dropLast(4)
        let path = "/tmp/capture-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        defer { unlink(path) }
        let file = try #require(fopen(path, "wx"))
        #expect(fwrite(head + zeros, 1, head.count + zeros.count, file) == head.count + zeros.count)
        fclose(file)
        var count = 0

        let problem = try CaptureFile(path).stream { bytes in
            count += bytes.count
            return true
        }

        #expect(problem?.reason == "the packed file unpacks to more than 64 MiB and 100 times its size")
        #expect(count > 64 << 20 && count <= 64 << 20 + 100 * (head.count + zeros.count))
        #expect(zeros.count < 1 << 20)
    }

    @Test func `a capture that was really packed is unpacked`() throws {
        let (format, count) = try reading(Self.packed)

        #expect(format == .pcap)
        #expect(count.records == 4000)
        #expect(count.problems.isEmpty)
    }

    @Test func `a packed capture that is cut is read up to there`() throws {
        let packed = gzip(try Self.pcap(100))

        let (_, count) = try reading(Array(packed.dropLast(1000)))

        #expect(count.records == 76)
        #expect(
            count.problems == [
                CaptureProblem(offset: 3332, "the packed file ends too early, after \(packed.count - 1000) bytes"),
                CaptureProblem(offset: 24 + 76 * 43, number: 77, "the file ends after 40 of 43 bytes"),
            ])
    }

    @Test func `a packed capture with damage is read up to there, and the damage is named by its place`() throws {
        var packed = Self.packed
        packed[packed.count - 8] ^= 1

        let (_, count) = try reading(packed)

        #expect(count.records == 4000)
        let place = "the packing is damaged at byte \(packed.count - 4) of the packed file: incorrect data check"
        #expect(count.problems == [CaptureProblem(offset: 24 + 4000 * 43, place)])
    }

    @Test func `what is no capture is said to be none`() throws {
        let empty = try reading([])
        let text = try reading(Array("Dear diary, today nothing happened.".utf8))
        let packedTwice = try reading(gzip(gzip([1, 2, 3])))

        #expect(empty.format == nil && text.format == nil && packedTwice.format == nil)
        #expect(empty.count.problems.map(\.reason) == ["0 bytes are no capture"])
        #expect(text.count.problems.map(\.reason) == ["the first bytes are those of no capture"])
        #expect(packedTwice.count.problems.map(\.reason) == ["is packed with gzip"])
    }

    @Test func `a file that is not there, and a directory, are errors with their path`() {
        var count = Count()
        #expect(throws: CaptureFileError("/nowhere/a.pcap", "No such file or directory")) {
            _ = try CaptureFile("/nowhere/a.pcap").read(into: &count)
        }
        #expect(throws: CaptureFileError("/", "Is a directory")) { _ = try CaptureFile("/").read(into: &count) }
    }

    /// A pcap of 4,000 equal records, packed by another program.
    static let packed: [UInt8] = {
        let hex = """
            1f8b0800000000000203edcabb0d83501045c1e59390103825a1146ac01518e4c2dc825b2022a7112a78f8215303c91c69b5
            37986df97ecaa8e32aa588358ffdf9ceaffb5fae1ce211ed0f8f4d14557ff69a661445511445511445511445511445511445
            5114455114455114455114455114455114455114455114455114455114455114455114455114455114455114455114455114
            4551144551144551144551144551144551144551144551144551144551144551144551144551144551144551144551144551
            1445511445511445511445511445511445511445511445511445511445511445511445511445511445511445511445511445
            5114455114455114455114455114455114455114455114455114455114455114455114455114455114455114455114455114
            4551144551144551144551144551144551144551144551144551144551144551144551144551144551144551144551144551
            1445511445511445511445511445511445511445511445511445511445511445511445511445511445511445511445511445
            5114455114455114455114455114455114455114455114455114455114455114455114455114455114455114455114455114
            4551144551144551144551144551144551144551144551144551144551144551144551144551144551144551144551144551
            1445511445511445511445511445511445511445511445511445511445511445511445511445511445511445511445511445
            5114455114455114455114455114455114455114455114455114455114455114bd9d1ed8dc1f54f89f0200
            """
        let digits = hex.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }()
}
