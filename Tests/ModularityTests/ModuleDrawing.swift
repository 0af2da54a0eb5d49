/// The drawing of the modules in the architecture article, printed from the manifest.
///
/// The manifest's comments `// Layer 3: worlds` name the layers. An arrow that follows from two others is left out.
struct ModuleDrawing {
    struct Layer {
        var number: Int
        var name: String
        var modules: [Manifest.Target]
    }

    private(set) var layers: [Layer] = []
    /// Modules that stand above the first layer's comment.
    private(set) var strays: [String] = []
    private let targets: [String: Manifest.Target]

    init(manifest text: String) {
        let listed = Manifest(text: text).targets.filter { !$0.isTest }.sorted { $0.line < $1.line }
        targets = Dictionary(listed.map { ($0.name, $0) }) { first, _ in first }
        let headings = Self.headings(of: text)
        for target in listed where !Self.isDoor(target.name) {
            guard let heading = headings.last(where: { $0.line < target.line }) else {
                strays.append(target.name)
                continue
            }
            // What stands below the last heading, `// Tests`, is no module of a layer.
            guard let number = heading.number else { continue }
            if layers.last?.number != number {
                layers.append(Layer(number: number, name: heading.name, modules: []))
            }
            layers[layers.count - 1].modules.append(target)
        }
    }

    /// Returns the lines at which sections of the manifest begin; the tests have no number.
    private static func headings(of text: String) -> [(line: Int, number: Int?, name: String)] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
            if let match = line.firstMatch(of: /^ *\/\/ Layer (\d+): ([^,]+)/) {
                return (index + 1, Int(match.1), String(match.2))
            }
            return line.contains(/^ *\/\/ Tests$/) ? (index + 1, nil, "tests") : nil
        }
    }

    /// Tells whether the name is that of a C library, or of the build's commit: modules that lead out of the package.
    private static func isDoor(_ name: String) -> Bool {
        name.hasPrefix("C") && name.dropFirst().first?.isUppercase == true
    }

    // MARK: Arrows

    /// The modules of ours that a module needs and that no other of them needs already.
    func arrows(of module: Manifest.Target) -> [String] {
        let own = module.dependencies.filter { targets[$0] != nil && !Self.isDoor($0) }
        return own.filter { name in !own.contains { $0 != name && reached(from: $0).contains(name) } }
    }

    private func reached(from name: String) -> Set<String> {
        var found: Set<String> = []
        var open = targets[name]?.dependencies ?? []
        while let next = open.popLast() {
            if found.insert(next).inserted { open += targets[next]?.dependencies ?? [] }
        }
        return found
    }

    /// Returns the libraries of a module by the names that people know. The build's commit is not among them.
    private func libraries(of module: Manifest.Target) -> [String] {
        let all = module.dependencies.compactMap { name in
            guard let target = targets[name] else { return name }
            if target.library != nil || !Self.isDoor(name) { return target.library }
            // A library that is reached through C of ours.
            return target.dependencies.lazy.compactMap { targets[$0]?.library }.first
        }
        // A module that also reaches a library through C of ours names it once.
        return all.indices.filter { !all[..<$0].contains(all[$0]) }.map { all[$0] }
    }

    // MARK: Printing

    /// The layers from the top, a line for each module. Within a layer the manifest's order is turned round, too, since
    /// a module stands there behind those that it needs.
    func text(isPure: (String) -> Bool) -> String {
        let names = layers.flatMap { layer in layer.modules.map(\.name) }
        let titles = layers.map { "\($0.number) \($0.name)" }
        let (left, middle) = ((titles.map(\.count).max() ?? 0) + 3, (names.map(\.count).max() ?? 0) + 1)
        var lines: [String] = []
        var isBelow = false
        for (layer, title) in zip(layers, titles).reversed() {
            if !isBelow, layer.modules.allSatisfy({ isPure($0.name) }) {
                isBelow = true
                lines += ["", "- - - - - - - - - - - - - - -  below: no clock, no random source, no waiting", ""]
            }
            for (place, module) in layer.modules.reversed().enumerated() {
                let start = Self.padded(place == 0 ? title : "", left) + Self.padded(module.name, middle)
                let (arrows, libraries) = (arrows(of: module), libraries(of: module))
                let words = [
                    arrows.isEmpty ? "" : "--> " + arrows.joined(separator: ", "),
                    libraries.isEmpty ? "" : ".. " + libraries.joined(separator: ", "),
                ]
                lines.append((start + words.filter { !$0.isEmpty }.joined(separator: " ")).trimmedAtEnd)
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A table of the modules from the bottom, with the first sentence of each module's page.
    func table(abstract: (String) -> String?) -> String {
        let rows = layers.flatMap(\.modules).compactMap { module in
            abstract(module.name).map {
                "| [\(module.name)](../../\(module.name)/\(module.name).docc/\(module.name).md) | \($0) |"
            }
        }
        return (["| module | what it is for |", "|---|---|"] + rows).joined(separator: "\n") + "\n"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}

extension String {
    fileprivate var trimmedAtEnd: String { String(reversed().drop { $0 == " " }.reversed()) }
}
