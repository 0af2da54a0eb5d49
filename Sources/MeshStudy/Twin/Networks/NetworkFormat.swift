package import MeshFiles
import MeshSimulator
package import MeshTime
import MeshWorlds

/// The kinds of files that networks are imported from, recognised by their contents.
package enum NetworkFormat: String, Hashable, Sendable, CaseIterable {
    case meshbedNetwork
    case coreScope
    case meshCoreMap
    case meshBench
    case adverts

    /// For people, in errors and in the help.
    package var words: String {
        switch self {
        case .meshbedNetwork: "meshbed-network/1"
        case .coreScope: "CoreScope (nodes, observers, neighbour graph, topology)"
        case .meshCoreMap: "the MeshCore map (api/v1/nodes as JSON)"
        case .meshBench: "a MeshBench scenario"
        case .adverts: "adverts heard, in lines of hex or JSON"
        }
    }

    /// Bytes of a file.
    package static let longest = WorldFile.longest

    static func unknown() -> FileProblem {
        let known = allCases.map(\.words).joined(separator: "; ")
        return FileProblem(line: 0, reason: "is in no known format; known are \(known)")
    }

    /// The format of a value that was read; throws for one of none.
    static func of(_ value: JSONText) throws(FileProblem) -> NetworkFormat {
        switch value.content {
        case .array(let elements):
            if let first = elements.first, keys(first).contains("adv_name") { return .meshCoreMap }
            if let first = elements.first, keys(first).contains("public_key") { return .coreScope }
        case .object:
            let fields = try JSONFields(value, at: "")
            if let format = try? fields.string("format") {
                guard format == NetworkFormat.meshbedNetwork.words else { break }
                return .meshbedNetwork
            }
            if fields.member("topPairs") != nil || fields.member("edges") != nil { return .coreScope }
            let nodes = (try? fields.list("nodes")) ?? nil
            let first = (nodes ?? ((try? fields.list("observers")) ?? nil))?.first.map(keys) ?? []
            if first.contains("Position") || first.contains("Kind") { return .meshBench }
            if first.contains("adv_name") { return .meshCoreMap }
            if first.contains("public_key") || first.contains("pubkey") { return .coreScope }
            if nodes == nil, first.contains("id") { return .coreScope }
        default: break
        }
        throw unknown()
    }

    private static func keys(_ value: JSONText) -> [String] {
        guard case .object(let members) = value.content else { return [] }
        return members.map(\.key)
    }
}

extension ObservedNetwork {
    /// A file that the user named, and its bytes.
    package struct Source: Sendable {
        package var path: String
        package var bytes: [UInt8]

        package init(path: String, bytes: [UInt8]) {
            self.path = path
            self.bytes = bytes
        }
    }

    /// Reads one network from files of one format; CoreScope's parts may come in several.
    package init(reading sources: [Source], name: String, seed: Seed) throws(FileProblem) {
        var parts: [(format: NetworkFormat, value: JSONText?, source: Source)] = []
        for source in sources {
            do {
                parts.append(try Self.part(source))
            } catch {
                var problem = error
                problem.file = source.path
                throw problem
            }
        }
        guard let first = parts.first else { throw FileProblem(line: 0, reason: "no file is named") }
        if let other = parts.first(where: { $0.format != first.format }) {
            throw FileProblem(
                file: other.source.path, line: 0,
                reason: "is \(other.format.words), and the file before it is \(first.format.words)")
        }
        guard parts.count == 1 || first.format == .coreScope else {
            throw FileProblem(
                file: parts[1].source.path, line: 0, reason: "only CoreScope's data may be in several files")
        }
        do {
            switch first.format {
            case .adverts: self = try Self(adverts: first.source.bytes, name: name, seed: seed)
            case .coreScope: self = try Self(coreScope: parts.compactMap(\.value), name: name)
            case .meshbedNetwork: self = try Self(meshbedNetwork: Self.value(first.value), name: name)
            case .meshCoreMap: self = try Self(meshCoreMap: Self.value(first.value), name: name)
            case .meshBench: self = try Self(meshBench: Self.value(first.value), name: name)
            }
        } catch {
            var problem = error
            if problem.file.isEmpty, parts.count == 1 { problem.file = first.source.path }
            throw problem
        }
        guard nodes.count <= WorldFile.mostNodes else {
            throw FileProblem(line: 0, field: "nodes", reason: "are more than \(WorldFile.mostNodes)")
        }
    }

    private static func part(_ source: Source) throws(FileProblem) -> (NetworkFormat, JSONText?, Source) {
        guard source.bytes.count <= NetworkFormat.longest else {
            throw FileProblem(line: 0, reason: "is longer than \(NetworkFormat.longest >> 20) MiB")
        }
        if AdvertFile.looksLikeOne(source.bytes) { return (.adverts, nil, source) }
        let start = source.bytes.first { $0 > 0x20 && $0 < 0x80 }
        guard start == UInt8(ascii: "{") || start == UInt8(ascii: "[") else { throw NetworkFormat.unknown() }
        let value = try JSONText(reading: source.bytes)
        return (try NetworkFormat.of(value), value, source)
    }

    private static func value(_ value: JSONText?) throws(FileProblem) -> JSONText {
        guard let value else { throw NetworkFormat.unknown() }
        return value
    }

    /// Adverts give places and roles, and no link.
    private init(adverts bytes: [UInt8], name: String, seed: Seed) throws(FileProblem) {
        let file = try AdvertFile(bytes, name: name, seed: seed)
        self.init(name: name)
        for node in file.plan.topology.nodes {
            var own = Node(node.label, node.role)
            own.place = node.place
            nodes.append(own)
        }
        notes.append("\(nodes.count) nodes from \(file.adverts) adverts")
        if file.placeless > 0 { notes.append("\(file.placeless) nodes left out, which do not say where they are") }
        if let note = Globe.note(misplaced: file.misplaced, isNodeLeftOut: true) { notes.append(note) }
        if file.others > 0 { notes.append("\(file.others) packets that are no valid adverts") }
    }
}
