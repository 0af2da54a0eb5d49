import ArgumentParser
import Foundation
import MeshCompanion
import MeshCore
import MeshDesktop
import MeshPacket
import MeshTestSupport
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import Synchronization
import Testing

@testable import meshbed

/// Commands of `meshbed client` with a database, with and without a radio.
@Suite struct ClientDatabaseTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "client-\(UUID().uuidString)").path

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private var db: String { folder + "/radio.sqlite" }

    /// A radio with bob as a contact and two messages of his; it accepts texts and confirms them at once.
    private static func radio() -> ScriptedCompanion {
        var contents = ScriptedCompanion.Contents()
        contents.contacts = [ScriptedCompanion.contact(2, "bob")]
        contents.queue = [
            ScriptedCompanion.message("on the North Hill", timestamp: 5),
            ScriptedCompanion.message("at six", timestamp: 6),
        ]
        return ScriptedCompanion(contents) { frame in
            guard frame.first == CommandCode.sendTxtMsg.rawValue else { return nil }
            return [
                Resp.Sent(route: 0, tag: 77, timeout: 1000).encoded(),
                Push.SendConfirmed(ack: 77, roundTrip: 5).encoded(),
            ]
        }
    }

    @Test func `a message that finds no radio is queued, and the next synchronisation sends it`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let radio = Self.radio()
        let db = db
        try withClient(radio) { (client, link) async throws in
            #expect(try await client.run("sync", "--db", db))
            await link.failConnects(with: .connectionFailed("gone"))
            #expect(try await !client.run("send", "bob", "see you", "--db", db), "it is not delivered")
            let store = try PersistenceStore(path: db)
            let device = try #require(try await store.fetchActiveDevice())
            #expect(try await store.countPendingMessages(deviceID: device.id) == 1)
            // Without a database nothing could be kept.
            let error = await #expect(throws: StackError.self) { try await client.run("send", "bob", "see you") }
            #expect(error?.operation == .connection)
            await #expect(throws: ClientError.self) { try await client.run("send", "mallory", "hi", "--db", db) }
            #expect(radio.count(.sendTxtMsg) == 0)

            await link.failConnects(with: nil)
            #expect(try await client.run("sync", "--db", db))

            #expect(radio.count(.sendTxtMsg) == 1)
            #expect(try await store.countPendingMessages(deviceID: device.id) == 0)
            #expect(try await store.fetchUnconfirmedMessages(deviceID: device.id).isEmpty)
        }
    }

    @Test(arguments: [false, true])
    func `a radio is forgotten with its address, and with what is stored of it where that is asked for`(erases: Bool)
        throws
    {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let words = ["client", "forget", "--db", db] + (erases ? ["--erase"] : [])
        let (forgotten, endpoints, devices) = try withClient(Self.radio()) { [db] (client, _) async throws in
            #expect(try await client.run("sync", "--db", db))
            let command = try #require(try Meshbed.parseAsRoot(words) as? ClientForget)
            let forgotten = [
                try await command.forget(with: client.app(command.options)),
                try await command.forget(with: client.app(command.options)),
            ]
            let store = try PersistenceStore(path: db)
            return (forgotten, try await store.fetchEndpoints().count, try await store.fetchDevices().count)
        }

        #expect(forgotten == [true, false])
        #expect(endpoints == 0)
        #expect(devices == (erases ? 0 : 1))
    }

    @Test(.proves("SVC-060")) func `a daemon goes on with the radio of the last run, whenever it appears`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let db = db
        try withClient(Self.radio()) { (client, link) async throws in
            let watch = ["watch", "--for", "5", "--resume", "--json"]
            await #expect(throws: ClientError.self, "nowhere to look") { try await client.run(watch) }
            await #expect(throws: ClientError.self, "nothing yet") { try await client.run(watch + ["--db", db]) }
            #expect(try await client.run("sync", "--db", db))
            await link.failConnects(with: .connectionFailed("it is off"))
            let daemon = Task { try await client.run(watch + ["--db", db]) }
            try await client.clock.sleep(for: .seconds(3600))
            let before = await link.sentFrames.count
            await link.failConnects(with: nil)

            #expect(try await daemon.value)
            #expect(await link.sentFrames.count > before)
            // Its end is no wish to disconnect: the next one goes on as well.
            #expect(try await client.run(watch + ["--db", db]))
            try await client.whileConnected(["sync", "--db", db]) { app, _ in await app.manager.disconnect() }
            await #expect(throws: ClientError.self, "the user has disconnected") {
                try await client.run(watch + ["--db", db])
            }
        }
    }

    @Test(.proves("SVC-186")) func `a photo is made small before it is sent, without asking for a codec`() throws {
        let photo = try JPEGCodec().encode(
            try #require(
                Picture(
                    width: 640, height: 480, pixels: (0..<640 * 480 * 3).map { UInt8(truncatingIfNeeded: $0 / 640) })),
            quality: 0.95)
        try withClient(Self.radio()) { (client, _) async throws in
            let prepared = try await client.whileConnected(["sync"]) { _, connection in
                try connection.services.imageService.prepare(imageData: photo)
            }
            let picture = try JPEGCodec().decode(prepared)
            #expect((picture.width, picture.height) == (96, 72))
            #expect(prepared.count < photo.count)
        }
    }

    @Test func `messages are searched and marked as read`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let db = db
        try withClient(Self.radio()) { (client, _) async throws in
            #expect(try await client.run("sync", "--db", db))
            let store = try PersistenceStore(path: db)
            let device = try #require(try await store.fetchActiveDevice())
            let found = try await store.searchMessages(deviceID: device.id, for: "north HILL")
            #expect(found.map(\.text) == ["on the North Hill"])
            #expect(try await store.getTotalUnreadCounts(deviceID: device.id).total == 2)

            for words in [["--search", "hill"], ["bob", "--search", "six"], ["bob", "--mark-read"]] {
                let messages = try Meshbed.parseAsRoot(["client", "messages", "--db", db] + words) as? ClientMessages
                try await messages?.read(db)
            }

            #expect(try await store.getTotalUnreadCounts(deviceID: device.id).total == 0)
        }
    }

    @Test func `messages without a database are missed, and those of somebody unknown`() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let words = ["client", "messages", "bob"]
        let messages = try #require(try Meshbed.parseAsRoot(words) as? ClientMessages)

        await #expect(throws: ClientError.self) { try await messages.read(nil) }
        await #expect(throws: StackError.self) { try await messages.read(db) }
    }

    @Test func `contacts are blocked and favourites, and no more`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let db = db
        try withClient(Self.radio()) { (client, _) async throws in
            func bob() async throws -> ContactDTO? {
                let store = try PersistenceStore(path: db)
                let device = try await store.fetchActiveDevice()
                return try await store.fetchContacts(deviceID: device?.id ?? UUID()).first
            }
            #expect(try await client.run("contacts", "--block", "bob", "--favourite", "bob", "--db", db))
            let marked = try await bob()
            #expect(try await client.run("contacts", "--unblock", "bob", "--unfavourite", "bob", "--db", db))
            let unmarked = try await bob()

            #expect(marked?.isBlocked == true && marked?.isFavorite == true)
            #expect(unmarked?.isBlocked == false && unmarked?.isFavorite == false)
            await #expect(throws: ClientError.self) { try await client.run("contacts", "--block", "bob") }
        }
    }
}
