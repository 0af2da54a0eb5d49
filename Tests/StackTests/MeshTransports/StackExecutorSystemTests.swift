import Foundation
import Glibc
import MeshCompanion
import MeshCore
import MeshEmulator
import MeshPacket
import MeshSimulator
import MeshTestSupport
import MeshTime
import MeshTransports
import MeshWire
import PocketMeshServices
import Testing

@testable import MeshTransports

/// The thread that a link shares with what stands on it.
@Suite struct StackExecutorSystemTests {
    private static func text(_ number: UInt32) -> [UInt8] {
        var message = ContactMessage()
        message.publicKeyPrefix = FixedBytes([1, 2, 3, 4, 5, 6])
        message.timestamp = number
        message.text = ByteText("text \(number)")
        return Resp.ContactMsgRecvV3(snr: 40, message: message).encoded()
    }

    @Test func `a link is read on the thread of its executor, and its queue is emptied there`() async throws {
        var world = WorldDescription.solo
        world.nodes[0].backlog = [Self.text(1), Self.text(2), Self.text(3)]
        let emulator = try await Emulator.start(
            .init(world: world, seed: Seed(7), endpoints: [NodeEndpoint(label: "alice", endpoint: .freePort)]))
        let executor = StackExecutor()
        let thread = await Task(executorPreference: executor) { pthread_self() }.value
        let link = StreamTransport(emulator.endpoints[0].endpoint, on: executor)
        let session = MeshCoreSession(transport: link, clock: StoppedClock(), executor: executor)
        let polling = MessagePollingService(
            session: session, store: nil, profile: StackProfile(), dependencies: .real(executor: executor))
        let threads = Notes<pthread_t>()

        try await session.start()
        await polling.setIntake(MessageIntake(contact: { _, _ in threads.add(pthread_self()) }))
        await polling.startEventMonitoring(deviceID: UUID())
        let count = try await polling.pollAllMessages()
        await polling.stop()
        await session.stop()
        await emulator.stop()

        #expect(count == 3)
        #expect(threads.all == [thread, thread, thread])
        #expect(link.eventLoop === executor.eventLoop)
    }

    @Test func `an executor runs many more jobs than the loop takes in one go`() async {
        let executor = StackExecutor()
        let thread = await Task(executorPreference: executor) { pthread_self() }.value

        let isThere = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<10_000 {
                group.addTask(executorPreference: executor) {
                    await Task.yield()
                    return pthread_self() == thread
                }
            }
            return await group.allSatisfy { $0 }
        }

        #expect(isThere)
    }
}
