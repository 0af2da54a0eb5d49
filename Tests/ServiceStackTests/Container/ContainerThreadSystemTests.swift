import Glibc
import Logging
import MeshCore
import MeshEmulator
import MeshSimulator
import MeshTestSupport
import MeshTime
import MeshTransports
import PocketMeshServices
import StackTestSupport
import Testing

/// The thread that a container provides.
@Suite struct ContainerThreadSystemTests {
    @Test func `what a radio's queue holds is stored on the executor of the container`() async throws {
        var world = WorldDescription.solo
        world.nodes[0].backlog = Frames.messages(50)
        let emulator = try await Emulator.start(
            .init(world: world, seed: Seed(7), endpoints: [NodeEndpoint(label: "alice", endpoint: .freePort)]))
        let executor = StackExecutor()
        let thread = await Task(executorPreference: executor) { pthread_self() }.value
        // Each row has the date at which it is stored.
        let threads = Notes<pthread_t>()
        let dependencies = ServiceDependencies(
            clock: StoppedClock(), random: RandomSource(Seed(1)),
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, executor: executor
        ) {
            threads.add(pthread_self())
            return ServiceBench.startDate
        }
        let session = MeshCoreSession(
            transport: StreamTransport(emulator.endpoints[0].endpoint, on: executor), clock: dependencies.clock,
            executor: dependencies.executor)

        try await session.start()
        let services = try await ServiceContainer.forTesting(session: session, dependencies: dependencies)
        let make = try await session.queryDevice()
        let info = try #require(await session.currentSelfInfo)
        let device = try await services.store.saveDevice(
            DeviceDTO(selfInfo: info, deviceInfo: make, lastConnected: ServiceBench.startDate))
        try await services.performInitialSync(deviceID: device.id)
        await services.tearDown()
        await session.stop()
        await emulator.stop()

        #expect(threads.all.count { $0 == thread } >= 50)
    }
}
