import Foundation
import MeshControl
import MeshEmulator
import MeshHTTP
import MeshSimulator
import MeshTime
import MeshWorlds
import Testing

@testable import MeshControl

/// Pieces of a live run, as the control API gives them.
@Suite struct PackedTraceSystemTests {
    private func start(_ world: String) async throws -> (Emulator, ControlAPI) {
        let source = try WorldSource(world, seed: Seed(7))
        var configuration = Emulator.Configuration(world: source.world, seed: Seed(7), pace: .stepped)
        configuration.isSteered = true
        configuration.waiting.clients = 0
        configuration.traffic = source.plan
        configuration.traffic?.traffic = try Traffic("chat:5s")
        let emulator = try await Emulator.start(configuration)
        return (emulator, ControlAPI(emulator, world: world, provenance: "{}"))
    }

    private func ask(
        _ api: ControlAPI, _ method: String, _ path: [String], _ body: String = "", query: [(String, String)] = []
    ) async -> (status: Int, bytes: [UInt8]) {
        let answer = await api.answer(
            WebRequest(
                method, path, query: query.map { (name: $0.0, value: $0.1) }, body: Array(body.utf8)))
        guard case .whole(let bytes) = answer.body else { return (answer.status, []) }
        return (answer.status, bytes)
    }

    private func digest(_ api: ControlAPI) async throws -> String {
        let world = try JSONSerialization.jsonObject(with: Data(await ask(api, "GET", ["world"]).bytes))
        return ((world as? [String: Any])?["state"] as? [String: Any])?["digest"] as? String ?? ""
    }

    @Test(arguments: ["town", "grid:4x4"])
    func `a run has the same digest with and without somebody watching`(world: String) async throws {
        let (alone, quiet) = try await start(world)
        _ = await ask(quiet, "POST", ["advance"], #"{"seconds":120}"#)
        let unwatched = try await digest(quiet)
        await alone.stop()
        let (emulator, api) = try await start(world)
        var (after, seen) = (0, 0)

        for step in 0..<240 {
            _ = await ask(api, "POST", ["advance"], #"{"seconds":0.5}"#)
            if step % 20 == 0 { _ = await ask(api, "POST", ["snapshots"], #"{"name":"s\#(step)"}"#) }
            let piece = await ask(
                api, "GET", ["trace", "packed"],
                query: [("after", "\(after)"), ("world", step % 10 == 0 ? "1" : "0")])
            let packed = try PackedReader(piece.bytes)
            seen += try packed.column("time").count
            after = (packed.head["piece"] as? [String: Any])?["next"] as? Int ?? -1
        }

        #expect(try await digest(api) == unwatched)
        #expect(unwatched.count == 16)
        let all = try PackedReader(await ask(api, "GET", ["trace", "packed"]).bytes)
        #expect(try all.column("time").count == seen)
        #expect(seen > 50)
        await emulator.stop()
    }

    @Test func `pieces have a bound, and going back to a snapshot tells in the number of the generation`() async throws
    {
        let (emulator, api) = try await start("town")
        _ = await ask(api, "POST", ["snapshots"], #"{"name":"begin"}"#)
        _ = await ask(api, "POST", ["advance"], #"{"seconds":60}"#)

        let small = try PackedReader(
            await ask(api, "GET", ["trace", "packed"], query: [("limit", "5")]).bytes)
        #expect(try small.column("time").count == 5)
        let piece = try #require(small.head["piece"] as? [String: Int])
        #expect(piece["from"] == 0 && piece["next"] == 5 && piece["generation"] == 0)
        #expect((piece["count"] ?? 0) > 5)
        #expect(small.names.contains("alice"))

        _ = await ask(api, "POST", ["snapshots", "begin", "restore"])
        let back = try PackedReader(await ask(api, "GET", ["trace", "packed"]).bytes)
        #expect((back.head["piece"] as? [String: Int])?["generation"] == 1)
        #expect(try back.column("time").count < (piece["count"] ?? 0))
        await emulator.stop()
    }

    @Test(arguments: [
        [("form", "packed")], [("after", "-1")], [("limit", "9999999")],
        [("world", "2")], [("other", "1")],
    ])
    func `a query that makes no sense is refused`(query: [(String, String)]) async throws {
        let (emulator, api) = try await start("village")

        #expect(await ask(api, "GET", ["trace", "packed"], query: query).status == 400)
        await emulator.stop()
    }

    @Test func `a link that was cut is no longer in the world of a piece`() async throws {
        let (emulator, api) = try await start("village")
        func links() async throws -> Int {
            let query = [("limit", "0")]
            return try PackedReader(await ask(api, "GET", ["trace", "packed"], query: query).bytes).column("linkFrom")
                .count
        }
        let before = try await links()

        let answer = await ask(api, "DELETE", ["links", "alice", "rep1"])

        #expect(answer.status == 200)
        #expect(try await links() == before - 1)
        await emulator.stop()
    }
}
