import Foundation

/// The files of this repository, in a fixed order.
enum Repository {
    /// Endings of text files; files without ending count when they are programs of `ci/` and `.ci/`.
    private static let textEndings = [
        "swift", "md", "sh", "py", "json", "jsonl", "yml", "yaml", "svg", "txt", "h", "modulemap",
    ]
    private static let skipped = [".build", ".git", ".swiftpm", "__pycache__", "Resources", ".venv"]

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Paths of all text files, from the root, sorted.
    static let texts: [String] = walk("").sorted()

    static func lines(_ path: String) throws -> [String] {
        try text(path).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    static func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
    }

    /// All Swift files below `Sources`, `Tests` and `Scenarios`, read once.
    static func swift(under folder: String) throws -> [SourceText] {
        try texts.filter { $0.hasPrefix(folder) && $0.hasSuffix(".swift") }
            .map { SourceText(path: $0, text: try text($0)) }
    }

    /// All Swift files of modules.
    static func sources() throws -> [SourceText] { try swift(under: "Sources/") + swift(under: "Scenarios/") }

    /// The module that a file belongs to: its folder below `Sources`, or the folder at the top.
    static func module(of path: String) -> String {
        let parts = path.split(separator: "/")
        return String(parts[0] == "Sources" ? parts[1] : parts[0])
    }

    private static func walk(_ folder: String) -> [String] {
        let path = root.appending(path: folder).path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { !skipped.contains($0) }.flatMap { name -> [String] in
            let child = folder.isEmpty ? name : "\(folder)/\(name)"
            let attributes = try? FileManager.default.attributesOfItem(atPath: root.appending(path: child).path)
            switch attributes?[.type] as? FileAttributeType {
            case .typeDirectory?: return walk(child)
            case .typeRegular?: return isText(child) ? [child] : []
            default: return []
            }
        }
    }

    private static func isText(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return path.hasPrefix("ci/") || path.hasPrefix(".ci/") }
        return textEndings.contains(String(name[name.index(after: dot)...]))
    }
}
