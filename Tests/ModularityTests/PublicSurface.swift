/// The public declarations of products, and their comments.
///
/// A declaration needs a comment directly above it, unless one of these explains it:
/// - the protocol whose requirement it is: the documentation shows the comment there (`isRequired`, `witnesses`);
/// - the properties of its type: an initialiser that only stores them by their names;
/// - the comment of its enumeration, or of its type: a case without a value, a named value of the type itself.
struct PublicSurface {
    /// Requirements of protocols of the library and of the packages that we use.
    static let witnesses: Set<String> = [
        // Text, comparison and identity.
        "description", "debugDescription", "errorDescription", "hash", "id", "rawValue", "body",
        // Coding.
        "encode", "stringValue", "intValue",
        // Sequences and random numbers.
        "next", "makeIterator", "makeAsyncIterator", "startIndex", "endIndex",
        // Result builders, which the compiler calls.
        "buildExpression", "buildBlock", "buildOptional", "buildEither", "buildArray", "buildFinalResult",
    ]

    private let declarations: [Declaration]
    /// The requirements of each protocol of ours.
    private var requirements: [String: Set<String>] = [:]
    /// The parents of each type, from all its declarations.
    private var parents: [String: Set<String>] = [:]
    /// The public properties of each type of a module.
    private var properties: [String: Set<String>] = [:]

    init(files: [SourceText]) {
        let all = files.flatMap(\.declarations)
        declarations = all.filter(\.isPublic)
        for declaration in all where declaration.kind.isType {
            parents[declaration.name, default: []].formUnion(declaration.parents)
        }
        for declaration in declarations {
            guard let scope = declaration.scopes.last else { continue }
            if scope.kind == .protocol { requirements[scope.name, default: []].insert(declaration.name) }
            if declaration.kind == .var || declaration.kind == .let {
                properties[Self.key(declaration, scope), default: []].insert(declaration.name)
            }
        }
    }

    /// Modules that declare something public.
    var modules: Set<String> { Set(declarations.map { Repository.module(of: $0.path) }) }

    /// Returns the declarations that a module has to document and does not.
    func undocumented(in module: String) -> [Finding] {
        declarations.filter { Repository.module(of: $0.path) == module && !$0.isDocumented && !isExplained($0) }.map {
            Finding(
                path: $0.path, line: $0.line,
                message: "`\($0.name)` is public without a comment: say what it is, or let it be internal")
        }
    }

    private func isExplained(_ declaration: Declaration) -> Bool {
        switch declaration.kind {
        case .case: return !declaration.signature.contains("(")
        case .`init`: return isPlain(declaration) || isRequired(declaration)
        case .let, .var: if declaration.isNamedValue { return true }
        case .func:
            // An operator does what it does everywhere.
            if declaration.name.first.map({ !$0.isLetter && $0 != "_" }) ?? false { return true }
        default: break
        }
        return Self.witnesses.contains(declaration.name) || isRequired(declaration)
    }

    /// An initialiser of the library's protocols, or one that stores properties by their names.
    private func isPlain(_ declaration: Declaration) -> Bool {
        let signature = declaration.signature
        if ["init(from ", "rawValue", "Literal"].contains(where: signature.contains) { return true }
        guard let scope = declaration.scopes.last else { return false }
        return declaration.parameters.allSatisfy(properties[Self.key(declaration, scope), default: []].contains)
    }

    private func isRequired(_ declaration: Declaration) -> Bool {
        guard let scope = declaration.scopes.last, scope.kind != .protocol else { return false }
        var open = [scope.name]
        var seen: Set<String> = []
        while let type = open.popLast() {
            guard seen.insert(type).inserted else { continue }
            if type != scope.name, requirements[type]?.contains(declaration.name) ?? false { return true }
            open += parents[type, default: []]
        }
        return false
    }

    private static func key(_ declaration: Declaration, _ scope: Declaration.Scope) -> String {
        Repository.module(of: declaration.path) + "." + scope.name
    }
}
