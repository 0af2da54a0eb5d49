import Foundation
import MeshTestSupport
import Testing

@Suite struct FeatureTableTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test func `each feature has a type with a test that exists, or a reason, and a page`() throws {
        let tests = Self.root.appending(path: "Tests")
        let names = try FileManager.default.subpathsOfDirectory(atPath: tests.path).sorted()
            .filter { $0.hasSuffix("Tests.swift") }
            .reduce(into: Set<Substring>()) { names, path in
                let text = try String(contentsOf: tests.appending(path: path), encoding: .utf8)
                for line in text.split(separator: "\n") {
                    let parts = line.split(separator: "`", omittingEmptySubsequences: false)
                    if parts.count > 2, parts[0].hasSuffix("func ") { names.insert(Substring(String(parts[1]))) }
                }
            }
        for row in FeatureRow.all {
            #expect(FeatureRow.pages.contains(row.page), "\(row.id)")
            #expect(row.type == nil || names.contains(Substring(row.proof)), "\(row.id): no test \"\(row.proof)\"")
            #expect(!row.proof.isEmpty)
        }
        #expect(Set(FeatureRow.all.map(\.id)).count == FeatureRow.all.count)
        #expect(FeatureRow.all.map(\.id) == FeatureRow.all.map(\.id).sorted())
        #expect(Set(FeatureRow.all.map(\.page)) == Set(FeatureRow.pages))
    }

    @Test func `the table of the documentation is this one`() throws {
        var text = """
            # Features of the user interface

            Every feature of the founding documents that a user sees: what does it, which test shows it, and its page.

            ## Overview

            The first column is the number of the feature in the documents. A row without a type gives its reason instead
            of a test.

            | feature | | type | page | test or reason |
            |---|---|---|---|---|

            """
        for row in FeatureRow.all {
            let type = row.type.map { "`\(Self.name($0))`" } ?? "none"
            text += "| \(row.id) | \(row.feature) | \(type) | \(row.page) | \(row.proof) |\n"
        }
        let article = StoredArticle(module: "PocketMeshUI", name: "UserInterfaceFeatures")
        #expect(try article.difference(from: text) == nil)
    }

    private static func name(_ type: Any.Type) -> String {
        "\(type)".replacingOccurrences(of: "any ", with: "")
    }
}
