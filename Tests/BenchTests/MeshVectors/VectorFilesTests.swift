import Foundation
import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

@testable import MeshVectors

/// The files of `meshbed vectors`: complete, the same each time, and true of the bytes.
@Suite struct VectorFilesTests {
    private static let collection = VectorCollection()
    private static let made = Result { try VectorFiles(of: collection, by: "test") }

    private static var records: [VectorRecord] { collection.records }

    private static func record(_ id: String) throws -> VectorRecord {
        try #require(records.first { $0.id == id }, "there is no vector \(id)")
    }

    @Test func `there are at least 800 vectors, of every class, and no name is there twice`() throws {
        let ids = Self.records.map(\.id)

        #expect(ids.count >= 800)
        #expect(Set(ids).count == ids.count)
        for group in VectorGroup.allCases { #expect(!Self.collection.records(of: group).isEmpty, "\(group)") }
    }

    @Test func `the same files are made each time`() throws {
        let first = try Self.made.get()

        let second = try VectorFiles(by: "test")

        #expect(first.digest == second.digest)
        #expect(first.files.map(\.text) == second.files.map(\.text))
    }

    @Test func `manifest, keys and schema are JSON, and the counts of the files are true`() throws {
        let files = try Self.made.get()
        var counted = 0
        for file in files.files where file.name.hasSuffix(".json") {
            let value = try JSONSerialization.jsonObject(with: Data(file.text.utf8))
            let object = try #require(value as? [String: Any], "\(file.name)")
            guard let vectors = object["vectors"] as? [Any] else { continue }
            #expect(object["count"] as? Int == vectors.count, "\(file.name)")
            counted += vectors.count
        }

        #expect(counted == files.count)
        #expect(files.files.first?.name == "README.md")
        #expect(files.files.first?.text.isEmpty == false)
    }

    // MARK: Completeness

    /// Commands that a radio refuses unless something came before: a signature, a login, a GPS receiver.
    private static let inNeedOfMore: [CommandCode] = [.signData, .signFinish, .hasConnection, .setCustomVar]

    @Test func `every command, response, push and payload type has a valid vector`() {
        let valid = Self.records.filter { $0.verdict == "valid" }
        let names = Set(valid.map(\.name))
        let starts = Set(valid.map { $0.name.prefix { $0 != " " } })

        let without = CommandCode.allCases.filter { !names.contains($0.wireName) }
        #expect(without == Self.inNeedOfMore.sorted { $0.rawValue < $1.rawValue })
        for code in Self.inNeedOfMore { #expect(Self.records.contains { $0.name == code.wireName }, "\(code)") }
        for code in ResponseCode.allCases { #expect(names.contains(code.wireName), "\(code)") }
        for code in PushCode.allCases { #expect(names.contains(code.wireName), "\(code)") }
        for number in UInt8(0)...15 {
            let name = PayloadType(rawValue: number).name
            #expect(starts.contains { $0 == name }, "\(name)")
        }
    }

    @Test func `every command has frames that make sense to the radio`() {
        let cast = VectorCast()

        let without = CommandCode.allCases.filter { $0.samples(cast).isEmpty }

        #expect(without == [])
    }

    @Test func `each version of the firmware has vectors that hold in it`() {
        for version in FirmwareVersion.all {
            #expect(Self.records.filter { $0.versions.contains(version.name) }.count >= 700, "\(version)")
        }
    }

    @Test func `bytes that versions read differently are there once for each reading`() {
        var seen: [String: [[String]]] = [:]
        for record in Self.records where record.kind != .frame {
            seen["\(record.group) \(record.hex)", default: []].append(record.versions)
        }

        let several = seen.values.filter { $0.count > 1 }

        #expect(several.count > 10)
        for readings in several { #expect(readings.joined().sorted() == FirmwareVersion.all.map(\.name).sorted()) }
    }

    // MARK: Truth

    @Test(arguments: [
        ("paths/flood-hashes-of-1-hops-63", "valid"), ("paths/flood-hashes-of-2-hops-32", "valid"),
        ("paths/flood-hashes-of-2-hops-33", "refused"), ("paths/flood-hashes-of-3-hops-21", "valid"),
        ("paths/flood-hashes-of-3-hops-22", "refused"), ("paths/flood-hashes-of-4-hops-0", "refused"),
        ("paths/direct-hashes-of-4-hops-16", "refused"), ("limits/raw-custom-direct-payload-of-184", "valid"),
        ("limits/raw-custom-direct-payload-of-185", "refused"), ("limits/nothing", "refused"),
        ("limits/ack-version-1", "refused"), ("adverts/forged-signature", "refused"),
        ("adverts/data-of-40-of-which-32-are-signed", "valid"), ("commands/code-ff", "refused"),
        ("commands/device-query-1", "valid"),
    ])
    func `an edge has the verdict of the specification`(id: String, verdict: String) throws {
        #expect(try Self.record(id).verdict == verdict)
    }

    @Test func `a text for the radio is delivered, and a path to it is followed`() throws {
        let text = try Self.record("sealed/txt-msg-type-0")
        let path = try Self.record("paths/direct-to-the-radio-hashes-of-2")

        #expect(text.events?.contains("delivered") == true)
        #expect(text.answers?.contains(PushCode.msgWaiting.wireName) == true)
        #expect(path.events == ["forwarded"])
    }

    @Test func `a command of a later version is unknown to an older one`() throws {
        let old = try Self.record("commands/run-cli-command-1-in-1.14")
        let new = try Self.record("commands/run-cli-command-1-in-1.18")

        #expect(old.reason == ErrorCode.unsupportedCmd.wireName)
        #expect(old.versions == ["1.14", "1.15", "1.16", "1.17.1"])
        #expect(new.answers == [ResponseCode.cliReply.wireName])
    }

    @Test func `fields lie within the bytes, in order, and hold what stands there`() throws {
        for record in Self.records {
            let bytes = try #require([UInt8](hex: record.hex))
            var end = 0
            for field in record.fields {
                #expect(field.offset == end, "\(record.id) \(field.name)")
                end = field.offset + field.length
                guard end <= bytes.count else {
                    Issue.record("\(record.id): \(field.name) ends behind the bytes")
                    break
                }
                let part = bytes[field.offset..<end]
                switch field.value {
                case .hex(let hex): #expect(hex == [UInt8](part).hex, "\(record.id) \(field.name)")
                case .number(let number):
                    let value = part.reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
                    let modulus = Int64(1) << (8 * part.count)
                    #expect(value == number || value - modulus == number, "\(record.id) \(field.name)")
                }
            }
        }
    }

    @Test func `the secret of a sealed vector opens it to its plaintext`() throws {
        let sealed = Self.records.filter { $0.sealed != nil }
        for record in sealed {
            let content = try #require(record.sealed)
            let packet = try PacketView(try #require([UInt8](hex: record.hex)))

            let secret = try #require(SharedSecret(hex: content.secret))
            let opened = try #require(packet.opened(with: secret))

            #expect(opened.bytes.hex.hasPrefix(content.plaintext), "\(record.id)")
        }
        #expect(sealed.count > 60)
    }

    @Test func `a vector cites a statement of the articles`() throws {
        let articles = try [
            "Sources/MeshCompanion/MeshCompanion.docc/CompanionStatements.md",
            "Sources/MeshCompanion/MeshCompanion.docc/FirmwareVersions.md",
            "Sources/MeshFirmware/MeshFirmware.docc/OverTheAir.md",
        ].map { try String(contentsOf: StoredArticle(path: $0).url, encoding: .utf8) }.joined()

        let unknown = Set(Self.records.map(\.statement)).filter { !articles.contains("### \($0)\n") }

        #expect(unknown == [])
    }
}
