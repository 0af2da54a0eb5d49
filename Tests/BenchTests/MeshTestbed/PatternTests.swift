import MeshWire
import Testing

@testable import MeshCompliance

/// The language in which statements write bytes.
struct PatternTests {
    @Test(
        arguments: [
            ("05", [0x05]), ("3E 05 00", [0x3E, 5, 0]), ("FFFF", [0xFF, 0xFF]), ("00×3", [0, 0, 0]),
            ("AABB×2 'hi'", [0xAA, 0xBB, 0xBB, 0x68, 0x69]), ("''", []),
        ] as [(String, [UInt8])])
    func `fixed parts are bytes`(_ source: String, _ bytes: [UInt8]) throws {
        #expect(try Pattern(source).bytes() == bytes)
    }

    @Test func `numbers are interpolated little-endian in their own width`() throws {
        let pattern: Pattern = "\(UInt8(1)) \(UInt16(2)) \(UInt32(3)) \(Int32(-1)) \([0xAB, 0xCD])"

        #expect(try pattern.bytes() == [1, 2, 0, 3, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xAB, 0xCD])
    }

    @Test func `named parts are kept`() throws {
        guard
            case .matches(let parts) = try Pattern("06 flag1 tttttttt tag2 ?1 rest…").match(
                [6, 1, 0x10, 0x20, 0x30, 0x40, 0xAA, 0xBB, 9, 1, 2, 3])
        else {
            Issue.record("the frame does not match")
            return
        }
        #expect(parts["flag"] == [1])
        #expect(parts.number("t") == 0x4030_2010)
        #expect(parts["tag"] == [0xAA, 0xBB])
        #expect(parts["rest"] == [1, 2, 3])
        #expect(parts["none"] == [])
    }

    @Test(
        arguments: [
            ("05", [6], 0), ("05 06", [5], 1), ("05", [5, 6], 1), ("05 time4", [5, 1, 2], 3),
            ("05 ?2 07", [5, 0, 0, 8], 3),
        ] as [(String, [UInt8], Int)])
    func `a mismatch says where`(_ source: String, _ frame: [UInt8], _ place: Int) throws {
        guard case .departs(let offset) = try Pattern(source).match(frame) else {
            Issue.record("the frame matches")
            return
        }
        #expect(offset == place)
    }

    @Test(arguments: ["5", "05 'open", "ab", "abc", "… 05", "?", "?0", "00×", "05 %"])
    func `a pattern that cannot be read is an error`(_ source: String) {
        #expect(throws: PatternError.self) { try Pattern(source).match([5]) }
    }

    @Test func `what leaves bytes open cannot be sent`() {
        #expect(throws: PatternError.self) { try Pattern("05 time4").bytes() }
    }
}

/// The reader of frames from a stream.
struct StreamReaderTests {
    private let stream: [UInt8] = [0x41, 0x3E, 1, 0, 0x0A, 0x3E, 2, 0, 1, 6, 0x3E, 0xFF, 0xFF, 0x3E, 1, 0, 0]
    private let frames: [[UInt8]] = [[0x0A], [1, 6], [0]]

    @Test(arguments: [1, 2, 3, 5, 17])
    func `frames come out whole, however the bytes arrive`(_ size: Int) {
        var reader = StreamReader()
        var found: [[UInt8]] = []

        for start in stride(from: 0, to: stream.count, by: size) {
            reader.append([UInt8](stream[start..<min(start + size, stream.count)]))
            while let frame = reader.next() { found.append(frame) }
        }

        #expect(found == frames)
    }
}
