import ArgumentParser
import Foundation
import MeshCompanion
import MeshFiles
import MeshSimulator
import MeshTestSupport
import PocketMeshServices
import Synchronization
import Testing

@testable import meshbed

/// `meshbed client import`: exports of apps and lists of cards, into a radio.
@Suite struct ClientImportTests {
    private static func path(_ name: String) -> String { FieldExample.url(name).path }

    /// The contacts, the channels and the name of a radio.
    private static func contents(_ client: ClientBench) async throws -> (
        contacts: [String], channels: [String], name: String
    ) {
        try await client.whileConnected(["info"]) { _, connection in
            let (services, id) = (connection.services, connection.device.id)
            let contacts = try await services.contactService.getContacts(deviceID: id).map(\.name)
            let channels = try await services.channelService.getChannels(deviceID: id).map(\.name)
            return (contacts.sorted(), channels, connection.device.nodeName)
        }
    }

    @Test func `an export is imported once, and a dry run changes nothing`() throws {
        try withClient(in: .village, "alice") { (client, _) async throws in
            let before = try await Self.contents(client)
            #expect(try await client.run("import", Self.path("app-export.json"), "--dry-run"))
            let dry = try await Self.contents(client)
            #expect(dry == before)

            #expect(try await client.run("import", Self.path("app-export.json")))

            let after = try await Self.contents(client)
            #expect(after.contacts == (before.contacts + ["Ann", "Ben", "Hall", "Hill"]).sorted())
            #expect(after.channels == ["Public", "#valley", "Crew"])
            #expect(after.name == "Valley")
            // All is as it should be then.
            #expect(try await client.run("import", Self.path("app-export.json"), "--json"))
            let again = try await Self.contents(client)
            #expect(again == after)
        }
    }

    @Test func `a part alone can be imported`() throws {
        try withClient(in: .village, "alice") { (client, _) async throws in
            let before = try await Self.contents(client)

            #expect(try await client.run("import", Self.path("app-export.json"), "--only", "channels"))

            let after = try await Self.contents(client)
            #expect(after.contacts == before.contacts && after.name == before.name)
            #expect(after.channels.count == 3)
        }
    }

    @Test func `a forged card refuses the list, and may be left out`() throws {
        try withClient(in: .village, "alice") { (client, _) async throws in
            let before = try await Self.contents(client)
            let problem = await #expect(throws: FileProblem.self) {
                try await client.run("import", Self.path("cards-forged.txt"))
            }
            let refused = try await Self.contents(client)

            #expect(refused == before)
            #expect(problem?.description.contains("card of \"Roof\"") == true)
            #expect(problem?.reason.hasSuffix("; nothing is imported") == true)
            #expect(try await client.run("import", Self.path("cards-forged.txt"), "--skip-bad"))
            let after = try await Self.contents(client)
            #expect(after.contacts == (before.contacts + ["Ann", "Ben", "Hill"]).sorted())
            #expect(after.channels.last == "Valley")
        }
    }

    @Test func `what the radio refuses ends the import, and what was made is counted`() throws {
        let written = Mutex(0)
        let radio = ScriptedCompanion { frame in
            guard frame.first == CommandCode.addUpdateContact.rawValue else { return nil }
            let number = written.withLock { number in
                number += 1
                return number
            }
            return number == 2 ? [[1, ErrorCode.fileIOError.rawValue]] : [[0]]
        }
        try withClient(radio) { (client, _) async throws in
            let isDone = try await client.run("import", Self.path("app-export.json"), "--only", "contacts")

            #expect(!isDone)
            #expect(radio.count(.addUpdateContact) == 2)
        }
    }

    @Test func `what makes no sense is refused`() throws {
        for words in [["import"], ["import", "-", "-"], ["import", "a", "--only", "identity"]] {
            #expect(throws: (any Error).self) { try Meshbed.parseAsRoot(["client"] + words) }
        }
        let missing = try ClientImport.parse(["/no/such/file"])
        #expect(throws: (any Error).self) { try missing.export() }
        let other = try ClientImport.parse([Self.path("console.log")])
        let problem = #expect(throws: FileProblem.self) { try other.export() }
        #expect(problem?.description.contains("is in no known form; looked for an app's export") == true)
    }

    @Test func `an import for programs has no secret`() throws {
        var export = AppExport()
        try export.read(FieldExample.bytes("app-export.json"))
        let device = DeviceDTO(
            id: UUID(), publicKey: Data(repeating: 1, count: 32), nodeName: "a", maxTxPower: 22, lastConnected: Date())

        let plan = try ImportPlan(export, into: .init(device: device, contacts: [], channels: []))
        let json = try ImportRow(plan, isDry: true, made: 0).jsonText(inOneLine: true)

        #expect(json.contains(#""dryRun":true"#) && json.contains(#""name":"Crew""#))
        #expect(json.contains(#""reason":"with a private key""#))
        for secret in ["5e5e", "a1a1", "00112233", "8b3387"] { #expect(!json.contains(secret)) }
    }
}
