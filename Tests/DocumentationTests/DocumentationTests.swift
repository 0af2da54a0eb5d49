import Foundation
import Testing

/// Each module has a page, and the code on it is code that is compiled here.
@Suite struct DocumentationTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static let modules = [
        "MeshWire", "MeshTime", "MeshRadio", "MeshCrypto", "MeshPacket", "MeshCompanion", "MeshFirmware",
        "MeshSimulator", "MeshVirtualTime", "MeshCore", "MeshTransports", "MeshFiles", "MeshEmulator",
        "PocketMeshServices", "MeshPictures", "MeshDesktop", "MeshTestbed",
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
        let page = Self.root.appending(path: "Sources/\(module)/\(module).docc/\(module).md")
        let tests = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "ModuleExampleTests.swift")
        let compiled = try String(contentsOf: tests, encoding: .utf8)
            .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }

        let missing = code(on: try String(contentsOf: page, encoding: .utf8)).filter { !compiled.contains($0) }

        #expect(missing.isEmpty, "not in ModuleExampleTests.swift: \(missing)")
    }
}
