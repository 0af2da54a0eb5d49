import MeshCompanion
import MeshTime
import MeshWire
import Testing

/// Together 10^7 random and mutated bytes through framers and decoders.
@Suite struct HostileBytesTests {
    @Test func `random bytes through the serial receiver neither trap nor grow`() {
        Self.flood(SerialReceiver(), marker: 0x3C, seed: "serial")
    }

    @Test func `random bytes through the Wi-Fi receiver neither trap nor grow`() {
        Self.flood(WifiReceiver(), marker: 0x3C, seed: "wifi")
    }

    @Test func `random bytes through the client's receiver neither trap nor grow`() {
        Self.flood(ClientReceiver(), marker: 0x3E, seed: "client")
    }

    @Test func `mutated frames are read, refused or printed, and never trap`() {
        var random = Seed(3).stream("mutated")
        let vectors = CompanionVectors.stored.frames
        var total = 0
        while total < 4_000_000 {
            let vector = vectors[Int(random.draw(0, UInt32(vectors.count)))]
            var bytes = vector.bytes
            for _ in 0..<random.draw(1, 4) { bytes[Int(random.draw(0, UInt32(bytes.count)))] = random.nextByte() }
            if random.draw(0, 4) == 0 { bytes.removeLast(Int(random.draw(0, UInt32(bytes.count)))) }
            total += bytes.count

            let frame = vector.isCommand ? try? CompanionFrame.command(bytes) : try? CompanionFrame.fromRadio(bytes)
            if let again = frame?.encoded, again.count > bytes.count { Issue.record("\(bytes.hex) grew") }
            if random.draw(0, 64) == 0 { _ = FramePrinter.printed(bytes).description }
        }
    }

    /// Random bytes, with whole and broken headers strewn in so that all states are met.
    static func flood<R: StreamReceiver>(_ start: R, marker: UInt8, seed: String) {
        var receiver = start
        var random = Seed(3).stream(seed)
        var total = 0
        var frames = 0
        var piece = [UInt8](repeating: 0, count: 512)
        while total < 2_000_000 {
            piece.withUnsafeMutableBytes { random.fill($0) }
            for index in stride(from: 0, to: 500, by: 50) where random.draw(0, 2) == 0 {
                piece[index] = marker
                piece[index + 1] = random.nextByte()
                piece[index + 2] = random.draw(0, 20) == 0 ? 1 : 0
            }
            let taken = receiver.append(piece)
            total += piece.count
            while let frame = receiver.nextFrame() {
                frames += 1
                if frame.isEmpty || frame.count > 300 { Issue.record("a frame of \(frame.count) bytes") }
            }
            // A connection that is dead for good is closed by its client.
            if taken == 0 { receiver.reset() }
        }
        #expect(frames > 50)
    }
}
