import FoundationEssentials
import MeshBoards
import MeshCore
import MeshEmulator
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshTransports
import MeshWire

/// The world of a scenario on the real clock, its companion radios at TCP ports or pseudo-terminals of this machine.
final class WiredMesh: StageMesh {
    let abilities: Abilities
    private let carrier: LinkCarrier
    private let emulator: Emulator
    /// The directory of links to the terminals; removed at the end.
    private let folder: URL

    init(_ scenario: Scenario, wire: Target.Wire, seed: Seed, speed: Double, traceCapacity: Int) async throws {
        abilities = Target(.wired(wire)).stageAbilities
        carrier = wire == .tcp ? .tcp : .serial
        folder = FileManager.default.temporaryDirectory.appending(path: "scenario-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let folder = folder
        let endpoints = scenario.cast.filter(\.isPerson).map { member in
            NodeEndpoint(
                label: member.name,
                endpoint: wire == .tcp
                    ? .freePort
                    : .pty(path: Self.terminal(member, in: folder).path))
        }
        let world = try scenario.world(
            seed: seed, traceCapacity: traceCapacity, link: wire == .tcp ? .wifi : .serial)
        do {
            emulator = try await Emulator.start(world, endpoints: endpoints, pace: .clock(speed: speed))
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
    }

    private static func terminal(_ member: Member, in folder: URL) -> URL {
        // Names may hold what file names may not.
        folder.appending(path: member.name.utf8.map { String($0, radix: 16) }.joined())
    }

    func carrier(of member: Member) -> LinkCarrier { carrier }

    func transport(to member: Member) async throws -> any MeshTransport {
        guard let endpoint = emulator.endpoints.first(where: { $0.label == member.name }) else {
            throw ScenarioError("\(member.name) has no radio")
        }
        return StreamTransport(endpoint.endpoint)
    }

    func key(of member: Member) async throws -> FixedBytes<32>? {
        try await emulator.withWorld { world in world.firmware(try world.node(of: member))?.publicKey }
    }

    func withWorld<R: Sendable>(_ body: @escaping @Sendable (inout World) throws -> R) async throws -> R {
        try await emulator.withWorld(body)
    }

    func end() async {
        await emulator.stop()
        try? FileManager.default.removeItem(at: folder)
    }
}
