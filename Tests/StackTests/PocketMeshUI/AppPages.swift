import Foundation

/// The app's pages in a browser: which there are, the scripts of each, and what these use of the API.
struct AppPages {
    /// The name of what stands on every page: the bar, the tabs and the banners.
    static let every = "every page"
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The text of each script, without comments, by its file's name.
    let scripts: [String: String]
    /// The class of each page, by the page's address.
    let classes: [String: String]
    private let pages: [String: Set<String>]
    private let api: String
    /// The last fixed word of the path of each route, and what the route does.
    private let routes: [(word: String, body: String)]

    init() throws {
        let folder = Self.root.appending(path: "Sources/PocketMeshWeb/Pages/app")
        var scripts: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasSuffix("js") {
            scripts[name] = Self.code(in: try String(contentsOf: folder.appending(path: name), encoding: .utf8))
        }
        let frame = scripts["app.js"] ?? ""
        let lists = frame.matches(of: /\["[^"]+", "\w+", (\w+), \w+\]/).map { String($0.1) }
        let addressed = frame.matches(of: /\["([^"]+)", "\w+", (\w+), (\w+)\]/)
            .map { (String($0.1), String($0.3 == "null" ? $0.2 : $0.3)) }
        let alone = frame.matches(of: /#show\(null, (\w+), \{\}, "(\w+)"/).map { (String($0.2), String($0.1)) }
        classes = Dictionary(uniqueKeysWithValues: addressed + alone)
        var modules: [String: String] = [:]
        for found in frame.matches(of: /import \{ ([^}]+) \} from "\.\/([\w.]+)"/) {
            for name in found.1.split(separator: ", ") { modules[String(name)] = String(found.2) }
        }
        var pages = classes.mapValues { Self.closure([modules[$0] ?? ""], in: scripts) }
        let ofPages = Set(lists).union(classes.values)
        pages[Self.every] = Set(modules.filter { !ofPages.contains($0.key) }.map(\.value) + ["app.js"])
        (self.scripts, self.pages) = (scripts, pages)
        api = try Self.text(of: "Sources/PocketMeshWeb") { $0.hasPrefix("AppAPI") }
        routes = api.components(separatedBy: "WebRoute(\"").dropFirst().compactMap { text in
            let body = text.components(separatedBy: "\n    ]")[0]
            let path = body.firstMatch(of: /"(\/[^"]+)"/)?.1.split(separator: "/") ?? []
            return path.last { !$0.hasPrefix("{") }.map { (String($0), body) }
        }
    }

    private static func code(in text: String) -> String {
        text.split(separator: "\n").filter { line in
            let words = line.drop { $0 == " " }
            return !["//", "/*", "*"].contains { words.hasPrefix($0) }
        }.joined(separator: "\n")
    }

    /// The scripts, with those that they import.
    private static func closure(_ names: Set<String>, in scripts: [String: String]) -> Set<String> {
        let imported = names.flatMap { name in
            (scripts[name] ?? "").matches(of: /import.*"\.\/([\w.]+)"/).map { String($0.1) }
        }
        let all = names.union(imported)
        return all == names ? names : closure(all, in: scripts)
    }

    /// The text of all Swift files in a folder whose name fits.
    static func text(of folder: String, where fits: (String) -> Bool = { _ in true }) throws -> String {
        let folder = root.appending(path: folder)
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
            .filter { $0.hasSuffix(".swift") && fits($0) }
            .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }.joined()
    }

    /// A pattern in which words end at each sign that is neither a letter nor a digit.
    static func pattern(_ text: String) throws -> Regex<AnyRegexOutput> {
        try Regex(text).wordBoundaryKind(.simple)
    }

    /// The names of the scripts of a page.
    func scripts(of page: String) -> Set<String> { pages[page] ?? [] }

    /// Returns whether one of a page's lines with a word in it fits a pattern.
    private func has(_ word: String, _ pattern: String, on page: String) throws -> Bool {
        let pattern = try Self.pattern(pattern)
        return scripts(of: page).compactMap { scripts[$0] }.contains { code in
            code.split(separator: "\n").contains { $0.contains(word) && $0.contains(pattern) }
        }
    }

    /// Returns whether a page reads a member of what the API answers, by itself or with others of the same object.
    func reads(_ key: String, on page: String) throws -> Bool {
        let one = #"\.\#(key)\b(?!\()"#
        let several = #"\{[^{}()]*\b\#(key)\b[^{}()]*\}(?:\s*=[^=>]|\)\s*(?:=>|\{))"#
        return try has(key, "\(one)|\(several)", on: page)
    }

    /// Returns whether a page names a case of an enumeration.
    func names(_ name: String, on page: String) throws -> Bool {
        try has(name, #""\#(name)"|\b\#(name): "#, on: page)
    }

    /// Returns whether a page sends a request whose route uses a member.
    func requests(_ member: String, on page: String) throws -> Bool {
        let used = try Self.pattern(#"\.\#(member)\b"#)
        return try routes.contains { word, body in
            try body.contains(used) && has(word, #"["`/]\#(word)["`/?]"#, on: page)
        }
    }

    /// Returns whether the API answers with a member under a key.
    func answers(with member: String, as key: String) throws -> Bool {
        try api.contains(Self.pattern(#"\b\#(key)"?(?::| =) [^,\n]*\b\#(member)\b"#))
    }
}
