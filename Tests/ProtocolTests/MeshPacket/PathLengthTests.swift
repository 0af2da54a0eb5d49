import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

@Suite struct PathLengthTests {
    @Test(.proves("OTA-002"), arguments: OTAVectors.all.tables.pathLen)
    func `a path_len byte says hash size, hops and bytes`(row: OTAVectors.PathLengthRow) throws {
        let byte = try #require([UInt8](hex: row.byte)?.first)

        let length = PathLength(rawValue: byte)

        #expect(length.hashSize == row.hashSize)
        #expect(length.hopCount == row.count)
        #expect(length.byteCount == row.bytes)
        #expect(length.isValid == row.valid)
        #expect(PathLength(hashSize: row.hashSize, hops: row.count) == length)
    }

    @Test(.proves("OTA-002")) func `every path_len byte is taken or refused by the radio as its table says`() {
        for byte in UInt8.min...UInt8.max {
            let length = PathLength(rawValue: byte)
            let frame: [UInt8] = [0x09, byte] + [UInt8](repeating: 0x11, count: length.byteCount)
            let view = try? PacketView(frame)
            #expect((view != nil) == length.isValid, "\(byte)")
            #expect(view?.path.count ?? length.byteCount == length.byteCount)
        }
    }

    @Test func `the unknown path is no valid path`() {
        #expect(PathLength.unknown.isUnknown)
        #expect(!PathLength.unknown.isValid)
        #expect(PathLength.unknown.rawValue == 0xFF)
        #expect(PathLength.empty.isValid)
    }
}
