import MeshFiles
import Testing

/// The depth of JSON from outside.
@Suite struct JSONDepthTests {
    private func deep(_ open: String, _ close: String, _ levels: Int) -> [UInt8] {
        [UInt8]((String(repeating: open, count: levels) + String(repeating: close, count: levels)).utf8)
    }

    @Test(arguments: [("[", "]"), ("{\"a\":", "}"), (" [\n", "]")])
    func `brackets are counted to the limit`(open: String, close: String) {
        #expect(JSONDepth.holds(deep(open, close, 32)))
        #expect(!JSONDepth.holds(deep(open, close, 33)))
        #expect(!JSONDepth.holds(deep(open, "", 513)))
    }

    @Test(arguments: [
        "\"" + String(repeating: "[", count: 40) + "\"", #"["\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["]"#,
        #"["\\",1]"#, "[" + Array(repeating: "[]", count: 100).joined(separator: ",") + "]",
    ])
    func `brackets in texts and beside each other do not nest`(text: String) throws {
        #expect(JSONDepth.holds([UInt8](text.utf8)))
    }

    @Test func `a text that ends with a backslash hides no brackets`() {
        #expect(!JSONDepth.holds([UInt8](#"["\\","#.utf8) + deep("[", "", 32)))
    }

    @Test(arguments: [33, 513])
    func `a text beyond the limit is an error, closed or not`(levels: Int) {
        #expect(throws: DecodingError.self) { try [String: Int](json: deep("{\"a\":", "}", levels)) }
        #expect(throws: DecodingError.self) { try [String](json: deep("[", "", levels)) }
    }

    @Test func `a text in UTF-16 is an error, however its bytes may be counted`() {
        // The middle byte pair of U+2230 is a quotation mark, behind which nothing would be counted.
        let text = "[\"\u{2230}\"," + String(repeating: "[", count: 513)
        let bytes = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }

        #expect(throws: DecodingError.self) { try [String](json: bytes) }
    }

    @Test func `a text within the limit is decoded`() throws {
        #expect(try [[String]](json: [UInt8](#"[["a[b", "\""], []]"#.utf8)) == [["a[b", "\""], []])
    }
}
