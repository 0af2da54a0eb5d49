import Foundation
import MeshCompanion
import MeshCore
import MeshPacket
import MeshTime
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// Radios that always have one more message.
@Suite struct EndlessQueueTests {
    /// A queue that never removes its first message, or that grows by a new one for each delivered one.
    private static func endless(_ radio: QueueRadio, isRepeated: Bool) -> @Sendable ([UInt8]) -> [[UInt8]] {
        { frame in
            let answers = radio.answers(frame)
            guard frame.first == CommandCode.syncNextMessage.rawValue else { return answers }
            let number = isRepeated ? 0 : radio.count(.syncNextMessage)
            return [Frames.message(from: 2, ByteText("text \(number)"), timestamp: UInt32(1000 + number))]
        }
    }

    @Test func `the same message again and again ends the drain`() throws {
        let radio = QueueRadio()
        try withScriptedRadio(answers: Self.endless(radio, isRepeated: true)) { bench, _ in
            let polling = await PollingBench(bench)
            let failure = await #expect(throws: StackError.self) {
                try await polling.service.pollAllMessages()
            }

            #expect(failure == StackError(.polling, .queueDoesNotEnd(drained: 16, isRepeated: true)))
            #expect(polling.handed.all == Array(repeating: "text 0", count: 16))
            #expect(radio.count(.syncNextMessage) == 16)
        }
    }

    @Test func `messages without an end are taken up to the limit`() throws {
        let radio = QueueRadio()
        try withScriptedRadio(answers: Self.endless(radio, isRepeated: false)) { bench, _ in
            let polling = await PollingBench(bench, profile: .sync { $0.drainLimit = 50 })
            let failure = await #expect(throws: StackError.self) {
                try await polling.service.pollAllMessages()
            }

            #expect(failure == StackError(.polling, .queueDoesNotEnd(drained: 50, isRepeated: false)))
            #expect(polling.handed.all == (1...50).map { "text \($0)" })
            #expect(radio.count(.syncNextMessage) == 50)
        }
    }

    @Test func `copies of a sender that tries again do not end a drain`() throws {
        let copies = Array(repeating: Frames.message(from: 2, "again", timestamp: 9), count: 15)
        let radio = QueueRadio(queue: copies + Frames.messages(3) + copies)
        try withQueueRadio(radio) { bench, _ in
            let polling = await PollingBench(bench)

            let count = try await polling.service.pollAllMessages()

            #expect(count == 33)
        }
    }

    @Test func `a queue without an end is begun anew by a call of the radio only`() throws {
        let radio = QueueRadio()
        try withScriptedRadio(answers: Self.endless(radio, isRepeated: true)) { bench, link in
            let polling = await PollingBench(bench)
            await #expect(throws: StackError.self) { try await polling.service.pollAllMessages() }
            await polling.service.startAutoFetch(deviceID: bench.device.id)
            try await bench.clock.sleep(for: .seconds(600))
            #expect(radio.count(.syncNextMessage) == 16)

            await link.simulateReceive(Frames.waiting)
            try await bench.clock.sleep(for: .seconds(600))

            #expect(radio.count(.syncNextMessage) == 32)
        }
    }

    @Test(arguments: [true, false])
    func `a connection is made to such a radio, and the synchronisation says what it left`(isRepeated: Bool) throws {
        let radio = QueueRadio(contacts: [Frames.contact(2)])
        try withScriptedRadio(answers: Self.endless(radio, isRepeated: isRepeated)) { bench, link in
            let app = try await ContainerBench(bench, link, radio, profile: .sync { $0.drainLimit = 100 })
            try await app.connect()
            try await bench.clock.sleep(for: .seconds(600))

            let left = StackError(.polling, .queueDoesNotEnd(drained: isRepeated ? 16 : 100, isRepeated: isRepeated))
            #expect(await app.services.syncCoordinator.state == .synced)
            #expect(await app.services.syncCoordinator.lastOutcome == SyncOutcome(omissions: [.messages(left)]))
            #expect(try await app.texts(.contact(try await app.contact(2).id)).count == (isRepeated ? 1 : 50))
            #expect(radio.count(.syncNextMessage) == (isRepeated ? 16 : 100))
            await app.services.tearDown()
        }
    }
}
