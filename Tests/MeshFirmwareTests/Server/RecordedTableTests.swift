import MeshCrypto
import MeshTestSupport
import MeshWire
import Testing

@testable import MeshFirmware

/// Some hundred drawn commands, and what the firmware's own sources made of each.
@Suite struct RecordedTableTests {
    private struct Recordings: Decodable {
        struct Regions: Decodable {
            struct Line: Decodable {
                let line: String
                let reply: String
                let effects: String
                let key: String
            }

            let role: String
            let fileSha256: String
            let lines: [Line]
        }

        struct Clients: Decodable {
            struct Step: Decodable {
                let setperm: String?
                let reply: String?
                let isChanged: Bool?
                let insert: String?
                let index: Int?
                let activity: UInt32?
                let permissions: UInt8?
            }

            let file: [String]
            let steps: [Step]
        }

        let regions: [Regions]
        let clients: [Clients]
    }

    private static let all = VectorFile.decode(Recordings.self, "server-tables", in: .module)

    /// A table with the loader that may be at work on it, and the key of the node's own floods.
    private struct Desk {
        var table = RegionTable()
        var loader: RegionLoader?
        var key = FixedBytes<16>()
        let role: ServerRole

        mutating func take(_ line: [UInt8]) -> (reply: String, effects: String) {
            if loader != nil {
                guard let end = loader?.take(line) else { return ("", "") }
                (table, loader) = (end.table, nil)
                return (end.reply.hex, "")
            }
            let answer = table.handleCommand(line, role: role)
            return (answer.reply.hex, answer.effects.map { perform($0) }.joined())
        }

        private mutating func perform(_ effect: RegionEffect) -> String {
            switch effect {
            case .modified: return "M"
            case .save: return "S"
            case .beginLoad:
                loader = RegionLoader(replacing: table)
                return "L"
            case .defaultChanged(let key):
                self.key = key ?? FixedBytes()
                return ""
            }
        }
    }

    @Test func `region lines are answered as the firmware answers them`() throws {
        for recorded in Self.all.regions {
            var desk = Desk(role: recorded.role == "sensor" ? .sensor : .repeater)

            for line in recorded.lines {
                let bytes = try #require([UInt8](hex: line.line))
                let answer = desk.take(bytes)
                #expect(answer == (line.reply, line.effects), "\(ByteText(bytes: bytes))")
                #expect(desk.key.hex == line.key, "\(ByteText(bytes: bytes))")
            }

            #expect(desk.table.stored().withUnsafeBytes { SHA256.hash($0) }.hex == recorded.fileSha256)
        }
        #expect(Self.all.regions.map(\.lines.count) == [100, 100, 100, 100])
    }

    @Test func `clients come, go and give way as in the firmware`() throws {
        for recorded in Self.all.clients {
            var table = ClientTable()

            for step in recorded.steps { try Self.take(step, &table) }

            let file = table.stored(role: .repeater)
            let clients = stride(from: 0, to: file.count, by: 136).map { file[$0...($0 + 1)] + [file[$0 + 32]] }
            #expect(clients.map(\.hex) == recorded.file)
        }
        #expect(Self.all.clients.map(\.steps.count) == [100, 100])
    }

    private static func take(_ step: Recordings.Clients.Step, _ table: inout ClientTable) throws {
        if let line = step.setperm {
            let line = try #require([UInt8](hex: line))
            let answer = table.handleSetPermissions([UInt8](line.dropFirst(8)), identity: InfrastructureVectors.server)
            #expect("\(answer.reply)" == step.reply, "\(ByteText(bytes: line))")
            #expect(answer.isChanged == step.isChanged, "\(ByteText(bytes: line))")
        } else {
            let index = table.insert(PublicKey(try #require([UInt8](hex: step.insert ?? ""))))
            #expect(index == step.index)
            table[index].lastActivity = try #require(step.activity)
            table[index].permissions = ClientPermissions(rawValue: try #require(step.permissions))
        }
    }
}
