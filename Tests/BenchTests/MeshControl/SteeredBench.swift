import Foundation
import MeshControl
import MeshEmulator
import MeshHTTP
import MeshSimulator
import MeshTime
import MeshWorlds

/// A steered world and its api, without a server.
struct SteeredBench: Sendable {
    let emulator: Emulator
    let api: ControlAPI

    static func start(
        _ world: String = "village", seed: UInt64 = 7, endpoints: [NodeEndpoint] = [], pace: Pace = .stepped,
        state: StateDirectory? = nil
    ) async throws -> SteeredBench {
        let source = try WorldSource(world, seed: Seed(seed))
        var configuration = Emulator.Configuration(
            world: source.world, seed: Seed(seed), endpoints: endpoints, pace: pace, state: state)
        configuration.isSteered = true
        configuration.waiting.clients = 0
        configuration.traffic = source.plan
        let emulator = try await Emulator.start(configuration)
        return SteeredBench(
            emulator: emulator, api: ControlAPI(emulator, world: world, provenance: #"{"version":"test"}"#))
    }

    /// Starts a bench, runs the body, and stops in any case.
    static func with(
        _ world: String = "village", seed: UInt64 = 7, endpoints: [NodeEndpoint] = [], pace: Pace = .stepped,
        state: StateDirectory? = nil, _ body: (SteeredBench) async throws -> Void
    ) async throws {
        let bench = try await start(world, seed: seed, endpoints: endpoints, pace: pace, state: state)
        do {
            try await body(bench)
        } catch {
            await bench.emulator.stop()
            throw error
        }
        await bench.emulator.stop()
    }

    /// An answer as it came: status and bytes.
    func raw(_ method: String, _ path: String, _ body: String = "") async -> (status: Int, text: String) {
        let parts = path.split(separator: "?", maxSplits: 1)
        let query = parts.dropFirst().first.map { $0.split(separator: "&") } ?? []
        let answer = await api.answer(
            WebRequest(
                method, parts[0].split(separator: "/").map(String.init),
                query: query.map { member in
                    let pair = member.split(separator: "=", maxSplits: 1)
                    return (String(pair[0]), pair.count > 1 ? String(pair[1]) : "")
                },
                body: Array(body.utf8)))
        guard case .whole(let bytes) = answer.body else { return (answer.status, "") }
        return (answer.status, String(decoding: bytes, as: UTF8.self))
    }

    /// The answer to a request that must be carried out.
    @discardableResult
    func ask(_ method: String, _ path: String, _ body: String = "") async throws -> [String: Any] {
        let answer = await raw(method, path, body)
        guard answer.status == 200 else { throw Unexpected(status: answer.status, text: answer.text) }
        return try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any] ?? [:]
    }

    /// The code of a refusal.
    func refusal(_ method: String, _ path: String, _ body: String = "") async throws -> String {
        let answer = await raw(method, path, body)
        let object = try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: [String: String]]
        return object?["error"]?["code"] ?? "\(answer.status)"
    }

    /// Alice and bob become contacts of each other, one after the other: adverts that meet on the air are lost.
    func introduce() async throws {
        for (name, other) in [("alice", "bob"), ("bob", "alice")] {
            try await ask("POST", "/nodes/\(name)/adverts")
            _ = try await isMet(
                #"{"all":[{"hasMet":{"node":"\#(other)","contact":"\#(name)"}},{"isQuiet":{}}]}"#)
        }
    }

    func digest() async throws -> String {
        (try await ask("GET", "/world")["state"] as? [String: Any])?["digest"] as? String ?? ""
    }

    /// Lets time pass until a condition holds; returns whether it did within a minute.
    func isMet(_ condition: String, within seconds: Int = 60) async throws -> Bool {
        try await ask("POST", "/run-until", #"{"condition":\#(condition),"seconds":\#(seconds)}"#)["isMet"] as? Bool
            ?? false
    }
}

struct Unexpected: Error {
    let status: Int
    let text: String
}
