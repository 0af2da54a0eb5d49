import Foundation
import MeshTestSupport
import Testing

@Suite struct FeatureTableTests {
    /// The bodies of types, protocols and extensions, each with the line that begins it, by name.
    private static func bodies(in source: String) -> [String: [(head: String, body: String)]] {
        var bodies: [String: [(head: String, body: String)]] = [:]
        let heads = /(?:public |package )?(?:final )?(?:struct|class|enum|protocol|extension) (\w+)[^\x7B\n]*\x7B\n/
        for found in source.matches(of: heads) {
            var depth = 1
            let rest = source.utf8[found.range.upperBound...]
            let end = rest.firstIndex { sign in
                depth += sign == UInt8(ascii: "{") ? 1 : sign == UInt8(ascii: "}") ? -1 : 0
                return depth == 0
            }
            let body = source[found.range.upperBound..<(end ?? rest.endIndex)]
            bodies[String(found.1), default: []].append((String(found.0), String(body)))
        }
        return bodies
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: AppPages.root.appending(path: path), encoding: .utf8)
    }

    @Test func `each feature is shown by one test that exists, or has a reason`() throws {
        var names: [String: Int] = [:]
        for line in try AppPages.text(of: "Tests", where: { $0.hasSuffix("Tests.swift") }).split(separator: "\n") {
            let parts = line.split(separator: "`", omittingEmptySubsequences: false)
            if parts.count > 2, parts[0].hasSuffix("func ") { names[String(parts[1]), default: 0] += 1 }
        }
        let browser = try Self.text("Tests/Pages/app.py")
        for row in FeatureRow.all {
            switch (row.carrier, row.proof) {
            case (.type, .swift(let name)?): #expect(names[name] == 1, "\(row.id): \(name)")
            case (.script, .browser(let name)?):
                let calls = try browser.matches(of: AppPages.pattern(#"\b\#(name)(?:\(bench\)\n|[,\]])"#)).count
                #expect(browser.contains("def \(name)(bench):") && calls > 0, "\(row.id): \(name)")
            case (.script(let script, let exported), .script(let name)?):
                #expect(try Self.isTested(exported, of: script, in: name), "\(row.id): \(name)")
            case (.none(let reason), nil): #expect(reason.hasSuffix("."), "\(row.id)")
            default: Issue.record("\(row.id): a type is shown in Swift, a script by its tests or in a browser")
            }
        }
        #expect(FeatureRow.all.map(\.id) == Set(FeatureRow.all.map(\.id)).sorted())
    }

    /// Returns whether a test of the scripts uses what a script exports.
    private static func isTested(_ exported: String, of script: String, in name: String) throws -> Bool {
        let folder = AppPages.root.appending(path: "Tests/JavaScript")
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file.hasSuffix(".test.mjs") {
            let text = try Self.text("Tests/JavaScript/\(file)")
            let parts = text.components(separatedBy: "test(\"\(name)\"")
            guard parts.count == 2, text.contains("/app/\(script)\"") else { continue }
            return try parts[1].components(separatedBy: "\n});")[0].contains(AppPages.pattern(#"\b\#(exported)\b"#))
        }
        return false
    }

    @Test func `the page of each feature uses its member, which its type has`() throws {
        let pages = try AppPages()
        let bodies = Self.bodies(in: try AppPages.text(of: "Sources/PocketMeshUI"))
        for row in FeatureRow.all {
            switch row.carrier {
            case .type(let type, let member, let key):
                let (isCase, isPublic) = try Self.declaration(of: member, in: bodies[Self.name(type)] ?? [], row.id)
                guard let page = row.page else {
                    #expect(isPublic, "\(row.id): \(member) is for programs, and not public")
                    continue
                }
                #expect(!pages.scripts(of: page).isEmpty, "\(row.id): there is no page \(page)")
                let isRead =
                    try isCase
                    ? pages.names(key, on: page)
                    : pages.reads(key, on: page)
                        && (type is any Encodable.Type || pages.answers(with: member, as: key))
                #expect(
                    try isRead || pages.requests(member, on: page), "\(row.id): \(page) uses no \(key) of \(type)")
            case .script(let script, let name):
                let exported = try AppPages.pattern(#"export (?:async )?(?:function|class|const) \#(name)\b"#)
                #expect(pages.scripts[script]?.contains(exported) == true, "\(row.id): no \(name) in \(script)")
                #expect(pages.scripts(of: row.page ?? "").contains(script), "\(row.id): no \(script)")
            case .none: break
            }
        }
        let shown = Set(FeatureRow.all.compactMap(\.page).compactMap { pages.classes[$0] })
        #expect(shown == Set(pages.classes.values), "each page has a feature")
    }

    /// Returns whether a member is a case, and whether it is public; it is an issue where the type has no such member.
    private static func declaration(
        of member: String, in bodies: [(head: String, body: String)], _ id: String
    ) throws -> (isCase: Bool, isPublic: Bool) {
        let listed = try AppPages.pattern(#"\bcase [^.:\n]*\b\#(member)\b"#)
        let declared = try AppPages.pattern(#"\b(?:var|let|func) \#(member)\b"#)
        let published = try AppPages.pattern(#"public [^\n]*\b(?:var|let|func) \#(member)\b"#)
        let isCase = bodies.contains { $0.body.contains(listed) }
        let isDeclared = bodies.contains { $0.body.contains(declared) }
        #expect(isCase || isDeclared, "\(id): its type has no \(member)")
        let isPublic = bodies.contains {
            $0.body.contains(published) || $0.head.contains("public protocol") && $0.body.contains(declared)
        }
        return (isCase && !isDeclared, isPublic)
    }

    @Test func `the table of the documentation is this one`() throws {
        var text = """
            # Features of the user interface

            Every feature of the founding documents that a user sees: what does it, which test shows it, and its page.

            ## Overview

            The first column is the number of the feature in the documents. The member is what the page uses of the type:
            it reads it in an answer, names it, or sends a request whose route calls it. "As" is the name that the answer
            gives it. What is on no page is for programs in Swift. A row without a type gives its reason instead of a
            test.

            | feature | | type or script | member | page | test or reason |
            |---|---|---|---|---|---|

            """
        for row in FeatureRow.all { text += "| \(row.id) | \(row.feature) | \(Self.cells(of: row)) |\n" }
        let article = StoredArticle(module: "PocketMeshUI", name: "UserInterfaceFeatures")
        #expect(try article.difference(from: text) == nil)
    }

    private static func cells(of row: FeatureRow) -> String {
        let proof =
            switch row.proof {
            case .swift(let name)?, .script(let name)?: name
            case .browser(let name)?: "\(name), a case of Tests/Pages/app.py"
            case nil: ""
            }
        let page = row.page ?? "no page"
        switch row.carrier {
        case .type(let type, let member, let key):
            let alias = key == member ? "" : " as `\(key)`"
            return "`\(name(type))` | `\(member)`\(alias) | \(page) | \(proof)"
        case .script(let script, let name): return "`\(script)` | `\(name)` | \(page) | \(proof)"
        case .none(let reason): return "none | none | \(page) | \(reason)"
        }
    }

    private static func name(_ type: Any.Type) -> String {
        "\(type)".replacingOccurrences(of: "any ", with: "")
    }
}
