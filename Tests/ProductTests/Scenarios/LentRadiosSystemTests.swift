import Foundation
import MeshCore
import MeshEmulator
import MeshSimulator
import MeshTime
import MeshTransports
import MeshWire
import Testing

@testable import MeshBoards
@testable import MeshTestbed

/// Real radios of a run of scenarios: what stands in files outlives a run that is killed.
@Suite(.serialized) struct LentRadiosSystemTests {
    /// A radio at a socket, and a folder for its record.
    private struct Desk {
        let emulator: Emulator
        let target: Target
        let boards: BoardFolders

        func name() async throws -> String? {
            try await emulator.inspect { world in
                world.nodes.compactMap(world.companion).first?.name.description
            }
        }

        func rename(_ name: String) async throws {
            let address = try #require(target.addresses.first)
            let session = MeshCoreSession(transport: StreamTransport(address), clock: ContinuousClock())
            try await session.start()
            try await session.setName(name)
            await session.stop()
        }

        func lent() throws -> LentRadios {
            let claim = try BoardClaim(target, for: "a test", in: boards)
            defer { claim.release() }
            return try LentRadios([claim], in: boards)
        }

        var records: [String] {
            let found = boards.records.flatMap { FileManager.default.enumerator(atPath: $0) }
            return (found?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".json") }
        }
    }

    private static func with(_ body: (Desk) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "lent-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let emulator = try await Emulator.start(
            .init(world: .solo, seed: Seed(7), endpoints: [NodeEndpoint(label: "alice", endpoint: .freePort)]))
        do {
            let address = try #require(emulator.endpoints.first?.endpoint).dialed
            try await body(
                Desk(
                    emulator: emulator, target: Target(address),
                    boards: BoardFolders(locks: path + "/locks", records: path + "/boards")))
        } catch {
            await emulator.stop()
            throw error
        }
        await emulator.stop()
    }

    @Test func `the next run puts back the radio of one that was killed`() async throws {
        try await Self.with { desk in
            try await desk.rename("Mine")
            let killed = try desk.lent()
            #expect(killed.notes == [])
            try await desk.rename("Test")
            #expect(desk.records.count == 1)

            let next = try desk.lent()

            #expect(next.notes == ["An earlier run was cut off; what it had changed on \(desk.target) is put back"])
            #expect(try await desk.name() == "Mine")
            #expect(next.giveBack() == [])
            #expect(desk.records == [])
        }
    }

    @Test func `a run gives back what its scenarios have left`() async throws {
        try await Self.with { desk in
            try await desk.rename("Mine")
            let lent = try desk.lent()
            try await desk.rename("Test")

            #expect(lent.giveBack() == [])

            #expect(try await desk.name() == "Mine")
            #expect(desk.records == [])
        }
    }

    @Test func `nothing is kept where one of the radios is out of reach`() async throws {
        try await Self.with { desk in
            let missing = Target(.tcp(host: "127.0.0.1", port: 1))
            let claims = try [desk.target, missing].map { try BoardClaim($0, for: "a test", in: desk.boards) }
            defer { for claim in claims { claim.release() } }

            #expect(throws: (any Error).self) { try LentRadios(claims, in: desk.boards) }

            #expect(desk.records == [])
        }
    }
}
