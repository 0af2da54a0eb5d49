import Foundation
import Testing

@testable import PocketMeshUI

@Suite struct TextTests {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
    private static let english = TextLanguage.english.table

    /// Keys of code: each by itself, and those of the forms of numbers.
    private static let keys = Set(
        TextKey.allCases.map(\.rawValue)
            + CountedText.allCases.flatMap { [$0.rawValue + "One", $0.rawValue + "Other"] })

    @Test func `every key has a text, and every text that is no page's a key`() {
        let english = Self.english

        #expect(Self.keys.subtracting(english.keys) == [])
        #expect(Set(english.keys).subtracting(Self.keys).filter { !$0.hasPrefix("page") } == [])
        #expect(english.count > 500)
    }

    @Test func `every key is used by the code`() throws {
        let folder = Self.sources.appending(path: "PocketMeshUI")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") && !$0.hasSuffix("TextKey.swift") }
        #expect(files.count > 30)
        let code = try files.sorted().map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
            .joined()
        let words = Set(code.split { !$0.isLetter && !$0.isNumber && $0 != "." }.flatMap { $0.split(separator: ".") })

        #expect(TextKey.allCases.filter { !words.contains(Substring($0.rawValue)) } == [])
        #expect(CountedText.allCases.filter { !words.contains(Substring($0.rawValue)) } == [])
    }

    @Test func `each file of the folder is a language`() throws {
        let folder = Self.sources.appending(path: "PocketMeshUI/Texts")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }

        #expect(Set(files) == Set(TextLanguage.all.map { $0.tag + ".json" }))
        #expect(TextLanguage.all.count > 1 && TextLanguage.all[0].tag == "en")
    }

    @Test(arguments: TextLanguage.all.map(\.tag))
    func `a language has the keys and the arguments of English`(tag: String) throws {
        let table = try #require(TextLanguage(tag: tag)).table
        let arguments = { (text: String) in Set(text.matches(of: /%[1-9]/).map { String($0.0) }) }

        #expect(Set(table.keys) == Set(Self.english.keys))
        for (key, text) in table.sorted(by: { $0.key < $1.key }) {
            #expect(!text.isEmpty, "\(key)")
            // One may be written out.
            let isOne = key.hasSuffix("One") && table[key.dropLast(3) + "Other"] != nil
            #expect(isOne || arguments(text) == arguments(Self.english[key] ?? ""), "\(key)")
        }
    }

    @Test func `the language of a request fits best what its client wants`() {
        let best = { TextLanguage(acceptedBy: $0)?.tag }

        #expect(best("de-AT,de;q=0.9,en;q=0.8") == "de" && best("EN-us") == "en" && best("fr, de;q=0.1") == "de")
        #expect(best("en;q=0.5, de;q=0.7") == "de" && best("de;q=0.7, en;q=0.7") == "de" && best("de;q=0, en") == "en")
        for nothing in ["", "fr", "*", "de;q=nan", ";q=1", ",,;", "d", "deutsch"] { #expect(best(nothing) == nil) }
        #expect(TextLanguage(tag: "de")?.name == "Deutsch" && TextLanguage(tag: "fr") == nil)
    }

    @Test func `work in a language has its words, its numbers and its times, and so has what it starts`() async throws {
        let german = try #require(TextLanguage(tag: "de"))
        let style = PresentationStyle(localTime: .fixed(secondsFromUTC: 0))
        let afternoon = Date(timeIntervalSince1970: 1_750_000_000)
        let error = ErrorPresentation(CancellationError())

        let (words, started) = await Texts.$language.withValue(german) {
            (
                [
                    Texts.counted(1, .spanDays), Texts.counted(2, .spanDays), Measures.snr(-5.25),
                    style.dateAndTime(afternoon), ErrorPresentation(CancellationError()).title,
                ],
                await Task { Texts.string(.kindChat) }.value
            )
        }

        #expect(words == ["1 Tag", "2 Tage", "-5,25 dB", "15. Juni 2025, 15:06", "Abgebrochen"])
        #expect(started == "Kontakt" && Texts.string(.kindChat) == "Contact" && error.title == "Cancelled")
        #expect(Texts.counted(1, .routeHops) == "1 hop" && Texts.counted(0, .routeHops) == "0 hops")
        #expect(Measures.snr(-5.25) == "-5.25 dB" && style.time(afternoon) == "3:06\u{202F}PM")
    }

    @Test func `pages get the table of the language in use`() throws {
        Texts.use(["pageDenied": "Nein", "unknown": "x"])
        defer { Texts.use([:]) }
        let german = try #require(TextLanguage(tag: "de"))

        #expect(Texts.table["pageDenied"] == "Nein" && Texts.table["pageAllow"] == "Allow")
        #expect(Texts.table["unknown"] == nil && Texts.table.count == Self.english.count)
        Texts.$language.withValue(german) {
            #expect(Texts.table["pageAllow"] == "Erlauben" && Texts.table["language"] == "de")
        }
    }

    @Test func `arguments stay as they are, whatever is in them`() {
        #expect(Texts.string(.conversationUnread, "%2 <b>", "3") == "Conversation with %2 <b>, 3 unread")
        #expect(Texts.filled("100 % of %1, %3", ["x"]) == "100 % of x, %3")
        #expect(Texts.filled("%", ["x"]) == "%")
    }
}
