import MeshCompanion
import MeshTime
import Testing

/// Source of the rows that name it: the firmware's own test of its modem, 1.17.1, `test_kiss_modem`.
@Suite struct KISSFramingTests {
    @Test(
        arguments: [
            // PingResponseKeepsStandardKissFraming
            (ModemFrameType.setHardware, [0x97], [0xC0, 0x06, 0x97, 0xC0]),
            // QueuedEncoderEscapesKissSpecialBytes
            (.data, [0xC0, 0xDB, 0x01], [0xC0, 0x00, 0xDB, 0xDC, 0xDB, 0xDD, 0x01, 0xC0]),
            // The bytes behind an escape are as good as any without one.
            (.data, [0xDC, 0xDD], [0xC0, 0x00, 0xDC, 0xDD, 0xC0]),
            (.data, [], [0xC0, 0x00, 0xC0]),
        ] as [(ModemFrameType, [UInt8], [UInt8])])
    func `marks and escapes are escaped inside a frame`(type: ModemFrameType, data: [UInt8], bytes: [UInt8]) {
        #expect(KISSFraming.encode(type, data) == bytes)
    }

    @Test func `the longest packet of nothing but marks is doubled, and is read again`() {
        let packet = [UInt8](repeating: KISSFraming.mark, count: KISSFraming.longestPacket)

        let bytes = KISSFraming.encode(.data, packet)

        #expect(bytes.count == 2 * packet.count + 3)
        #expect(frames(in: bytes) == [[0] + packet])
    }

    @Test func `frames are the same whole, byte by byte and with one mark between two`() {
        let bytes: [UInt8] = [0xC0, 0x06, 0x17, 0xC0, 0x00, 0xDB, 0xDC, 0xC0]
        let wanted: [[UInt8]] = [[0x06, 0x17], [0x00, 0xC0]]

        #expect(frames(in: bytes) == wanted)
        #expect(frames(in: bytes, chunk: 1) == wanted)
    }

    @Test(
        arguments: [
            // What comes before the first mark is noise.
            ([0x06, 0x17, 0xC0, 0x06, 0x11, 0xC0], [[0x06, 0x11]]),
            // An escape before another byte swallows it.
            ([0xC0, 0x00, 0xDB, 0x01, 0x02, 0xC0], [[0x00, 0x02]]),
            // A second escape changes nothing.
            ([0xC0, 0x00, 0xDB, 0xDB, 0xDC, 0xC0], [[0x00, 0xC0]]),
            // An escape does not reach over a mark.
            ([0xC0, 0x00, 0xDB, 0xC0, 0xDC, 0xC0], [[0x00], [0xDC]]),
            // Marks alone are no frame.
            ([0xC0, 0xC0, 0xC0], []),
        ] as [([UInt8], [[UInt8]])])
    func `bytes that make no frame are passed over as the firmware does`(bytes: [UInt8], wanted: [[UInt8]]) {
        #expect(frames(in: bytes) == wanted)
        #expect(frames(in: bytes, chunk: 1) == wanted)
    }

    @Test func `a frame beyond the limit is forgotten up to the next mark`() {
        let longest = [UInt8](repeating: 1, count: KISSFraming.longestFrame)

        #expect(frames(in: [0xC0] + longest + [0xC0]) == [longest])
        #expect(frames(in: [0xC0] + longest + [1, 2, 3, 0xC0, 0x06, 0x17, 0xC0]) == [[0x06, 0x17]])
    }

    @Test func `what is encoded is what is read, whatever the bytes`() {
        var draw = Seed(3).stream("frames")
        for _ in 0..<500 {
            let data = (0..<draw.draw(0, 256)).map { _ in
                draw.draw(0, 3) == 0 ? 0xC0 + draw.nextByte() % 0x20 : draw.nextByte()
            }

            #expect(frames(in: KISSFraming.encode(.setHardware, data)) == [[6] + data])
        }
    }

    private func frames(in bytes: [UInt8], chunk: Int = .max) -> [[UInt8]] {
        var receiver = KISSReceiver()
        var found: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            _ = receiver.append([UInt8](rest.prefix(chunk)))
            rest = rest.dropFirst(chunk)
            while let frame = receiver.nextFrame() { found.append(frame) }
        }
        return found
    }
}
