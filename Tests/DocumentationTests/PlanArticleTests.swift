import Foundation
import MeshTestSupport
import Testing

/// The article about plans has the comment and the drawing of each plan, as they stand in the code.
@Suite struct PlanArticleTests {
    private struct Plan {
        let name: String
        let module: String
        /// The documentation of the type, as Markdown.
        let comment: String

        /// A fenced block, or an indented one.
        var hasDrawing: Bool { comment.contains("```\n") || comment.contains("\n\n    ") }
    }

    private static let introduction = """
        # Plans

        What the stack decides without waiting: one value for each subject, and one drawing for each value.

        ## Overview

        A plan takes what happens and the time. It returns what is to be done next. It keeps no link, no store and no
        clock: the session or the service that holds it does. So tests play a plan as a timeline, and no time passes.
        This page is printed from the comments in the code, and a test compares it with them.


        """

    /// The plans of the two modules that wait for radios, by name.
    private static func plans() throws -> [Plan] {
        try ["MeshCore", "PocketMeshServices"].flatMap { module -> [Plan] in
            let folder = StoredArticle(path: "Sources/\(module)").url
            let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
            return try files.filter { $0.hasSuffix("Plan.swift") }.map { file in
                let name = String((file.split(separator: "/").last ?? "").dropLast(".swift".count))
                let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
                return Plan(name: name, module: module, comment: comment(of: name, in: text))
            }
        }.sorted { $0.name < $1.name }
    }

    /// The lines of documentation right above the declaration of a type.
    private static func comment(of name: String, in text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let place = lines.firstIndex(where: { $0.contains("struct \(name):") }) else { return "" }
        let comment = lines[..<place].reversed().prefix { $0.hasPrefix("///") }.reversed()
        return comment.map { $0.dropFirst($0.hasPrefix("/// ") ? 4 : 3) }.joined(separator: "\n")
    }

    @Test func `the article has every plan as its comment in the code has it`() throws {
        let plans = try Self.plans()
        let sections = plans.map { "### \($0.name)\n\nIn `\($0.module)`.\n\n\($0.comment)\n" }
        let article = StoredArticle(module: "PocketMeshServices", name: "Plans")

        let difference = try article.difference(from: Self.introduction + sections.joined(separator: "\n"))
        #expect(difference == nil)
        #expect(plans.count >= 5)
    }

    @Test func `every plan has a drawing`() throws {
        let without = try Self.plans().filter { !$0.hasDrawing }.map(\.name)

        #expect(without.isEmpty)
    }
}
