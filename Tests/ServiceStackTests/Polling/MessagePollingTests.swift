import Foundation
import MeshCompanion
import MeshCore
import MeshTestSupport
import MeshTime
import MeshVirtualTime
import MeshWire
import StackTestSupport
import Testing

@testable import PocketMeshServices

/// The delivery of messages from the radio's queue.
@Suite struct MessagePollingTests {
    private static let texts = (0..<300).map { "text \($0)" }

    // MARK: Draining

    @Test(
        .proves("SVC-083", "SVC-R-003"),
        arguments: [VirtualTime.Order.arrival, .drawn(Seed(1)), .drawn(Seed(2)), .drawn(Seed(3))])
    func `three hundred messages pass a slow taker in order, none is lost`(order: VirtualTime.Order) throws {
        let radio = QueueRadio(queue: Frames.messages(300))
        try withQueueRadio(radio, order: order) { bench, _ in
            let polling = await PollingBench(bench, pace: .milliseconds(100))

            let count = try await polling.service.pollAllMessages()

            #expect(count == 300)
            #expect(polling.handed.all == Self.texts)
            #expect(radio.count(.syncNextMessage) == 301)
            #expect(bench.clock.now.sinceStart == .seconds(30))
        }
    }

    @Test(.proves("SVC-039")) func `a call has the queue emptied, and ten calls meanwhile once more`() throws {
        let radio = QueueRadio()
        try withQueueRadio(radio) { bench, link in
            let polling = await PollingBench(bench, pace: .seconds(1))
            await polling.service.startAutoFetch(deviceID: bench.device.id)
            try await bench.clock.sleep(for: .seconds(1))
            #expect(radio.count(.syncNextMessage) == 1)
            radio.change { $0.queue = Frames.messages(3) }
            await link.simulateReceive(Frames.waiting)
            try await bench.clock.sleep(for: .milliseconds(500))
            for _ in 0..<10 { await link.simulateReceive(Frames.waiting) }
            try await bench.clock.sleep(for: .seconds(60))

            #expect(polling.handed.all == ["text 0", "text 1", "text 2"])
            // Three messages and the empty queue, and the empty queue once more.
            #expect(radio.count(.syncNextMessage) == 1 + 4 + 1)
        }
    }

    @Test(
        .proves("SVC-040"), arguments: [VirtualTime.Order.arrival, .drawn(Seed(4)), .drawn(Seed(5)), .drawn(Seed(6))])
    func `whoever polls at once, one question is on its way and each message is handed out once`(
        order: VirtualTime.Order
    ) throws {
        let open = Notes<Int>()
        let radio = QueueRadio(queue: Frames.messages(20))
        try withScriptedRadio(
            order: order,
            answers: { frame in
                if frame.first == CommandCode.syncNextMessage.rawValue { open.add(1) }
                return []
            }
        ) { bench, link in
            let answering = Task {
                while !Task.isCancelled {
                    try await bench.clock.sleep(for: .milliseconds(10))
                    let asked = open.takeAll()
                    #expect(asked.count <= 1)
                    for _ in asked {
                        let answers = radio.answers([CommandCode.syncNextMessage.rawValue])
                        for answer in answers { await link.simulateReceive(answer) }
                    }
                }
            }
            let polling = await PollingBench(bench)
            let drained = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<3 { group.addTask { try await polling.service.pollAllMessages() } }
                for _ in 0..<5 {
                    group.addTask { try await polling.service.pollMessage() == .noMoreMessages ? 0 : 1 }
                }
                return try await group.reduce(0, +)
            }
            answering.cancel()

            #expect(drained == 20)
            #expect(polling.handed.all == Array(Self.texts.prefix(20)))
        }
    }

    @Test(.proves("SVC-R-001")) func `what is queued is stored although fetching begins before anything else`() throws {
        let radio = QueueRadio(queue: Frames.messages(3))
        try withQueueRadio(radio) { bench, _ in
            let polling = await PollingBench(bench, isMonitoring: false)
            await polling.service.startAutoFetch(deviceID: bench.device.id)
            try await bench.clock.sleep(for: .seconds(1))

            #expect(polling.handed.all == ["text 0", "text 1", "text 2"])
            #expect(polling.arrivals.all.allSatisfy { $0.deviceID == bench.device.id })
        }
    }

    @Test func `an app without a store has one handler for all messages`() throws {
        let radio = QueueRadio(queue: Frames.messages(3))
        try withQueueRadio(radio) { bench, _ in
            let handed = Notes<String>()
            let service = MessagePollingService(
                session: bench.session, store: nil, profile: .architectureV2, dependencies: bench.dependencies)
            await service.setIntake(
                MessageIntake(all: { message in
                    if case .contactMessage(let received) = message { handed.add(received.message.text.string) }
                }))
            await service.startAutoFetch(deviceID: bench.device.id)
            try await bench.clock.sleep(for: .seconds(1))
            await service.stop()

            #expect(handed.all == ["text 0", "text 1", "text 2"])
            #expect(radio.count(.syncNextMessage) == 4)
        }
    }

    @Test(.proves("SVC-R-008"))
    func `two hundred answers of an empty queue end one drain and answer no other command`() throws {
        try withScriptedRadio(answers: { $0.first == 10 ? Array(repeating: Frames.noMore, count: 200) : [] }) {
            bench, link in
            let polling = await PollingBench(bench)
            let count = try await polling.service.pollAllMessages()
            #expect(count == 0)
            let time = Task { try await bench.session.getTime() }
            await link.waitUntilSent(5)
            await link.simulateReceive(Resp.CurrTime(epoch: 5).encoded())

            let radioTime = try await time.value
            #expect(radioTime == 5)
            #expect(await link.sentFrames.suffix(2).map(\.first) == [10, 5])
        }
    }

    // MARK: Failures

    @Test(.proves("SVC-R-004")) func `a radio that stops answering ends the drain, and what came is handled`() throws {
        let radio = QueueRadio(queue: Frames.messages(5))
        try withQueueRadio(radio) { bench, _ in
            let polling = await PollingBench(bench)
            let failure = await #expect(throws: StackError.self) {
                try await polling.service.pollAllMessages { count in
                    if count == 2 { radio.change { $0.silent = [.syncNextMessage] } }
                }
            }

            #expect(
                failure
                    == StackError(.polling, .pollingFailed(drained: 2, .timeout(.syncNextMessage, after: .seconds(5)))))
            #expect(polling.handed.all == ["text 0", "text 1"])
            #expect(bench.clock.now.sinceStart == .seconds(5))
        }
    }

    @Test(.proves("SVC-R-005"))
    func `a message that the radio lost in the write is the only one that is missing`() throws {
        let radio = QueueRadio(queue: Frames.messages(6))
        try withQueueRadio(radio) { bench, _ in
            let polling = await PollingBench(bench)
            let failure = await #expect(throws: StackError.self) {
                try await polling.service.pollAllMessages { count in
                    // The radio takes the third off its queue, and its write fails.
                    guard count == 2 else { return }
                    radio.change {
                        $0.queue.removeFirst()
                        $0.silent = [.syncNextMessage]
                    }
                }
            }
            radio.change { $0.silent = [] }
            let rest = try await polling.service.pollAllMessages()

            #expect(
                failure
                    == StackError(.polling, .pollingFailed(drained: 2, .timeout(.syncNextMessage, after: .seconds(5)))))
            #expect(rest == 3)
            #expect(polling.handed.all == ["text 0", "text 1", "text 3", "text 4", "text 5"])
        }
    }

    @Test func `a drain that failed by itself is tried again, because the radio does not call for what is left`() throws
    {
        let radio = QueueRadio(queue: Frames.messages(2))
        try withQueueRadio(radio) { bench, _ in
            radio.change { $0.silent = [.syncNextMessage] }
            let polling = await PollingBench(bench)
            await polling.service.startAutoFetch(deviceID: bench.device.id)
            try await bench.clock.sleep(for: .seconds(6))
            radio.change { $0.silent = [] }
            try await bench.clock.sleep(for: .seconds(3))

            #expect(polling.handed.all == ["text 0", "text 1"])
            // One that fails at 5 s, and at 7 s one for each message and the empty queue.
            #expect(radio.count(.syncNextMessage) == 1 + 3)
        }
    }

    @Test func `a poll without a radio is refused, also after the end`() throws {
        try withQueueRadio(QueueRadio()) { bench, _ in
            let polling = await PollingBench(bench, isMonitoring: false)
            await #expect(throws: StackError(.polling, .notConnected)) { try await polling.service.pollAllMessages() }
            await polling.service.startEventMonitoring(deviceID: bench.device.id)
            try await polling.service.pollAllMessages()
            await polling.service.stop()

            await #expect(throws: StackError(.polling, .notConnected)) { try await polling.service.pollMessage() }
        }
    }

    // MARK: Without a taker

    @Test func `an answer that comes after its limit is handled all the same, once`() throws {
        let radio = QueueRadio()
        try withQueueRadio(radio) { bench, link in
            let polling = await PollingBench(bench)
            radio.change { $0.silent = [.syncNextMessage] }
            await #expect(throws: StackError.self) { try await polling.service.pollAllMessages() }
            await link.simulateReceive(Frames.message(from: 2, "late", timestamp: 9))
            radio.change { $0.silent = [] }
            radio.add(Frames.message(from: 2, "next", timestamp: 10))
            try await bench.clock.sleep(for: .seconds(2))
            let count = try await polling.service.pollAllMessages()

            #expect(count == 1)
            #expect(polling.handed.all == ["late", "next"])
        }
    }

    @Test func `a radio that gives out messages without end does not fill the memory`() throws {
        try withQueueRadio(QueueRadio()) { bench, link in
            let polling = await PollingBench(bench, pace: .seconds(1))
            for number in 0..<3000 {
                await link.simulateReceive(Frames.message(from: 2, ByteText("text \(number)"), timestamp: 9))
                if number % 500 == 0 { try await bench.clock.sleep(for: .milliseconds(1)) }
            }
            try await bench.clock.sleep(for: .milliseconds(1))

            #expect(await polling.service.unclaimed.count <= 1024)
            #expect(await polling.service.lineCount <= 2)
            try await bench.clock.sleep(for: .seconds(5))
            #expect(polling.handed.all.first == "text 0" && polling.handed.all.count == 5)
            await polling.service.stop()
        }
    }

    @Test func `the answer to a poll whose caller has gone is handled`() throws {
        let radio = QueueRadio()
        try withQueueRadio(radio) { bench, link in
            let polling = await PollingBench(bench)
            radio.change { $0.silent = [.syncNextMessage] }
            let poll = Task { try await polling.service.pollAllMessages() }
            try await bench.clock.sleep(for: .seconds(1))
            poll.cancel()
            await #expect(throws: CancellationError.self) { try await poll.value }
            await link.simulateReceive(Frames.message(from: 2, "for nobody", timestamp: 9))
            try await bench.clock.sleep(for: .seconds(1))

            #expect(polling.handed.all == ["for nobody"])
        }
    }
}
