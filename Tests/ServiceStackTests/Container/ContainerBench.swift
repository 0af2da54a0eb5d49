import Foundation
import MeshCore
import MeshWire
import PocketMeshServices
import StackTestSupport

/// The services of one connection, with a sink that keeps what is shown.
struct ContainerBench: Sendable {
    let bench: ServiceBench
    let link: MockTransport
    let radio: QueueRadio
    let services: ServiceContainer
    let sink = MemoryNotificationSink()

    var deviceID: UUID { bench.device.id }

    init(
        _ bench: ServiceBench, _ link: MockTransport, _ radio: QueueRadio, profile: StackProfile = .architectureV2
    ) async throws {
        self.bench = bench
        self.link = link
        self.radio = radio
        services = try await ServiceContainer.forTesting(
            session: bench.session, profile: profile, dependencies: bench.dependencies, store: bench.store, sink: sink)
    }

    func connect() async throws { try await services.performInitialSync(deviceID: deviceID) }

    func contact(_ number: UInt8) async throws -> ContactDTO {
        let key = Data(Frames.key(number).array)
        guard let contact = try await bench.store.fetchContact(deviceID: deviceID, publicKey: key) else {
            throw StackError(.store, .contactNotFound)
        }
        return contact
    }

    func texts(_ thread: MessageThread) async throws -> [String] {
        try await bench.store.fetchMessages(deviceID: deviceID, thread: thread).map(\.text)
    }
}
