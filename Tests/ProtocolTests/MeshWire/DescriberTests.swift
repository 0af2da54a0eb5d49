import MeshTime
import MeshWire
import Testing

@Suite struct DescriberTests {
    @Test func `a layout lists every field, one branch of a choice at a time`() {
        let layouts = SampleFrame.layout(from: 1)

        #expect(layouts.map(\.branch) == [0, 1])
        #expect(!layouts[0].fields.contains { $0.name == "detail" })
        #expect(layouts[1].fields.contains { $0.name == "detail" })
    }

    @Test func `offsets are known up to the first field of variable size`() {
        let fields = SampleFrame.layout(from: 1)[0].fields

        #expect(fields.prefix(6).map(\.offset) == [1, 3, 4, 8, 16, 17])
        #expect(fields.dropFirst(6).allSatisfy { $0.offset == nil })
        #expect(fields[5].size == .counted)
        #expect(fields[6].size == .list(elementSize: 2, isCounted: true))
    }

    @Test func `optional tails are marked, with the level they came with`() {
        let fields = SampleFrame.layout()[0].fields

        let optional = fields.filter(\.isOptional)

        #expect(optional.map(\.name) == ["extra", "left", "right", "last"])
        #expect(optional.map(\.since) == [3, 4, 4, 5])
    }

    @Test func `ranges and units are told`() {
        let number = SampleFrame.layout()[0].fields[0]

        #expect(number.range == 10...1000)
        #expect(number.unit == "Hz")
    }

    @Test func `a rest tells its limit`() {
        #expect(SampleText.layout()[0].fields[1].size == .rest(limit: 5))
    }
}

@Suite struct RangeCheckerTests {
    @Test func `the first value outside its range is named`() {
        var frame = ReaderWriterTests.sample
        #expect(frame.rangeFailure()?.reason == .outOfRange(value: 0x1234, allowed: 10...1000))

        frame.number = 10
        #expect(frame.rangeFailure() == nil)

        frame.count = 5
        #expect(frame.rangeFailure(from: 1)?.field == "count")
        #expect(frame.rangeFailure(from: 1)?.offset == 16)
    }

    @Test func `counted bytes and lists must hold what was announced`() {
        var frame = ReaderWriterTests.sample
        frame.number = 10
        frame.path = [1, 2]
        #expect(frame.rangeFailure()?.field == "path")

        frame.path = [1]
        frame.steps = []
        #expect(frame.rangeFailure()?.field == "steps")
    }

    @Test func `a text beyond its limit is too long`() {
        #expect(SampleText("12345").rangeFailure() == nil)
        #expect(SampleText("123456").rangeFailure()?.reason == .tooLong(count: 6, limit: 5))
    }

    @Test func `a tail needs the one before it`() {
        var frame = ReaderWriterTests.sample
        frame.number = 10
        frame.extra = nil
        frame.last = SampleName(rawValue: 1)

        #expect(frame.rangeFailure()?.field == "last")
    }
}

@Suite struct FuzzerTests {
    @Test func `the same seed draws the same frame`() {
        var first = Seed(5).stream("fuzz")
        var second = Seed(5).stream("fuzz")

        #expect(SampleFrame.fuzzed(using: &first) == SampleFrame.fuzzed(using: &second))
    }

    @Test func `drawn frames survive writing and reading, and meet every form`() throws {
        var random = Seed(6).stream("fuzz")
        var tails: Set<Int> = []
        var kinds: Set<UInt8> = []
        for _ in 0..<500 {
            let frame = SampleFrame.fuzzed(using: &random)
            let again = try frame.written().withUnsafeBytes { try SampleFrame(reading: $0) }
            #expect(again == frame)
            tails.insert([frame.extra != nil, frame.pair != nil, frame.last != nil].count { $0 })
            kinds.insert(frame.kind)
        }
        #expect(tails == [0, 1, 2, 3])
        #expect(kinds == [0, 1])
    }
}
