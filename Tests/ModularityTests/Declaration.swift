/// A declaration of a Swift file, as far as its lines show it.
struct Declaration {
    enum Kind: String {
        case `struct`, `enum`, `class`, actor, `protocol`, `extension`
        case `func`, `var`, `let`, `init`, `subscript`, `typealias`, `case`, `associatedtype`

        /// Tells whether it has members that are declared line by line.
        var isType: Bool {
            switch self {
            case .struct, .enum, .class, .actor, .protocol, .extension: true
            default: false
            }
        }
    }

    /// A type, or an extension of one, round a declaration.
    struct Scope {
        var kind: Kind
        var name: String
        var isPublic: Bool
        var isPackage: Bool
    }

    let path: String
    /// Counted from 1.
    let line: Int
    let kind: Kind
    /// The name: `init` and `subscript` for those, operators as they are written, the type for an extension.
    let name: String
    /// The code from its first word to the end of the signature, in one line.
    let signature: String
    /// The scopes around it, the innermost last.
    let scopes: [Scope]
    /// True by its own word, or as a requirement or case of something that is.
    let isPublic: Bool
    /// Tells whether it is `package`, by its own word or as a requirement or case of something that is.
    let isPackage: Bool
    /// Tells whether its file alone sees it.
    let isPrivate: Bool
    /// Tells whether a comment for readers stands directly above it.
    let isDocumented: Bool
}

extension Declaration {
    /// The names of the parameters as the caller writes them; where there is none, the name inside.
    var parameters: [String] {
        guard let open = signature.firstIndex(of: "(") else { return [] }
        var found: [String] = []
        var current = ""
        var depth = 0
        var last: Character = " "
        for character in signature[open...] {
            if "([{<".contains(character) { depth += 1 }
            if ")]}".contains(character) || (character == ">" && last != "-") { depth -= 1 }
            last = character
            if depth == 0 { break }
            if character == ",", depth == 1 {
                found.append(current)
                current = ""
            } else {
                current.append(character)
            }
        }
        return (found + [current]).compactMap { text in
            let words = text.drop { $0 == "(" }.prefix { $0 != ":" }.split(separator: " ").filter { !$0.hasPrefix("@") }
            return (words.first == "_" ? words.last : words.first).map(String.init)
        }
    }

    /// The names behind the colon of a type or extension: what it conforms to, and what that is made of.
    var parents: Set<String> {
        guard kind.isType, let colon = signature.firstIndex(of: ":") else { return [] }
        let clause = signature[colon...].prefix { $0 != "{" }
        return Set(clause.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
    }
}

extension Declaration {
    /// A value of the type that it stands in: `static let everybody = Channel("Public")` in `Channel`.
    var isNamedValue: Bool {
        guard let scope = scopes.last, signature.contains("static ") else { return false }
        let text = signature.filter { $0 != "`" }
        let value = text.split(separator: "\(kind.rawValue) \(name)", maxSplits: 1).last ?? ""
        let type = value.drop { " :=".contains($0) }.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        return type == "Self" || type == scope.name
    }
}

extension SourceText {
    /// The declarations of the file, members of functions left out.
    var declarations: [Declaration] {
        var scanner = DeclarationScanner(file: self)
        scanner.run()
        return scanner.found
    }

    /// The modules that the file imports for those who see its declarations.
    var publicImports: [String] {
        imports.filter { codeLines[$0.line - 1].contains("public import") }.map(\.module)
    }
}

/// Finds the declarations of a file. Each begins a line, which the formatter sees to.
private struct DeclarationScanner {
    private static let modifiers: Set<Substring> = [
        "public", "open", "package", "internal", "private", "fileprivate", "static", "final", "nonisolated", "mutating",
        "nonmutating", "indirect", "override", "required", "convenience", "lazy", "weak", "consuming", "borrowing",
        "prefix", "postfix", "infix", "dynamic", "unowned", "isolated",
    ]

    /// The beginning of a line that declares something.
    private struct Head {
        var kind: Declaration.Kind
        var modifiers: [Substring]
        var name: String
    }

    let file: SourceText
    private(set) var found: [Declaration] = []
    /// The open braces: types, and `nil` for bodies.
    private var scopes: [Declaration.Scope?] = []
    /// A type whose brace is yet to come.
    private var waiting: Declaration.Scope?

    init(file: SourceText) { self.file = file }

    mutating func run() {
        for index in file.codeLines.indices {
            if scopes.allSatisfy({ $0 != nil }), let head = head(of: file.codeLines[index]) {
                declare(head, at: index)
            }
            for byte in file.codeLines[index].utf8 {
                if byte == UInt8(ascii: "{") {
                    scopes.append(waiting)
                    waiting = nil
                } else if byte == UInt8(ascii: "}") {
                    _ = scopes.popLast()
                }
            }
        }
    }

    private mutating func declare(_ head: Head, at index: Int) {
        let isExplicit = head.modifiers.contains("public") || head.modifiers.contains("open")
        let isPublic = isExplicit || isByScope(head, \.isPublic)
        let isExplicitPackage = head.modifiers.contains("package")
        let isPackage = isExplicitPackage || isByScope(head, \.isPackage)
        if head.kind.isType {
            waiting = Declaration.Scope(
                kind: head.kind, name: head.name, isPublic: head.kind == .extension ? isExplicit : isPublic,
                isPackage: head.kind == .extension ? isExplicitPackage : isPackage)
        }
        found.append(
            Declaration(
                path: file.path, line: index + 1, kind: head.kind, name: head.name,
                signature: signature(from: index, isType: head.kind.isType), scopes: scopes.compactMap(\.self),
                isPublic: isPublic && head.kind != .extension, isPackage: isPackage && head.kind != .extension,
                isPrivate: head.modifiers.contains("private") || head.modifiers.contains("fileprivate"),
                isDocumented: isDocumented(above: index)))
    }

    /// Requirements and cases are as open as what they are part of, and so is what an open extension declares.
    private func isByScope(_ head: Head, _ isOpen: KeyPath<Declaration.Scope, Bool>) -> Bool {
        guard let scope = scopes.last.flatMap(\.self), scope[keyPath: isOpen],
            !["private", "fileprivate", "internal", "package", "public"].contains(where: head.modifiers.contains)
        else { return false }
        return scope.kind == .protocol || scope.kind == .extension || (scope.kind == .enum && head.kind == .case)
    }

    private func head(of line: String) -> Head? {
        var rest = line[...]
        var modifiers: [Substring] = []
        while true {
            rest = rest.drop { $0 == " " }
            let isAttribute = rest.first == "@"
            let word = (isAttribute ? rest.dropFirst() : rest).prefix { $0.isLetter || $0 == "_" }
            guard !word.isEmpty else { return nil }
            rest = rest.dropFirst(word.count + (isAttribute ? 1 : 0))
            if isAttribute || Self.modifiers.contains(word) {
                // `private(set)` says nothing of who may read.
                if rest.first == "(" {
                    rest = rest.drop { $0 != ")" }.dropFirst()
                } else if !isAttribute {
                    modifiers.append(word)
                }
                continue
            }
            guard let kind = Declaration.Kind(rawValue: String(word)), " (<?!".contains(rest.first ?? "\n") else {
                return nil
            }
            return Head(kind: kind, modifiers: modifiers, name: name(kind, rest.drop { $0 == " " || $0 == "`" }))
        }
    }

    private func name(_ kind: Declaration.Kind, _ rest: Substring) -> String {
        if kind == .`init` || kind == .subscript { return kind.rawValue }
        let isWord = { (character: Character) in character.isLetter || character.isNumber || character == "_" }
        let name = rest.prefix(while: isWord)
        if kind == .extension {
            let path = rest.prefix { isWord($0) || $0 == "." }
            return path.split(separator: ".").last.map(String.init) ?? ""
        }
        return name.isEmpty ? String(rest.prefix { $0 != "(" && $0 != " " }) : String(name)
    }

    private func signature(from index: Int, isType: Bool) -> String {
        var text = ""
        for line in file.codeLines[index...].prefix(40) {
            text.append(contentsOf: line.drop { $0 == " " })
            text.append(" ")
            let isWhole =
                isType
                ? text.contains("{") : text.utf8.count { $0 == Ascii.open } == text.utf8.count { $0 == Ascii.close }
            if isWhole { break }
        }
        return text
    }

    /// Attributes may stand in between.
    private func isDocumented(above index: Int) -> Bool {
        var at = index - 1
        while at >= 0, file.codeLines[at].drop(while: { $0 == " " }).first == "@", head(of: file.codeLines[at]) == nil {
            at -= 1
        }
        return at >= 0 && file.lines[at].drop { $0 == " " }.hasPrefix("///")
    }
}
