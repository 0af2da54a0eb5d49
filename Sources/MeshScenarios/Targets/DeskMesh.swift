import MeshBoards
import MeshCore
import MeshSimulator
import MeshTransports
import MeshWire

/// Real radios: nothing is known of the mesh behind them but what they send to their apps.
final class DeskMesh: StageMesh {
    let abilities: Abilities
    private let radios: [String: LinkAddress]

    /// The people of the scenario, in the order of its cast, get the radios in theirs.
    init(_ scenario: Scenario, on target: Target) {
        let people = scenario.cast.filter(\.isPerson)
        abilities = target.stageAbilities
        self.radios = Dictionary(uniqueKeysWithValues: zip(people.map(\.name), target.addresses))
    }

    func isPaired(_ member: Member) -> Bool {
        if case .bluetooth? = radios[member.name] { true } else { false }
    }

    func carrier(of member: Member) -> LinkCarrier { radios[member.name]?.carrier ?? .tcp }

    func transport(to member: Member) async throws -> any MeshTransport {
        guard let address = radios[member.name] else { throw ScenarioError("\(member.name) has no radio") }
        return StreamTransport(address)
    }

    func key(of member: Member) async throws -> FixedBytes<32>? { nil }

    func withWorld<R: Sendable>(_ body: @escaping @Sendable (inout World) throws -> R) async throws -> R {
        throw ScenarioError("there is no way into the mesh behind a real radio")
    }

    func end() async {}
}
