import MeshCompanion
import MeshTestSupport
import MeshTime
import MeshWire
import Testing

@Suite struct StreamTests {
    @Test func `there are 11 recorded streams`() {
        #expect(CompanionVectors.stored.framing.count == 11)
    }

    @Test(arguments: CompanionVectors.stored.framing)
    func `a recorded stream is answered as recorded, whole`(_ stream: CompanionVectors.Stream) {
        #expect(answer(stream, pieces: [stream.toRadio]) == stream.bytesToApp)
    }

    @Test(arguments: CompanionVectors.stored.framing)
    func `a recorded stream is answered as recorded, byte by byte`(_ stream: CompanionVectors.Stream) {
        #expect(answer(stream, pieces: stream.toRadio.map { [$0] }) == stream.bytesToApp)
    }

    @Test(arguments: CompanionVectors.stored.framing)
    func `a recorded stream is answered as recorded, after noise`(_ stream: CompanionVectors.Stream) {
        // The Wi-Fi receiver has no hunt: it recovers from zeros only.
        let noise: [UInt8] = stream.isWifi ? [0, 9, 9, 0x3C, 0, 0] : [1, 0, 0xFF, 0x3E, 2]

        #expect(answer(stream, pieces: [noise, stream.toRadio]) == stream.bytesToApp)
    }

    @Test func `a marker inside a header is data`() {
        var receiver = SerialReceiver()
        _ = receiver.append([0x3C, 0x3C, 0x01] + [UInt8](repeating: 0x3C, count: 316) + [0x3C, 1, 0, 5])

        #expect(receiver.nextFrame() == [UInt8](repeating: 0x3C, count: 176))
        #expect(receiver.nextFrame() == [5])
        #expect(receiver.nextFrame() == nil)
    }

    @Test func `two frames in one burst come one at a time`() {
        var receiver = SerialReceiver()
        _ = receiver.append([0x3C, 1, 0, 5, 0x3C, 1, 0, 0x3B])

        #expect(receiver.nextFrame() == [5])
        #expect(receiver.nextFrame() == [0x3B])
        #expect(receiver.nextFrame() == nil)
    }

    @Test func `a Wi-Fi length beyond the socket's buffer never completes`() {
        var receiver = WifiReceiver(capacity: 1000)
        _ = receiver.append([0x3C, 0xE9, 0x03])
        #expect(receiver.nextFrame() == nil)

        var taken = 0
        for _ in 0..<20 {
            taken += receiver.append([UInt8](repeating: 5, count: 100))
            #expect(receiver.nextFrame() == nil)
        }

        #expect(taken == 1000)
        #expect(receiver.isStuck)
        #expect(receiver.room == 0)
    }

    @Test func `a new connection forgets a header that was begun`() {
        var receiver = WifiReceiver()
        _ = receiver.append([0x3C, 4, 0])
        #expect(receiver.nextFrame() == nil)

        receiver.reset()
        _ = receiver.append([0x3C, 1, 0, 5])

        #expect(receiver.nextFrame() == [5])
    }

    @Test func `a full buffer takes no more, and nothing is lost when the rest is offered again`() {
        var receiver = SerialReceiver(capacity: 16)
        var input = (UInt8(0)..<10).flatMap { [0x3C, 2, 0, $0, 0xAA] as [UInt8] }
        var frames: [[UInt8]] = []

        while !input.isEmpty || !frames.isEmpty && receiver.room < 16 {
            input.removeFirst(receiver.append(input))
            while let frame = receiver.nextFrame() { frames.append(frame) }
        }

        #expect(frames == (UInt8(0)..<10).map { [$0, 0xAA] })
    }

    @Test func `a client finds the first frame behind what a booting radio prints`() {
        var receiver = ClientReceiver()
        _ = receiver.append([UInt8]("boot> ok\r\n".utf8) + [0x3E, 5, 0, 9, 0, 0xD2, 0x49, 0x6B, 0x3E, 1, 0, 0x83])

        #expect(receiver.nextFrame() == [9, 0, 0xD2, 0x49, 0x6B])
        #expect(receiver.nextFrame() == [0x83])
        #expect(receiver.noise == 10)
    }

    @Test func `a client goes on hunting directly behind a marker whose length no frame has`() {
        var receiver = ClientReceiver()
        _ = receiver.append([0x3E, 0xFF, 0x3E, 1, 0, 0x83, 0x3E, 0, 0, 0x3E, 1, 0, 0x90])

        #expect(receiver.nextFrame() == [0x83])
        #expect(receiver.nextFrame() == [0x90])
        #expect(receiver.nextFrame() == nil)
    }

    @Test func `what the radio refuses to write has no bytes`() {
        #expect(StreamFraming.encode(toApp: []) == nil)
        #expect(StreamFraming.encode(toApp: [UInt8](repeating: 1, count: 177)) == nil)
        #expect(StreamFraming.encode(toApp: [UInt8](repeating: 1, count: 176))?.count == 179)
        #expect(StreamFraming.encode(toRadio: [UInt8](repeating: 1, count: 70_000)).count == 65_538)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `frames come through in any pieces`(_ seed: UInt64) {
        var random = Seed(seed).stream("pieces")
        let frames = (0..<40).map { _ in
            (0..<Int.random(in: 1...176, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
        var serial = SerialReceiver()
        var wifi = WifiReceiver()
        var client = ClientReceiver()

        let toRadio = frames.flatMap { StreamFraming.encode(toRadio: $0) }
        let toApp = frames.flatMap { StreamFraming.encode(toApp: $0) ?? [] }

        #expect(Self.feed(&serial, toRadio, &random) == frames)
        #expect(Self.feed(&wifi, toRadio, &random) == frames)
        #expect(Self.feed(&client, toApp, &random) == frames)
    }

    static func feed<R: StreamReceiver>(_ receiver: inout R, _ bytes: [UInt8], _ random: inout RandomStream)
        -> [[UInt8]]
    {
        var frames: [[UInt8]] = []
        var left = bytes[...]
        while !left.isEmpty {
            let piece = left.prefix(Int.random(in: 1...300, using: &random))
            left = left.dropFirst(receiver.append([UInt8](piece)))
            while let frame = receiver.nextFrame() { frames.append(frame) }
        }
        return frames
    }

    func answer(_ stream: CompanionVectors.Stream, pieces: [[UInt8]]) -> String {
        if stream.isWifi {
            var receiver = WifiReceiver()
            return answer(&receiver, pieces)
        } else {
            var receiver = SerialReceiver()
            return answer(&receiver, pieces)
        }
    }

    /// A radio that knows the two commands of the recorded streams.
    func answer<R: StreamReceiver>(_ receiver: inout R, _ pieces: [[UInt8]]) -> String {
        var answers: [UInt8] = []
        for piece in pieces {
            #expect(receiver.append(piece) == piece.count)
            while let frame = receiver.nextFrame() {
                let answer: any CodedFrame =
                    switch frame.first.flatMap(CommandCode.init) {
                    case .getDeviceTime: Resp.CurrTime(epoch: 1_800_000_000)
                    case .getAutoaddConfig: Resp.AutoaddConfig(config: 0, maxHops: 0)
                    default: Resp.Err(error: .unsupportedCmd)
                    }
                answers += StreamFraming.encode(toApp: answer.encoded()) ?? []
            }
        }
        return answers.hex
    }
}

extension CompanionVectors.Stream {
    var isWifi: Bool { name.hasPrefix("wifi") }
    var toRadio: [UInt8] { [UInt8](hex: bytesToRadio) ?? [] }
}
