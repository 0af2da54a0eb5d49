import MeshCompanion
import MeshFirmware
import MeshTestSupport
import Testing

@testable import MeshRoleCompliance

/// The texts that statements expect of a recorded build are those of the recordings.
@Suite struct RecordedStatementTests {
    private struct Recordings: Decodable {
        let vectors: [Recording]
    }

    /// A vector of any shape, as far as it has one of these.
    private struct Recording: Decodable {
        let id: String
        let script: [Line]?
        let content: [String: String]?

        private enum CodingKeys: String, CodingKey {
            case id, script, content
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            id = try values.decode(String.self, forKey: .id)
            script = try? values.decodeIfPresent([Line].self, forKey: .script)
            content = try? values.decodeIfPresent([String: String].self, forKey: .content)
        }
    }

    private struct Line: Decodable {
        let command: String
        let reply: String?
        let repeater: String?
        let roomServer: String?
        let sensor: String?

        func answer(of role: ServerRole) -> String {
            switch role {
            case .repeater: reply ?? repeater ?? ""
            case .roomServer: reply ?? roomServer ?? ""
            case .sensor: reply ?? sensor ?? ""
            }
        }
    }

    private let vectors = VectorFile.decode(Recordings.self, "infrastructure").vectors

    @Test(arguments: ServerRole.allCases)
    func `the session is the recorded one but for the node's own key`(role: ServerRole) throws {
        let lines = try #require(vectors.first { $0.id == "CLI-SCRIPT" }?.script)
            .filter { $0.command != "get public.key" }

        #expect(lines.count == 218)
        #expect(ScriptLine.script.map(\.line) == lines.map(\.command))
        #expect(ScriptLine.script.map { $0.answer(of: role) } == lines.map { $0.answer(of: role) })
    }

    @Test(arguments: ServerRole.allCases)
    func `the file of settings is the recorded one`(role: ServerRole) throws {
        let files = try #require(vectors.first { $0.id == "FILE-PREFS" }?.content)

        #expect(RoleTopic.settings(of: role, FirmwareVersion.standard.switches) == files[role.commandName])
    }
}
