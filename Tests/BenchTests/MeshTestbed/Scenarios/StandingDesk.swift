import MeshBoards
import MeshCompanion
import MeshCompliance
import MeshCore
import MeshEmulator
import MeshSimulator
import MeshTime
import MeshTransports
import MeshWire

@testable import MeshScenarios

/// Radios with an owner, in range of each other, that stay switched on between runs.
actor StandingDesk: StageMesh {
    nonisolated let abilities = Abilities.secondRadio
    private let world: LoopbackWorld
    private let clock: any Clock<Duration>
    private let unwillingness: @Sendable (_ name: String, _ frame: [UInt8]) -> UnwillingLink.Answer?

    /// `unwillingness` is asked about each frame to a person's radio, from the scenario on.
    init(
        _ scenario: Scenario, clock: any Clock<Duration>,
        unwillingness: @escaping @Sendable (String, [UInt8]) -> UnwillingLink.Answer? = { _, _ in nil }
    ) throws {
        world = LoopbackWorld(try scenario.world(seed: Seed(1), traceCapacity: 0), clock: clock)
        self.clock = clock
        self.unwillingness = unwillingness
    }

    nonisolated func carrier(of member: Member) -> LinkCarrier { .tcp }

    func transport(to member: Member) async throws -> any MeshTransport {
        let unwillingness = unwillingness
        return UnwillingLink(try await world.transport(to: member.name)) { unwillingness(member.name, $0) }
    }

    func key(of member: Member) async throws -> FixedBytes<32>? { nil }

    func withWorld<R: Sendable>(_ body: @escaping @Sendable (inout World) throws -> R) async throws -> R {
        throw ScenarioError("there is no way into the mesh behind a real radio")
    }

    /// The end of a run is not the end of the radios.
    func end() async {}

    func switchOff() async { await world.end() }

    /// Talks to a radio as its owner.
    func visit<R: Sendable>(_ name: String, _ body: @Sendable (MeshCoreSession) async throws -> R) async throws -> R {
        try await MeshCoreSession.visit(try await world.transport(to: name), clock: clock, body)
    }
}

/// A link to a radio that does not accept every frame.
actor UnwillingLink: MeshTransport {
    enum Answer {
        /// The radio refuses the command with `ERR_CODE_NOT_FOUND`.
        case refusal
        /// The radio does not know the command.
        case unsupported
        /// The link goes.
        case loss
    }

    private let inner: any MeshTransport
    private let answer: @Sendable ([UInt8]) -> Answer?

    init(_ inner: any MeshTransport, answer: @escaping @Sendable ([UInt8]) -> Answer?) {
        self.inner = inner
        self.answer = answer
    }

    var receivedData: AsyncStream<[UInt8]> { get async { await inner.receivedData } }
    var connectionState: ConnectionState { get async { await inner.connectionState } }

    func connect() async throws { try await inner.connect() }
    func disconnect() async { await inner.disconnect() }

    func send(_ frame: [UInt8]) async throws {
        switch answer(frame) {
        case nil: try await inner.send(frame)
        // The radio gets a command in its place that has this answer.
        case .refusal:
            try await inner.send(RemoveContact(publicKey: FixedBytes(repeatElement(0xEE, count: 32))).encoded())
        case .unsupported: try await inner.send([0xFF])
        case .loss:
            await inner.disconnect()
            throw MeshTransportError.connectionLost("a test cut it")
        }
    }
}
