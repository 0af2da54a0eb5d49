import MeshTime
import MeshWire
import Testing

@testable import MeshBluetoothHost

/// Packets on one way, each behind its type (H4). Source: Bluetooth Core, Vol 4 Part A.
@Suite struct PacketReaderTests {
    private static let packets: [[UInt8]] = [
        [1, 0x03, 0x0C, 0], [2, 0x40, 0x20, 3, 0, 7, 8, 9], [3, 0x40, 0, 2, 1, 2], [4, 0x0E, 4, 1, 3, 0x0C, 0],
        [5, 0x40, 0, 1, 0x40, 9], [2, 0x40, 0x10, 0, 0],
    ]

    private static func read(_ stream: [UInt8], by size: Int) throws -> [[UInt8]] {
        var reader = HCI.PacketReader()
        var packets: [[UInt8]] = []
        for start in stride(from: 0, to: stream.count, by: size) {
            reader.append([UInt8](stream[start..<min(start + size, stream.count)]).span)
            while let packet = try reader.next() { packets.append(packet) }
        }
        #expect(reader.waiting == 0)
        return packets
    }

    @Test(arguments: [1, 2, 3, 5, 7, 100])
    func `packets are found wherever the stream is cut`(size: Int) throws {
        #expect(try Self.read(Self.packets.flatMap { $0 }, by: size) == Self.packets)
    }

    @Test func `an unknown type is an error, and stays one`() throws {
        var reader = HCI.PacketReader()
        reader.append(([4, 0x10, 1, 0] + [9, 1, 2, 3]).span)

        #expect(try reader.next() == [4, 0x10, 1, 0])
        let error = #expect(throws: FrameError.self) { try reader.next() }
        #expect(error?.field == "packet_type" && error?.offset == 4)
        #expect(error?.reason == .unknownCode(9))
        reader.append([4, 0x10, 1, 0].span)
        #expect(throws: FrameError.self) { try reader.next() }
        #expect(reader.waiting == 0)
    }

    @Test func `a packet beyond the limit is an error before it has come`() throws {
        var reader = HCI.PacketReader(limit: 1021)
        reader.append([2, 0x40, 0x20, 0xFE, 0x03].span)

        let error = #expect(throws: FrameError.self) { try reader.next() }

        #expect(error?.reason == .tooLong(count: 1022, limit: 1021))
    }
}
