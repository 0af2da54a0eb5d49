import MeshWire
import Testing

@Suite struct VisibleTextTests {
    /// The characters that act on a terminal or on the text around them, and their written forms.
    static let controls: [(character: Unicode.Scalar, written: String)] = [
        ("\u{00}", "\\u0000"), ("\u{07}", "\\u0007"), ("\u{08}", "\\u0008"), ("\t", "\\t"), ("\n", "\\n"),
        ("\u{0B}", "\\u000B"), ("\r", "\\r"), ("\u{1B}", "\\u001B"), ("\u{7F}", "\\u007F"), ("\u{80}", "\\u0080"),
        ("\u{85}", "\\u0085"), ("\u{9B}", "\\u009B"), ("\u{9F}", "\\u009F"), ("\u{61C}", "\\u061C"),
        ("\u{200E}", "\\u200E"), ("\u{200F}", "\\u200F"), ("\u{2028}", "\\u2028"), ("\u{2029}", "\\u2029"),
        ("\u{202A}", "\\u202A"), ("\u{202B}", "\\u202B"), ("\u{202C}", "\\u202C"), ("\u{202D}", "\\u202D"),
        ("\u{202E}", "\\u202E"), ("\u{2066}", "\\u2066"), ("\u{2067}", "\\u2067"), ("\u{2068}", "\\u2068"),
        ("\u{2069}", "\\u2069"),
    ]

    @Test(arguments: zip(controls.map(\.character), controls.map(\.written)))
    func `a control character is written, not obeyed`(character: Unicode.Scalar, written: String) {
        let text = "a" + String(String.UnicodeScalarView([character])) + "b"

        #expect(text.visibleLine == "a\(written)b")
        #expect(text.visibleText == (character == "\n" ? "a\nb" : "a\(written)b"))
    }

    @Test func `no scalar below U+3000 but those controls is changed`() {
        let controls = Set(Self.controls.map(\.character))
        let others = (0..<0x3000 as Range<UInt32>).compactMap(Unicode.Scalar.init).filter { scalar in
            !(scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value || controls.contains(scalar))
        }

        for scalar in others { #expect(String(scalar).visibleLine == String(scalar), "\(scalar.value)") }
        for value in Array(0..<0x20) + Array(0x7F...0x9F) as [UInt32] {
            guard let scalar = Unicode.Scalar(value) else { continue }
            #expect(String(scalar).visibleLine.unicodeScalars.allSatisfy { 0x20..<0x7F ~= $0.value }, "\(value)")
        }
    }

    @Test(arguments: ["", "Ada", "Zoë", "e\u{301}", "日本", "שלום", "👩‍👩‍👧", "🏴\u{E0067}\u{E0062}\u{E007F}", "a\\n\\u001B"])
    func `what can be read stays as it is`(text: String) {
        #expect(text.visibleLine == text && text.visibleText == text)
    }

    @Test func `a line break before a carriage return or a combining character is found, too`() {
        #expect("a\r\nb".visibleLine == "a\\r\\nb")
        #expect("a\n\u{301}b".visibleLine == "a\\n\u{301}b")
        #expect("a\r\nb".visibleText == "a\\r\nb")
    }

    @Test func `bytes that are no text are shown as replaced`() {
        let text = String(decoding: [0x41, 0xFF, 0x1B, 0xC2, 0x42, 0xC0, 0x8A], as: UTF8.self)

        #expect(text.visibleLine == "A\u{FFFD}\\u001B\u{FFFD}B\u{FFFD}\u{FFFD}")
    }

    @Test func `lines of which one has a break in it stay as many`() {
        #expect(["a\nforged", "b"].joinedVisibleLines == "a\\nforged\nb")
    }
}
