import MeshTime
import MeshWire
import Testing

@testable import BluetoothCapture

/// The check sum of the link layer.
@Suite struct AirCheckSumTests {
    /// An advertisement of the Nordic UART service and a data packet, both from 0x555555; checked with another decoder.
    @Test(arguments: [
        "401b55443322110002010611079ecadc240ee5a9e093f3a3b50100406eb579a4",
        "02120e0004005209000103202020202020616263b3b6a2",
    ])
    func `the sum of known packets is theirs`(hex: String) throws {
        let packet = try #require([UInt8](hex: hex))
        let covered = Array(packet.dropLast(3))

        let sum = AirCheckSum.of(covered.span, start: AirCheckSum.advertising)

        #expect(sum.littleEndianBytes.prefix(3) == packet.suffix(3))
    }

    @Test func `what a sum started from is found again`() {
        var random = Seed(9).stream("sums")
        for length in 0..<64 {
            let packet = (0..<length).map { _ in random.nextByte() }
            let start = random.nextU32() & 0xFF_FFFF

            let sum = AirCheckSum.of(packet.span, start: start)

            #expect(AirCheckSum.start(of: packet.span, sum: sum) == start)
        }
    }
}
