import ArgumentParser
import Foundation
import MeshCompanion
import MeshCore
import MeshPacket
import MeshSimulator
import MeshTime
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import Synchronization
import Testing

@testable import meshbed

/// The effects of commands of `meshbed client` on a radio, and their exit status.
@Suite struct ClientCommandTests {
    private static let orders: [VirtualTime.Order] = [.arrival, .drawn(Seed(1)), .drawn(Seed(2)), .drawn(Seed(3))]
    private static let showing = [
        ["info"], ["contacts"], ["contacts", "--json"], ["channel", "list"], ["channel", "list", "--json"], ["sync"],
        ["sync", "--json"],
    ]

    private static func radio(announced: UInt32? = nil) -> ScriptedCompanion {
        var contents = ScriptedCompanion.Contents()
        contents.contacts = [ScriptedCompanion.contact(2, "bob")]
        contents.announced = announced
        return ScriptedCompanion(contents)
    }

    // MARK: Incomplete synchronisations

    @Test(arguments: showing) func `what was synchronised is shown with status 0`(words: [String]) throws {
        let isGood = try withClient(Self.radio()) { client, _ in try await client.run(words) }

        #expect(isGood)
    }

    @Test(arguments: showing, orders)
    func `what is not complete does not pass for success`(words: [String], order: VirtualTime.Order) throws {
        try withClient(Self.radio(announced: 2), order: order) { (client, _) async throws in
            let isGood = try await client.run(words)

            #expect(!isGood)
        }
    }

    @Test(
        arguments: orders, [Duration.seconds(9), .seconds(15), .seconds(16), .seconds(17), .seconds(18), .seconds(25)])
    func `a radio that closes behind its silence does not pass for success`(
        order: VirtualTime.Order, moment: Duration
    ) throws {
        try withClient(Self.radio(announced: 2), order: order) { (client, link) async throws in
            let closing = Task {
                try await client.clock.sleep(for: moment)
                await link.simulateLoss()
                await link.failConnects(with: .connectionFailed("gone"))
            }
            do {
                let isGood = try await client.run("sync")
                #expect(!isGood)
            } catch {
                #expect((error as? StackError)?.operation == .connection, "\(error)")
            }
            closing.cancel()
        }
    }

    @Test func `a command that does something else says what is missing, and may succeed`() throws {
        try withClient(Self.radio(announced: 2)) { (client, _) async throws in
            let isGood = try await client.run("advert")
            let shortfall = try await client.whileConnected(["advert"]) { _, connection in connection.shortfall }

            #expect(isGood)
            #expect(shortfall?.hasPrefix("the synchronisation failed: contacts: ") == true, "\(shortfall ?? "")")
        }
    }

    // MARK: A queue without an end

    @Test(arguments: [true, false])
    func `a radio that always has one more message is left at the limit`(isRepeated: Bool) throws {
        let number = Mutex(UInt32(7))
        let radio = ScriptedCompanion { frame in
            guard frame.first == CommandCode.syncNextMessage.rawValue else { return nil }
            let timestamp = number.withLock { number in
                if !isRepeated { number += 1 }
                return number
            }
            return [ScriptedCompanion.message("one more", timestamp: timestamp)]
        }
        try withClient(radio) { (client, _) async throws in
            let isGood = try await client.run("sync", "--at-most", "40")

            #expect(!isGood)
            #expect(radio.count(.syncNextMessage) == (isRepeated ? 16 : 40))
        }
    }

    // MARK: Settings and clock

    @Test func `info and settings say the same of a position, set or not`() throws {
        var contents = ScriptedCompanion.Contents()
        let rows = try [(0, 0), (48_117_000, 11_517_000)].map { latitude, longitude in
            (contents.latitude, contents.longitude) = (Int32(latitude), Int32(longitude))
            return try withClient(ScriptedCompanion(contents)) { (client, _) async throws in
                try await client.whileConnected(["info"]) { _, connection in
                    (
                        InfoRow(connection.device, millivolts: 4100, contacts: 0, channels: 0, queued: 0),
                        SettingsRow(connection.device)
                    )
                }
            }
        }

        #expect(rows[0].0.lines.contains("position  not set"))
        #expect(rows[0].1.lines.contains("position   not set, shared by adverts: policy 0"))
        #expect(rows[1].0.lines.contains("position  48.117, 11.517"))
        #expect(rows[1].1.lines.contains("position   48.117, 11.517, shared by adverts: policy 0"))
        for (info, settings) in rows {
            #expect(info.latitude == settings.latitude && info.longitude == settings.longitude)
        }
        #expect(rows[0].0.latitude == nil && rows[1].0.latitude == 48.117)
    }

    @Test func `a clock is set to this machine's, and told beside it`() throws {
        let radio = ScriptedCompanion()
        try withClient(radio) { (client, _) async throws in
            #expect(try await client.run("clock"))
            #expect(radio.count(.setDeviceTime) == 0)
            #expect(try await client.run("clock", "--set"))
            #expect(radio.count(.setDeviceTime) == 1)
        }
        #expect(
            ClockRow(seconds: 1_749_900_000, ahead: -3).description
                == "2025-06-14 11:20:00 UTC, 3 s behind this machine")
        #expect(ClockRow(seconds: 0, ahead: 0).description == "1970-01-01 00:00:00 UTC, as this machine")
    }

    @Test func `a factory reset needs the node's name, or yes`() throws {
        let radio = ScriptedCompanion()
        try withClient(radio) { (client, _) async throws in
            #expect(try await client.run("factory-reset", "--yes"))
            #expect(radio.count(.factoryReset) == 1)
        }
        #expect(ClientFactoryReset.isConfirmed(by: " alice ", name: "alice"))
        for answer in [nil, "", "y", "yes", "Alice", "bob"] {
            #expect(!ClientFactoryReset.isConfirmed(by: answer, name: "alice"))
        }
        #expect(!ClientFactoryReset.isConfirmed(by: "", name: ""))
    }

    // MARK: Traces

    @Test func `a trace goes along the path and back`() throws {
        #expect(try TracePath("1a,2b,1a").bytes == [0x1A, 0x2B, 0x1A])
        #expect(try TracePath("1a2b,3c4d").flags == 1)
        var contact = ContactDTO(deviceID: UUID(), publicKey: Data(repeating: 9, count: 32), name: "rep")
        contact.typeRawValue = NodeType.repeater.rawValue
        contact.outPathLengthRaw = PathLength(hashSize: 1, hops: 2).rawValue
        contact.outPath = Data([1, 2])
        #expect(try TracePath(to: contact).bytes == [1, 2, 9, 2, 1])
        contact.typeRawValue = NodeType.chat.rawValue
        #expect(try TracePath(to: contact).bytes == [1, 2, 1])
        // Hashes of three bytes are shortened to the two that a trace has.
        contact.outPathLengthRaw = PathLength(hashSize: 3, hops: 2).rawValue
        contact.outPath = Data([1, 2, 3, 4, 5, 6])
        #expect(try TracePath(to: contact).bytes == [1, 2, 4, 5, 1, 2])
        #expect(try TracePath(to: contact).flags == 1)
        contact.outPathLengthRaw = PathLength(hashSize: 1, hops: 0).rawValue
        #expect(throws: ClientError.self) { try TracePath(to: contact) }
        contact.outPathLengthRaw = PathLength.unknown.rawValue
        #expect(throws: ClientError.self) { try TracePath(to: contact) }
    }

    // MARK: In an emulated mesh

    @Test func `a sensor is logged in to, commanded and asked`() throws {
        try withClient(in: .village, "alice") { (client, _) async throws in
            let password = ["--password", "password"]
            #expect(try await client.persist(["login", "sens1", "--telemetry", "--command", "get role"] + password))
            #expect(try await client.persist(["telemetry", "sens1"] + password))
            #expect(try await client.persist(["telemetry", "sens1", "--over", "600"] + password))
            #expect(try await client.run("telemetry"))
            // It never answers, so nobody waits for it.
            let asked = client.clock.now
            #expect(try await !client.run(["login", "sens1", "--status"] + password))
            #expect(asked.duration(to: client.clock.now) < .seconds(5))
        }
    }

    @Test func `nodes in reach are discovered and traced`() throws {
        try withClient(in: .village, "alice") { (client, _) async throws in
            #expect(try await client.persist(["discover"]))
            await #expect(throws: ClientError.self) { try await client.run("trace", "rep1") }
            #expect(try await client.persist(["login", "rep1", "--password", "password"]))
            #expect(try await client.persist(["contacts", "--find-path", "rep1"]))
            #expect(try await client.persist(["trace", "rep1"]))
            await #expect(throws: ClientError.self) { try await client.run("trace", "nobody") }
        }
        try withClient(in: .solo, "alice") { (client, _) async throws in
            #expect(try await !client.run("discover"), "nobody is there")
        }
    }
}
