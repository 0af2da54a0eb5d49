/// Names that are declared and stand nowhere else.
///
/// It looks at words and not at what they mean: a name that is used for another thing, too, is never found. Names in
/// articles count as used, since they are promised to users.
struct UnusedNames {
    /// The functions that code outside this repository calls, each with its caller.
    static let called = [
        "appendLiteral": "the compiler, for a string interpolation",
        "callAsFunction": "whoever calls the value like a function",
        "channelReadComplete": "the event loop of SwiftNIO",
        "defaultValueDescription": "the help of ArgumentParser",
        "reconnecting": "transports of others",
    ]

    /// Names of our own that tests alone need, each with the reason.
    static let seams = [
        "endService": "a table of tests has handles without attributes behind a service, as other devices do",
        "unreadBytes": "tests hold how much a replayed endpoint keeps in memory",
    ]

    private static let rawTypes: Set<String> = [
        "String", "Character", "Int", "UInt", "Int8", "UInt8", "UInt16", "UInt32",
    ]

    /// In how many files a word stands.
    private var holders: [String: Int] = [:]
    /// The words of articles.
    private let promised: Set<String>

    /// The code in which names count, and the text of all articles.
    init(code: [SourceText], articles: [String]) {
        promised = Set(articles.flatMap { $0.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init) })
        for file in code {
            for word in file.words { holders[word, default: 0] += 1 }
        }
    }

    /// Declarations of these files that no code names; those that `counts` leaves out may be without a user.
    func check(_ files: [SourceText], counts: (Declaration) -> Bool = { _ in true }) -> [Finding] {
        files.flatMap { file -> [Finding] in
            let declarations = file.declarations
            // Cases with a raw value are reached by it.
            let raw = declarations.filter { $0.kind == .enum && !$0.parents.isDisjoint(with: Self.rawTypes) }
            let reached = Set(raw.map(\.name))
            return declarations.filter { declaration in
                let isReached = declaration.kind == .case && reached.contains(declaration.scopes.last?.name ?? "")
                return !isReached && counts(declaration) && isUnused(declaration, in: file)
            }
            .map {
                Finding(path: file.path, line: $0.line, message: "`\($0.name)` is declared and never named: delete it")
            }
        }
    }

    private func isUnused(_ declaration: Declaration, in file: SourceText) -> Bool {
        switch declaration.kind {
        case .extension, .`init`, .subscript: return false
        default: break
        }
        let name = declaration.name
        // Operators are no words, and a named value of a type is a row of its list.
        guard name.first.map({ $0.isLetter || $0 == "_" }) ?? false, !declaration.isNamedValue, holders[name] == 1,
            Self.called[name] == nil, !promised.contains(name)
        else { return false }
        return file.occurrences(of: name).count == 1
    }
}
