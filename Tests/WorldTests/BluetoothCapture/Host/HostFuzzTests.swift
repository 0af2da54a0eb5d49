import MeshCapture
import MeshCompanion
import MeshTime
import Testing

@testable import BluetoothCapture

/// Bytes of any kind, from outside: nothing traps, and nothing grows.
@Suite struct HostFuzzTests {
    private static let kinds: [HostPacketHeader.Kind] = [.command, .event, .data, .data, .data, .adapter(opcode: 1)]

    private static func take(
        _ reader: inout HostReader<CountingSink>, _ redactor: inout KeyRedactor, _ bytes: [UInt8],
        _ kind: HostPacketHeader.Kind, _ stream: inout RandomStream
    ) {
        let record = RecordHeader(
            number: 1, offset: 0, nanoseconds: Int64(bitPattern: stream.next()), link: .h4,
            originalLength: bytes.count)
        let ways: [HostWay?] = [.sent, .received, nil]
        let header = HostPacketHeader(
            record: record, adapter: UInt16(stream.draw(0, 2)), kind: kind, way: ways[Int(stream.draw(0, 3))])
        reader.take(header, bytes.span)
        var copy = bytes
        _ = redactor.redact(header, &copy)
        #expect(copy.count == bytes.count)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `random packets are survived`(seed: UInt64) {
        var stream = Seed(seed).stream("packets")
        var reader = HostReader(CountingSink())
        var redactor = KeyRedactor()
        for _ in 0..<20_000 {
            var bytes = (0..<stream.draw(0, 40)).map { _ in stream.nextByte() }
            // Few handles and valid lengths, so that more than the first check is reached.
            if bytes.count > 9, stream.draw(0, 4) > 0 {
                bytes.replaceSubrange(0..<2, with: [0x40 + bytes[0] & 1, bytes[1] & 0x30])
                bytes.replaceSubrange(2..<4, with: [UInt8(bytes.count - 4), 0])
                bytes.replaceSubrange(4..<8, with: [UInt8(bytes.count - 8), 0, 4, 0])
            }
            Self.take(&reader, &redactor, bytes, Self.kinds[Int(stream.draw(0, 6))], &stream)
        }
        reader.finish()

        #expect(reader.finder.sink.count > 0)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `damaged, doubled and exchanged packets are survived`(seed: UInt64) {
        var stream = Seed(seed).stream("damage")
        var packets = PacketList()
        for part in 0..<10 as Range<UInt64> {
            let size: SyntheticCapture.FragmentSize = part.isMultiple(of: 2) ? .plain : .extended
            SyntheticCapture(SyntheticCaptureTests.random(seed * 100 + part), fragmentSize: size, mtu: 60)
                .write(into: &packets)
        }
        var reader = HostReader(CountingSink())
        var redactor = KeyRedactor()
        var position = 0
        while position < packets.all.count {
            var (kind, bytes) = packets.all[position]
            switch stream.draw(0, 10) {
            case 0: bytes[Int(stream.draw(0, UInt32(bytes.count)))] = stream.nextByte()
            case 1: bytes.removeLast(Int(stream.draw(0, UInt32(bytes.count))))
            case 2: position = max(0, position - 1 + Int(stream.draw(0, 3)))
            default: break
            }
            Self.take(&reader, &redactor, bytes, kind, &stream)
            position += 1
        }
        reader.finish()

        #expect(reader.finder.sink.frames > 0)
    }
}

/// Counts instead of keeping.
struct CountingSink: CaptureSink {
    var frames = 0
    var bytes = 0
    var count = 0

    mutating func frame(_ place: CapturePlace, _ direction: FrameDirection, _ bytes: Span<UInt8>, isJoined: Bool) {
        frames += 1
        self.bytes += bytes.count
    }

    mutating func event(_ place: CapturePlace, _ event: CaptureEvent) { count += 1 }
    mutating func note(_ problem: CaptureProblem) { count += 1 }
}

/// Keeps packets between hosts and controllers.
struct PacketList: HostPacketSink {
    var all: [(HostPacketHeader.Kind, [UInt8])] = []

    mutating func take(_ header: HostPacketHeader, _ bytes: Span<UInt8>) {
        all.append((header.kind, bytes.withUnsafeBufferPointer { [UInt8]($0) }))
    }

    mutating func note(_ problem: CaptureProblem) {}
}
