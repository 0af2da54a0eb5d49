/// The types that are `package`, and those of them that their own module alone names.
///
/// A type may be `package` when a file that imports its module names it, or when a signature mentions it that reaches
/// such a file: of a declaration that is open itself and stands in nothing that ought to be closed. It looks at words,
/// so a name that is also used for another thing is never found. Tests that look inside with `@testable` ask for
/// nothing.
struct PackageTypes {
    private let files: [SourceText]
    /// The modules that a module passes on to those who import it.
    private var exports: [String: Set<String>] = [:]
    /// The modules that each file imports without `@testable`, by the place of the file.
    private var imports: [Set<String>] = []

    /// Reads all code there is, tests too.
    init(files: [SourceText]) {
        self.files = files
        for file in files {
            var plain: Set<String> = []
            for (module, line) in file.imports {
                let text = file.codeLines[line - 1]
                if text.contains("@_exported") {
                    exports[Repository.module(of: file.path), default: []].insert(module)
                }
                if !text.contains("@testable") { plain.insert(module) }
            }
            imports.append(plain)
        }
    }

    /// Returns the types of a module that could do without the word.
    func findings(in module: String) -> [Finding] {
        let declarations = files.filter { isOwn($0, module) }.flatMap(\.declarations)
        let types = declarations.filter { $0.isPackage && $0.kind.isType && $0.kind != .extension }
        let closed = closed(Set(types.map(\.name)), among: declarations, named: words(outside: module))
        return types.filter { closed.contains($0.name) }.map {
            Finding(
                path: $0.path, line: $0.line,
                message: "`\($0.name)` is `package` and no file outside \(module) names it: leave the word out")
        }
    }

    private func isOwn(_ file: SourceText, _ module: String) -> Bool {
        !file.path.hasPrefix("Tests/") && Repository.module(of: file.path) == module
    }

    /// The words of the files that see the module from outside.
    private func words(outside module: String) -> Set<String> {
        var found: Set<String> = []
        for (file, imported) in zip(files, imports) where !isOwn(file, module) && sees(imported, module) {
            found.formUnion(file.words)
        }
        return found
    }

    private func sees(_ imported: Set<String>, _ module: String) -> Bool {
        var seen: Set<String> = []
        var next = Array(imported)
        while let name = next.popLast() {
            if name == module { return true }
            if seen.insert(name).inserted { next += exports[name] ?? [] }
        }
        return false
    }

    /// Opens what others name, then what the signatures of open declarations mention, until nothing more opens.
    private func closed(
        _ names: Set<String>, among declarations: [Declaration], named words: Set<String>
    ) -> Set<String> {
        var closed = names.subtracting(words)
        let binding = declarations.filter { $0.isPackage || $0.isPublic || $0.kind == .extension }.map {
            (declaration: $0, words: Self.words(of: $0.signature))
        }
        while true {
            var opened: Set<String> = []
            for (declaration, words) in binding {
                let isClosed =
                    declaration.scopes.contains { closed.contains($0.name) }
                    || declaration.kind.isType && closed.contains(declaration.name)
                if !isClosed { opened.formUnion(words.intersection(closed)) }
            }
            if opened.isEmpty { return closed }
            closed.subtract(opened)
        }
    }

    private static func words(of signature: String) -> Set<String> {
        Set(signature.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
    }
}
