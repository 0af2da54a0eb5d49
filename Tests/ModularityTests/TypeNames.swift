/// The names of types at the top of files, and the modules that declare them: a name has one meaning in the whole
/// source.
struct TypeNames {
    private struct Place: Hashable {
        var module: String
        var path: String
        var line: Int
    }

    private var places: [String: [Place]] = [:]

    init(files: [SourceText]) {
        for file in files {
            for declaration in file.declarations where Self.isShared(declaration) {
                places[declaration.name, default: []].append(
                    Place(module: Repository.module(of: file.path), path: file.path, line: declaration.line))
            }
        }
    }

    /// The number of names that were read.
    var count: Int { places.count }

    /// The later declarations of names that another module has for a thing of its own.
    var findings: [Finding] {
        places.sorted { $0.key < $1.key }.flatMap { name, places -> [Finding] in
            guard let first = places.first else { return [] }
            return places.filter { $0.module != first.module }.map {
                Finding(
                    path: $0.path, line: $0.line,
                    message: "`\(name)` is a type of \(first.module), too: name this one after what it is")
            }
        }
    }

    /// Types, and other names for them, that more than one file can use.
    private static func isShared(_ declaration: Declaration) -> Bool {
        guard declaration.scopes.isEmpty, !declaration.isPrivate else { return false }
        return declaration.kind == .typealias || declaration.kind.isType && declaration.kind != .extension
    }
}
