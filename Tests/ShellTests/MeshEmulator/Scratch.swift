import Foundation
import MeshSimulator
import MeshTestSupport
import MeshTime
import MeshTransports

@testable import MeshEmulator

/// A folder of its own that goes away with the value.
final class Scratch: Sendable {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("meshbed-\(UUID().uuidString)").path
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> String { path + "/" + name }
}

extension Emulator {
    /// Starts `solo` or `pair` with the given endpoints, runs the body, and stops in any case.
    static func with(
        _ world: WorldDescription, _ endpoints: [NodeEndpoint], seed: UInt64 = 7, pace: Pace = .clock(speed: 1),
        state: StateDirectory? = nil, log: @escaping @Sendable (String) -> Void = { _ in },
        _ body: (Emulator) async throws -> Void
    ) async throws {
        let emulator = try await Emulator.start(
            Configuration(
                world: world, seed: Seed(seed), endpoints: endpoints, pace: pace, state: state, log: log))
        do {
            try await body(emulator)
        } catch {
            await emulator.stop()
            throw error
        }
        await emulator.stop()
    }

    /// Lets the time of a stepped world go on.
    func pass(_ span: TimeSpan) async throws {
        try await withWorld { $0.run(until: $0.now + span) }
    }

    /// The next frame of a stepped world's radio; the world goes on until it comes.
    func frame(for client: TestClient) async throws -> [UInt8]? {
        while !client.hasInput { try await pass(.milliseconds(10)) }
        return client.receiveFrame()
    }

    /// The TCP port that a node was given.
    func port(of label: String) -> Int {
        for endpoint in endpoints where endpoint.label == label {
            if case .tcp(_, let port) = endpoint.endpoint { return Int(port) }
        }
        return 0
    }
}

extension NodeEndpoint {
    /// Any free port on loopback.
    static func tcp(_ label: String) -> NodeEndpoint {
        NodeEndpoint(label: label, endpoint: .freePort)
    }
}
