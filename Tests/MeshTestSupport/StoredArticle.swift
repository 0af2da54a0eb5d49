// Test support
public import Foundation

/// A text of the repository that is printed from the code, such as an article of a documentation catalog.
public struct StoredArticle {
    public let url: URL

    public init(module: String, name: String) {
        self.init(path: "Sources/\(module)/\(module).docc/\(name).md")
    }

    /// A text at a path from the root of the repository.
    public init(path: String) {
        url = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent(path)
    }

    /// The first line in which the stored article differs from what was printed now; `nil` when they are the same.
    ///
    /// With `MESHBED_REWRITE_ARTICLES=1` in the environment the article is stored anew first.
    public func difference(from printed: String) throws -> String? {
        if ProcessInfo.processInfo.environment["MESHBED_REWRITE_ARTICLES"] == "1" {
            try printed.write(to: url, atomically: true, encoding: .utf8)
            print("\(url.lastPathComponent) is stored anew")
        }
        let stored = try String(contentsOf: url, encoding: .utf8)
        if stored == printed { return nil }
        let lines = zip(stored.split(separator: "\n"), printed.split(separator: "\n")).first { $0 != $1 }
        return lines.map { "stored: \($0)\nprinted: \($1)" } ?? "one is longer than the other"
    }
}
