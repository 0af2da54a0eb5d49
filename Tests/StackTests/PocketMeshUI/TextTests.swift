import Foundation
import Testing

@testable import PocketMeshUI

@Suite struct TextTests {
    @Test func `every key has a text, and every text a key`() {
        #expect(Set(Texts.english.keys) == Set(TextKey.allCases.map(\.rawValue)))
        #expect(Texts.english.values.allSatisfy { !$0.isEmpty })
    }

    @Test func `every key is used, in the code or in the scripts of the pages`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/PocketMeshUI")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") && !$0.hasSuffix("TextKey.swift") }
        #expect(files.count > 30)
        let code = try files.sorted().map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
            .joined()
        let scripts = folder.deletingLastPathComponent().appending(path: "PocketMeshWeb/Pages/app")
        let pages = try FileManager.default.subpathsOfDirectory(atPath: scripts.path).sorted()
            .filter { $0.hasSuffix("js") }.map { try String(contentsOf: scripts.appending(path: $0), encoding: .utf8) }
            .joined()
        let words = Set(code.split { !$0.isLetter && !$0.isNumber && $0 != "." }.flatMap { $0.split(separator: ".") })
        let unused = TextKey.allCases.filter {
            !words.contains(Substring($0.rawValue)) && !pages.contains("\"\($0.rawValue)\"")
        }
        #expect(unused == [])
        let asked = pages.matches(of: /(?:text|counted)\([^"()]*"([a-z][A-Za-z]+)"(?:, "([a-z][A-Za-z]+)")?/)
            .flatMap { [String($0.1)] + ($0.2.map { [String($0)] } ?? []) }
        #expect(asked.count > 10 && Set(asked).subtracting(TextKey.allCases.map(\.rawValue)) == [])
    }

    @Test func `pages get the table of the language in use`() {
        Texts.use(["pageDenied": "Nein", "unknown": "x"])
        defer { Texts.use([:]) }

        #expect(Texts.table["pageDenied"] == "Nein" && Texts.table["pageAllow"] == "Allow")
        #expect(Texts.table["unknown"] == nil && Texts.table.count == TextKey.allCases.count)
    }

    @Test func `arguments stay as they are, whatever is in them`() {
        #expect(Texts.string(.conversationUnread, "%2 <b>", "3") == "Conversation with %2 <b>, 3 unread")
        #expect(Texts.filled("100 % of %1, %3", ["x"]) == "100 % of x, %3")
        #expect(Texts.filled("%", ["x"]) == "%")
    }
}
