import MeshWire
import Testing

@Suite struct ReaderWriterTests {
    static var sample: SampleFrame {
        var frame = SampleFrame()
        frame.number = 0x1234
        frame.level = -2
        frame.key = FixedBytes([1, 2, 3, 4])
        frame.name = FixedBytes(text: "abc")
        frame.count = 1
        frame.path = [0xAA]
        frame.steps = [SampleStep(left: 5, right: 6)]
        frame.extra = 0x0807_0605
        return frame
    }

    @Test func `fields are written in order, integers with the low byte first`() {
        #expect(Self.sample.written().hex == "3412fe01020304616263000000000001aa05060005060708")
    }

    @Test func `what was written is read again`() throws {
        #expect(try read(Self.sample.written()) == Self.sample)
    }

    @Test func `a frame that ends inside a field names it, its offset, and what is left`() {
        let bytes = Self.sample.written()

        #expect(failure([]) == FrameError(field: "number", offset: 0, reason: .truncated(needed: 2, left: 0)))
        #expect(failure(bytes.prefix(5)) == FrameError(field: "key", offset: 3, reason: .truncated(needed: 4, left: 2)))
        #expect(failure(bytes.prefix(18))?.field == "right")
        #expect(failure(bytes.prefix(19))?.field == "kind")
    }

    @Test func `a count that announces more than there is fails without taking memory for it`() {
        var bytes = Self.sample.written()
        bytes[15] = 255

        #expect(failure(bytes)?.field == "path")
    }

    @Test func `a tail that is cut short is absent, and so are those behind it`() throws {
        var frame = Self.sample
        frame.extra = 7
        frame.pair = SampleStep(left: 1, right: 2)
        let bytes = frame.written()

        let cut = try read(bytes.dropLast(3))

        #expect(cut.extra == nil)
        #expect(cut.pair == nil)
        #expect(cut.last == nil)
    }

    @Test func `a tail behind an absent one is not written`() {
        var frame = Self.sample
        frame.extra = nil
        frame.pair = SampleStep(left: 1, right: 2)

        #expect(frame.written().count == Self.sample.written().count - 4)
    }

    @Test func `a choice decides what follows`() throws {
        var frame = SampleFrame()
        frame.kind = 1
        frame.detail = 9

        #expect(frame.written().suffix(2) == [1, 9])
        #expect(try read(frame.written()) == frame)
    }

    @Test func `counted bytes are padded and cut to what was announced`() {
        var frame = SampleFrame()
        frame.count = 2
        frame.path = [1]
        #expect(frame.written()[16..<18] == [1, 0])

        frame.path = [1, 2, 3]
        #expect(frame.written()[16..<18] == [1, 2])
    }

    @Test func `a list goes on while whole elements follow`() throws {
        let bytes: [UInt8] = [1, 2, 3, 4, 5]

        let list = try bytes.withUnsafeBytes { try SampleList(reading: $0) }

        #expect(list.steps == [SampleStep(left: 1, right: 2), SampleStep(left: 3, right: 4)])
    }

    @Test func `with a residue, required fields go on behind the frame and optional ones end with it`() throws {
        var frame = Self.sample
        frame.extra = 1
        let buffer = frame.written()

        let short = try buffer.withUnsafeBytes { try SampleFrame(reading: $0, frameEnd: 3) }

        #expect(short.name.text == "abc")
        #expect(short.extra == nil)
    }

    @Test func `text to the end of the frame ends where the frame does, not where the residue does`() throws {
        let buffer = [UInt8]("xhello".utf8)

        let text = try buffer.withUnsafeBytes { try SampleText(reading: $0, frameEnd: 3) }

        #expect(text.text == "he")
    }

    func read(_ bytes: some Collection<UInt8>) throws -> SampleFrame {
        try [UInt8](bytes).withUnsafeBytes { try SampleFrame(reading: $0) }
    }

    func failure(_ bytes: some Collection<UInt8>) -> FrameError? {
        do {
            _ = try read(bytes)
            return nil
        } catch {
            return error as? FrameError
        }
    }
}
