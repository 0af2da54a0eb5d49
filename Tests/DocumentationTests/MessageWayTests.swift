import Foundation
import MeshTestSupport
import Testing

/// The article about the architecture follows a text message through files and functions that are there.
@Suite struct MessageWayTests {
    private static let heading = "### The way of a text message\n"

    /// One function on the way, and its file below `Sources`.
    private struct Step {
        let file: String
        let function: String

        var isThere: Bool {
            let url = StoredArticle(path: "Sources/\(file)").url
            guard let text = try? String(contentsOf: url, encoding: .utf8) else { return false }
            return text.contains("func \(function)(") || text.contains("func \(function)<")
        }
    }

    /// The section of the article, without its heading and what follows it.
    private func section() throws -> String {
        let article = StoredArticle(module: "MeshTestbed", name: "Architecture")
        let parts = try String(contentsOf: article.url, encoding: .utf8).components(separatedBy: Self.heading)
        try #require(parts.count == 2)
        return parts[1].components(separatedBy: "\n#")[0]
    }

    /// Each file that a section names, with the function named behind it.
    private func steps(in section: String) -> [Step] {
        section.matches(of: /`([^`]+\.swift)`[^`]*`(\w+)`/).map { match in
            Step(file: String(match.output.1), function: String(match.output.2))
        }
    }

    @Test func `each file on the way of a text message is there and has the function that the article names`() throws {
        let section = try section()

        let steps = steps(in: section)

        let missing = steps.filter { !$0.isThere }.map { "\($0.function) in \($0.file)" }
        #expect(missing.isEmpty, "not there: \(missing)")
        #expect(steps.count == section.matches(of: /\.swift\b/).count, "a file without a function")
    }

    /// The files that a run of the text ran, as `ci/way` counted them; each with functions of it.
    private func counted() throws -> [String: [String: [String]]] {
        let path = "Sources/MeshTestbed/MeshTestbed.docc/Resources/message-way.json"
        return try JSONDecoder().decode(
            [String: [String: [String]]].self, from: Data(contentsOf: StoredArticle(path: path).url))
    }

    @Test func `the article names the numbers of files that ran for a text in a build with coverage`() throws {
        let counted = try counted()
        let handing = try #require(counted["hand on"])
        let running = try #require(counted["only run"])

        let section = try section()

        #expect(section.contains("\(handing.count + running.count) files below `Sources` run for the text"))
        #expect(section.contains("\(handing.count) of them hand it on"))
        #expect(handing.count <= 92, "the way has become longer")
    }

    @Test func `each file that ran for a text is there and has the functions that ran`() throws {
        let steps = try counted().values.joined().flatMap { file, functions in
            functions.map { Step(file: file, function: $0) }
        }

        let missing = steps.filter { !$0.isThere }.map { "\($0.function) in \($0.file)" }

        #expect(steps.count > 200)
        #expect(missing.isEmpty, "not there, run ci/way --store: \(missing.sorted())")
    }

    @Test func `each file of the article's steps ran for the text`() throws {
        let counted = try counted()
        let ran = Set(counted.values.flatMap(\.keys))
        let table = try #require(try section().components(separatedBy: "\nThe acknowledgement").first)

        let others = Set(steps(in: table).map(\.file)).subtracting(ran)

        #expect(others.isEmpty, "did not run: \(others.sorted())")
    }
}
