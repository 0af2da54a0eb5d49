import MeshWire
import Testing

@Suite struct PrinterTests {
    @Test func `fields print with offset, size, value and unit`() {
        var frame = ReaderWriterTests.sample
        frame.pair = SampleStep(left: 1, right: 2)
        frame.last = SampleName(rawValue: 1)

        let printed = frame.printed(from: 1)

        #expect(
            printed.map { "\($0.offset) \($0.size) \($0.name) \($0.value) \($0.unit) \($0.note)" } == [
                "1 2 number 4660 Hz ",
                "3 1 level -0.5 dB (-2) dB/4 ",
                "4 4 key 01020304  ",
                "8 8 name \"abc\" text ",
                "16 1 count 1  ",
                "17 1 path aa  ",
                "18 1 left 5  ",
                "19 1 right 6  ",
                "20 1 kind 0  ",
                "21 4 extra 0x08070605  ",
                "25 1 left 1  ",
                "26 1 right 2  ",
                "27 1 last 1  one",
            ])
    }

    @Test func `what stands behind the NUL of a text field is told`() {
        var frame = SampleFrame()
        frame.name = FixedBytes([0x41, 0, 0x42, 0x43])

        #expect(frame.printed()[3].value == "\"A\"")
        #expect(frame.printed()[3].note == "then 00424300000000")
    }

    @Test func `control characters are escaped`() {
        #expect(SampleText("a\u{1B}\n").printed()[1].value == "\"a\\u001B\\n\"")
    }

    @Test func `a tracer shows the fields before the one that fails`() {
        let bytes = ReaderWriterTests.sample.written().prefix(9)

        let traced = [UInt8](bytes).withUnsafeBytes { SampleFrame.traced($0) }

        #expect(traced.fields.map(\.name) == ["number", "level", "key"])
        #expect(traced.failure == FrameError(field: "name", offset: 7, reason: .truncated(needed: 8, left: 2)))
    }

    @Test func `a tracer says where the last field ended`() {
        let bytes = ReaderWriterTests.sample.written() + [9]

        let traced = bytes.withUnsafeBytes { SampleFrame.traced($0) }

        #expect(traced.failure == nil)
        #expect(traced.end == bytes.count - 1)
        #expect(traced.fields == ReaderWriterTests.sample.printed())
    }

    @Test(arguments: [
        (FrameError.Reason.truncated(needed: 4, left: 2), "bw at offset 5: needs 4 bytes, 2 left"),
        (.outOfRange(value: 13, allowed: 5...12), "bw at offset 5: is 13, allowed are 5...12"),
        (.tooLong(count: 9, limit: 8), "bw at offset 5: has 9 bytes, at most 8 are allowed"),
        (.invalid("points nowhere"), "bw at offset 5: points nowhere"),
        (.unknownCode(0x2C), "bw at offset 5: 0x2c is not a known code"),
    ])
    func `an error reads as a sentence about a field`(_ reason: FrameError.Reason, _ text: String) {
        #expect(FrameError(field: "bw", offset: 5, reason: reason).description == text)
    }
}
