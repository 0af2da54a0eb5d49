package import MeshFiles
import MeshRecords
package import MeshTime
import MeshWorlds

/// The kinds of files that networks are imported from, recognised by their contents.
package enum NetworkFormat: String, Hashable, Sendable, CaseIterable {
    case meshbedNetwork
    case coreScope
    case meshCoreMap
    case meshBench
    case records

    /// For people, in errors and in the help.
    package var words: String {
        switch self {
        case .meshbedNetwork: "meshbed-network/1"
        case .coreScope: "CoreScope (nodes, observers, neighbour graph, topology)"
        case .meshCoreMap: "the MeshCore map (api/v1/nodes as JSON)"
        case .meshBench: "a MeshBench scenario"
        case .records: "observers' records (\(RecordForm.sought))"
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

    /// A file whose format is known.
    private struct Part {
        let format: NetworkFormat
        let path: String
        var value = JSONText(content: .null)
        var records: RecordFile?
    }

    /// Reads one network from files of one format; CoreScope's parts and records may come in several.
    package init(reading sources: [Source], name: String, seed: Seed) throws(FileProblem) {
        var parts: [Part] = []
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
                file: other.path, line: 0,
                reason: "is \(other.format.words), and the file before it is \(first.format.words)")
        }
        guard parts.count == 1 || first.format == .coreScope || first.format == .records else {
            throw FileProblem(
                file: parts[1].path, line: 0, reason: "only CoreScope's data and records may be in several files")
        }
        do {
            switch first.format {
            case .records:
                let records = parts.compactMap { part in
                    part.records.map { RecordSource(name: part.path, file: $0) }
                }
                self = try Self(records: records, name: name, seed: seed)
            case .coreScope: self = try Self(coreScope: parts.map(\.value), name: name)
            case .meshbedNetwork: self = try Self(meshbedNetwork: first.value, name: name)
            case .meshCoreMap: self = try Self(meshCoreMap: first.value, name: name)
            case .meshBench: self = try Self(meshBench: first.value, name: name)
            }
        } catch {
            var problem = error
            if problem.file.isEmpty, parts.count == 1 { problem.file = first.path }
            throw problem
        }
        guard nodes.count <= WorldFile.mostNodes else {
            throw FileProblem(line: 0, field: "nodes", reason: "are more than \(WorldFile.mostNodes)")
        }
    }

    private static func part(_ source: Source) throws(FileProblem) -> Part {
        guard source.bytes.count <= NetworkFormat.longest else {
            throw FileProblem(line: 0, reason: "is longer than \(NetworkFormat.longest >> 20) MiB")
        }
        let bytes = FieldText.utf8(source.bytes)
        let start = bytes.first { $0 > 0x20 && $0 < 0x80 }
        let isJSON = start == UInt8(ascii: "{") || start == UInt8(ascii: "[")
        if isJSON, !RecordFile.looksLikeOne(bytes), let value = try? JSONText(reading: bytes) {
            if let records = RecordFile(document: value) {
                return Part(format: .records, path: source.path, records: records)
            }
            return Part(format: try NetworkFormat.of(value), path: source.path, value: value)
        }
        do throws(FileProblem) {
            return Part(format: .records, path: source.path, records: try RecordFile(bytes))
        } catch {
            // A document that is no JSON says where; a text in no known form could have been anything.
            throw isJSON ? error : NetworkFormat.unknown()
        }
    }
}
