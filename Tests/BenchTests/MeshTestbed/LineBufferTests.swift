import Testing

@testable import MeshFiles

/// Bytes cut into lines.
@Suite struct LineBufferTests {
    @Test func `lines come whole, however the bytes are cut`() {
        let text = Array("one\n\nthree and more\nrest".utf8)
        for size in 1...text.count {
            var (buffer, lines) = (LineBuffer(), [String]())

            for start in stride(from: 0, to: text.count, by: size) {
                buffer.append(text[start..<min(start + size, text.count)])
                while let line = buffer.next() { lines.append(String(decoding: line, as: UTF8.self)) }
            }

            #expect(lines == ["one", "", "three and more"])
            #expect(buffer.count == 4)
        }
    }

    @Test func `no byte of a line without an end is searched twice`() {
        var buffer = LineBuffer()
        for count in 1...64 {
            buffer.append([UInt8](repeating: 0x61, count: 1 << 16))
            #expect(buffer.searched == (count - 1) << 16)
            #expect(buffer.next() == nil)
            #expect(buffer.searched == count << 16 && buffer.count == count << 16)
        }

        buffer.append([0x0A, 0x62])
        #expect(buffer.next()?.count == 64 << 16)
        #expect(buffer.next() == nil && buffer.count == 1)
    }
}
