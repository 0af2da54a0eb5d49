import Foundation
import Testing

/// Each module has a page, and the code on it is code that is compiled here.
@Suite struct DocumentationTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static let modules = [
        "MeshWire", "MeshTime", "MeshRadio", "MeshCrypto", "MeshPacket", "MeshCompanion", "MeshFirmware",
        "MeshSimulator", "MeshBluetoothHost", "MeshCapture", "BluetoothCapture", "MeshVirtualTime", "MeshCore",
        "MeshTransports", "MeshFiles", "MeshRecords", "MeshCaptureIO", "MeshEmulator", "MeshStore",
        "PocketMeshServices",
        "MeshDesktop", "PocketMeshUI", "MeshWorlds", "MeshReports", "MeshCompliance", "MeshRoleCompliance",
        "MeshScenarios", "MeshTestbed", "MeshHTTP", "MeshControl", "MeshWeb", "PocketMeshWeb", "MeshVectors",
        "MeshReleases", "MeshBoards",
    ]

    /// Articles of parts of modules, with code.
    static let parts = [
        "MeshTestbed/MeshTestbed.docc/Benchmarks.md",
        "MeshTransports/MeshTransports.docc/Addresses.md",
        "MeshCaptureIO/MeshCaptureIO.docc/LiveCaptures.md",
        "MeshCaptureIO/MeshCaptureIO.docc/CaptureFiles.md",
        "MeshDesktop/MeshDesktop.docc/Pictures.md",
        "MeshBluetoothHost/MeshBluetoothHost.docc/ModelledAir.md",
    ]

    /// The lines of code on a page, without imports and blank lines.
    private func code(on page: String) -> [String] {
        var isCode = false
        return page.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line in
            let text = line.trimmingCharacters(in: .whitespaces)
            if text.hasPrefix("```") {
                isCode = text == "```swift"
                return nil
            }
            return isCode && !text.isEmpty && !text.hasPrefix("import ") ? text : nil
        }
    }

    @Test(arguments: modules)
    func `a module's page says what it is for and what it refuses to know`(module: String) throws {
        let file = Self.root.appending(path: "Sources/\(module)/\(module).docc/\(module).md")

        let page = try String(contentsOf: file, encoding: .utf8)

        #expect(page.hasPrefix("# ``\(module)``\n"))
        #expect(page.contains("refuses to know"))
    }

    @Test(arguments: modules)
    func `the code on a module's page is compiled here`(module: String) throws {
        let missing = try missingCode(
            on: "\(module)/\(module).docc/\(module).md",
            in: ["ModuleExampleTests.swift", "ModuleExampleSystemTests.swift"])

        #expect(missing.isEmpty, "not among the examples: \(missing)")
    }

    @Test(arguments: parts)
    func `the code on the page of a module's part is compiled here`(page: String) throws {
        let missing = try missingCode(on: page, in: ["ModuleExampleTests.swift", "ModuleExampleSystemTests.swift"])

        #expect(missing.isEmpty, "not among the examples: \(missing)")
    }

    @Test(arguments: ["YourFirstScenario", "CheckingYourOwnRadio", "RepeatingAFailure"])
    func `the code of an article about scenarios is compiled here`(article: String) throws {
        let missing = try missingCode(
            on: "MeshTestbed/MeshTestbed.docc/\(article).md", in: ["ScenarioArticleTests.swift"])

        #expect(missing.isEmpty, "not in ScenarioArticleTests.swift: \(missing)")
    }

    /// Lines of code on a page that none of these files of this folder has.
    private func missingCode(on page: String, in files: [String]) throws -> [String] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let compiled = try files.flatMap { file in
            try String(contentsOf: folder.appending(path: file), encoding: .utf8)
                .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let text = try String(contentsOf: Self.root.appending(path: "Sources/" + page), encoding: .utf8)
        let lines = code(on: text)
        #expect(!lines.isEmpty || page.contains("\(page.split(separator: "/")[0]).md"))
        return lines.filter { !compiled.contains($0) }
    }
}
