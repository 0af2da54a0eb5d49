import MeshCompanion
import MeshCrypto
import MeshFiles
import MeshFirmware
import MeshWire

/// The files of a folder of test vectors: every packet and frame, the keys, the schema, and a page for readers.
package struct VectorFiles: Sendable {
    /// A file by its name in the folder.
    package struct File: Sendable {
        package let name: String
        package let text: String
    }

    /// In the order in which they are written.
    package let files: [File]
    /// The number of vectors.
    package let count: Int
    /// SHA-256 over all files of vectors, one behind the other.
    package let digest: String

    /// Asks the model about every case, and writes the files; the same ones each time.
    ///
    /// - Parameter program: the name and version of the program, for the manifest.
    package init(by program: String) throws {
        try self.init(of: VectorCollection(), by: program)
    }

    /// Writes the files of verdicts that are there.
    init(of collection: VectorCollection, by program: String) throws {
        var entries: [Manifest.Entry] = []
        var groups: [File] = []
        var whole = SHA256()
        for group in VectorGroup.allCases {
            let records = collection.records(of: group)
            let file = File(name: "\(group.rawValue).json", text: try Self.text(of: group, records))
            whole.update([UInt8](file.text.utf8))
            entries.append(Manifest.Entry(file, group, records))
            groups.append(file)
        }
        count = collection.records.count
        digest = whole.finalize().hex
        let manifest = Manifest(
            format: 1, program: program, versions: FirmwareVersion.all.map(\.name), count: count,
            refused: entries.reduce(0) { $0 + $1.refused }, digest: digest, files: entries)
        files =
            [
                File(name: "README.md", text: Self.text(PackageResources.README_md)),
                File(name: "manifest.json", text: try manifest.jsonText() + "\n"),
                File(name: "vectors.schema.json", text: Self.text(PackageResources.vectors_schema_json)),
                File(name: "keys.json", text: try VectorKeys(collection.cast).jsonText() + "\n"),
            ] + groups
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// A line for each vector, so that differences between two folders can be read.
    private static func text(of group: VectorGroup, _ records: [VectorRecord]) throws -> String {
        let head = try VectorHead(group: group.rawValue, title: group.title, count: records.count)
            .jsonText(inOneLine: true)
        let lines = try records.map { try $0.jsonText(inOneLine: true) }
        return String(head.dropLast()) + ",\"vectors\":[\n" + lines.joined(separator: ",\n") + "\n]}\n"
    }
}

/// The first members of a file of vectors.
private struct VectorHead: Encodable {
    let group: String
    let title: String
    let count: Int
}

/// The list of the files of vectors, with what a program checks before it reads them.
private struct Manifest: Encodable {
    struct Entry: Encodable {
        let name: String
        let title: String
        let count: Int
        let refused: Int
        let sha256: String

        init(_ file: VectorFiles.File, _ group: VectorGroup, _ records: [VectorRecord]) {
            name = file.name
            title = group.title
            count = records.count
            refused = records.filter { $0.verdict == "refused" }.count
            var hash = SHA256()
            hash.update([UInt8](file.text.utf8))
            sha256 = hash.finalize().hex
        }
    }

    let format: Int
    let program: String
    let versions: [String]
    let count: Int
    let refused: Int
    let digest: String
    let files: [Entry]
}

/// The keys of the cast; tests alone use them.
private struct VectorKeys: Encodable {
    struct Node: Encodable {
        let name: String
        let seed: String
        let publicKey: String
        let privateKey: String
        let hash: String
    }

    struct Channel: Encodable {
        let name: String
        let key: String
        let secret: String
        let hash: String
    }

    struct Pair: Encodable {
        let nodes: [String]
        let secret: String
    }

    let nodes: [Node]
    let channels: [Channel]
    let sharedSecrets: [Pair]
    let radio: String
    /// The advert by which the radio knows alice.
    let introduction: String

    init(_ cast: VectorCast) {
        nodes = cast.members.map { member in
            Node(
                name: member.name, seed: member.seed.hex, publicKey: member.key.hex,
                privateKey: member.identity.privateKey.hex, hash: [member.hash].hex)
        }
        channels = cast.channels.map { channel in
            Channel(
                name: channel.name.text.description, key: [UInt8](channel.secret.prefix(16)).hex,
                secret: channel.secret.hex, hash: [channel.hash].hex)
        }
        sharedSecrets = [cast.alice, cast.carol].map { member in
            Pair(nodes: [member.name, cast.bob.name], secret: member.identity.sharedSecret(with: cast.bob.key).hex)
        }
        radio = cast.bob.name
        introduction = cast.introduction.hex
    }
}
