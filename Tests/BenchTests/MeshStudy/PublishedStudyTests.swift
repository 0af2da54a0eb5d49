import Foundation
import MeshSimulator
import MeshTime
import Testing

@testable import MeshStudy

/// The studies of the folder Scenarios/Studies, each of which has an article.
@Suite struct PublishedStudyTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent()

    private static let names = [
        "corrupt-frames", "firmware", "flood-delay", "hill-picture", "path-hash", "receive-delay",
        "region-rollout", "retry-moving",
    ]

    @Test func `each file of the folder is here`() throws {
        let files = try FileManager.default.contentsOfDirectory(
            atPath: Self.root.appending(path: "Scenarios/Studies").path)
        #expect(files.sorted() == Self.names.map { "\($0).json" })
    }

    @Test(arguments: names) func `a study can be run, and its article has its question`(_ name: String) throws {
        let plan = try StudyPlan(file: Self.root.appending(path: "Scenarios/Studies/\(name).json").path)
        let title = name.split(separator: "-").map(\.capitalized).joined()
        let article = try String(
            contentsOf: Self.root.appending(
                path: "Sources/MeshTestbed/MeshTestbed.docc/Study\(title).md"), encoding: .utf8)

        #expect(plan.name == name && !plan.threads.isEmpty)
        #expect(article.hasPrefix("# \(plan.question)\n"))
        for thread in plan.threads { #expect(article.contains("<\(thread)>")) }
        for arm in plan.arms.dropFirst() {
            #expect(article.contains("\n### \(arm.name) against \(plan.arms[0].name)\n"))
        }
        #expect(article.contains("meshbed study run Scenarios/Studies/\(name).json"))
        #expect(!article.contains("no verdict of this study counts"))
    }
}
