import Foundation
import MeshCompanion
import MeshCore
import MeshPacket
import MeshTestSupport
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// The receiver of each kind of message, its time limit, and the moments of looks into the queue.
@Suite struct MessageRoutingTests {
    @Test(.proves("SVC-122", "SVC-123")) func `each kind of text has its taker`() throws {
        let radio = QueueRadio(queue: [
            Frames.message(from: 2, "hello", timestamp: 1),
            Frames.message(from: 3, "ver 1.2", timestamp: 2, type: .cliData),
            Frames.message(from: 4, "post", timestamp: 3, type: .signedPlain, author: 7),
            Frames.channelMessage(0, "bob: hi", timestamp: 4),
            Resp.ChannelDataRecv(
                snr: 4, channelIndex: 1, pathLength: .unknown, dataType: 9, dataLength: 3, data: [1, 2, 3]
            ).encoded(),
        ])
        try withQueueRadio(radio) { bench, _ in
            let polling = await PollingBench(bench)
            let count = try await polling.service.pollAllMessages()

            #expect(count == 5)
            #expect(
                polling.handed.all == [
                    "hello", "command: ver 1.2", "signed by 7: post", "channel: bob: hi", "datagram of 3",
                ])
        }
    }

    @Test(.proves("SVC-123")) func `a post without the author's prefix is dropped, and the rest comes`() throws {
        let whole = Frames.message(from: 4, "", timestamp: 3, type: .signedPlain, author: 7)
        let radio = QueueRadio(queue: [Array(whole.dropLast(2)), Frames.message(from: 2, "hello", timestamp: 1)])
        try withQueueRadio(radio) { bench, _ in
            let polling = await PollingBench(bench)
            let count = try await polling.service.pollAllMessages()

            #expect(count == 1)
            #expect(polling.handed.all == ["hello"])
        }
    }

    @Test func `a radio that says nothing but nonsense does not keep a drain going`() throws {
        try withScriptedRadio(answers: { $0.first == 10 ? [[16, 1]] : [] }) { bench, link in
            let polling = await PollingBench(bench)
            await #expect(throws: StackError.self) { try await polling.service.pollAllMessages() }

            #expect(await link.sentFrames.count { $0.first == 10 } == 17)
        }
    }

    @Test func `a taker that never ends is left behind, and ends with the service`() throws {
        let radio = QueueRadio(queue: Frames.messages(2))
        try withQueueRadio(radio) { bench, _ in
            let polling = await PollingBench(bench)
            let seen = Notes<String>()
            await polling.service.setIntake(
                MessageIntake(contact: { message, _ in
                    seen.add(message.message.text.string)
                    if seen.all.count == 1 {
                        try? await bench.clock.sleep(for: .seconds(1_000_000))
                        seen.add("ended")
                    }
                }))
            let count = try await polling.service.pollAllMessages()
            #expect(count == 2)
            #expect(bench.clock.now.sinceStart == .seconds(30))
            #expect(await polling.service.waitForPendingHandlers(timeout: .seconds(7)) == false)
            #expect(bench.clock.now.sinceStart == .seconds(37))
            let waiting = Task { await polling.service.waitForPendingHandlers(timeout: .seconds(100)) }
            try await bench.clock.sleep(for: .seconds(1))
            await polling.service.stop()
            _ = await waiting.value

            #expect(bench.clock.now.sinceStart == .seconds(38))
            #expect(seen.all == ["text 0", "text 1", "ended"])
        }
    }

    @Test func `a drain that is called off lets the message that has come be handled, and takes no other`() throws {
        let radio = QueueRadio(queue: Frames.messages(3))
        try withQueueRadio(radio) { bench, _ in
            let polling = await PollingBench(bench)
            let seen = Notes<String>()
            await polling.service.setIntake(
                MessageIntake(contact: { message, _ in
                    seen.add(message.message.text.string)
                    do {
                        try await bench.clock.sleep(for: .seconds(10))
                        seen.add("handled")
                    } catch {
                        seen.add("disturbed")
                    }
                }))
            let drain = Task { try await polling.service.pollAllMessages() }
            try await bench.clock.sleep(for: .seconds(1))
            drain.cancel()
            await #expect(throws: CancellationError.self) { try await drain.value }

            #expect(seen.all == ["text 0", "handled"])
            #expect(bench.clock.now.sinceStart == .seconds(10))
            #expect(radio.queue.count == 2)
        }
    }

    @Test func `behind a taker that was left behind the drain goes on, also when that one ends after all`() throws {
        let radio = QueueRadio(queue: Frames.messages(6))
        try withQueueRadio(radio) { bench, _ in
            let polling = await PollingBench(bench)
            let (seen, counts) = (Notes<String>(), Notes<Int>())
            await polling.service.setIntake(
                MessageIntake(contact: { message, _ in
                    let text = message.message.text.string
                    // The first is left behind after 30 s, and ends while the third is handled.
                    try? await bench.clock.sleep(for: text == "text 0" ? .seconds(36) : .seconds(5))
                    seen.add(text)
                }))
            let count = try await polling.service.pollAllMessages { counts.add($0) }

            #expect(count == 6)
            #expect(counts.all == [1, 2, 3, 4, 5, 6])
            #expect(seen.all == ["text 1", "text 0", "text 2", "text 3", "text 4", "text 5"])
            #expect(bench.clock.now.sinceStart == .seconds(30 + 5 * 5))
            #expect(radio.count(.syncNextMessage) == 7)
        }
    }

    @Test func `a drain ends with the service although its taker does not`() throws {
        let radio = QueueRadio(queue: Frames.messages(2))
        try withQueueRadio(radio) { bench, _ in
            let polling = await PollingBench(bench)
            await polling.service.setIntake(
                MessageIntake(contact: { _, _ in
                    // Deaf to the end of its task.
                    await Task { try? await bench.clock.sleep(for: .seconds(5)) }.value
                }))
            let drain = Task { try await polling.service.pollAllMessages() }
            try await bench.clock.sleep(for: .seconds(1))
            await polling.service.stop()
            await #expect(throws: CancellationError.self) { try await drain.value }

            #expect(bench.clock.now.sinceStart == .seconds(1))
            #expect(radio.queue.count == 1)
        }
    }

    @Test func `confirmations reach who asked for them`() throws {
        try withQueueRadio(QueueRadio()) { bench, link in
            let polling = await PollingBench(bench)
            let seen = Notes<UInt32>()
            polling.service.events.observe { event in
                guard case .acknowledged(let code, let trip) = event else { return }
                seen.add(code)
                seen.add(trip ?? 0)
            }
            await link.simulateReceive(Push.SendConfirmed(ack: 7, roundTrip: 812).encoded())
            try await bench.clock.sleep(for: .seconds(1))

            #expect(seen.all == [7, 812])
        }
    }

    // MARK: When

    @Test(.proves("SVC-R-007"), arguments: [true, false])
    func `a message whose call was lost comes with the safety check, or with the next call`(isChecked: Bool) throws {
        let radio = QueueRadio()
        try withQueueRadio(radio) { bench, link in
            let polling = await PollingBench(
                bench, profile: .sync { $0.safetyCheck = isChecked ? .seconds(60) : nil })
            await polling.service.startAutoFetch(deviceID: bench.device.id)
            try await bench.clock.sleep(for: .seconds(10))
            radio.add(Frames.message(from: 2, "call lost", timestamp: 1))
            try await bench.clock.sleep(for: .seconds(50.5))
            #expect(polling.handed.all == (isChecked ? ["call lost"] : []))
            try await bench.clock.sleep(for: .seconds(200))
            radio.add(Frames.message(from: 2, "called for", timestamp: 2))
            await link.simulateReceive(Frames.waiting)
            try await bench.clock.sleep(for: .seconds(1))

            #expect(polling.handed.all == ["call lost", "called for"])
            // Checks at 60, 120, 180 and 240 s, the first of which finds something.
            #expect(radio.count(.syncNextMessage) == (isChecked ? 1 + 2 + 3 + 2 : 1 + 3))
        }
    }

    @Test(.proves("SVC-R-120")) func `a queue that is another client's is never asked`() throws {
        let radio = QueueRadio(queue: Frames.messages(2))
        try withQueueRadio(radio) { bench, link in
            let polling = await PollingBench(
                bench,
                profile: .sync {
                    $0.leavesQueue = true
                    $0.safetyCheck = .seconds(60)
                })
            await polling.service.startAutoFetch(deviceID: bench.device.id)
            await link.simulateReceive(Frames.waiting)
            let count = try await polling.service.pollAllMessages()
            let message = try await polling.service.pollMessage()
            try await bench.clock.sleep(for: .seconds(1000))

            #expect(count == 0)
            #expect(message == .noMoreMessages)
            #expect(radio.count(.syncNextMessage) == 0)
        }
    }

    @Test func `nothing is fetched after fetching was stopped, and calls are forgotten`() throws {
        let radio = QueueRadio()
        try withQueueRadio(radio) { bench, link in
            let polling = await PollingBench(bench)
            await polling.service.startAutoFetch(deviceID: bench.device.id)
            try await bench.clock.sleep(for: .seconds(1))
            await polling.service.stopAutoFetch()
            await link.simulateReceive(Frames.waiting)
            try await bench.clock.sleep(for: .seconds(100))

            #expect(await !polling.service.isAutoFetching)
            #expect(radio.count(.syncNextMessage) == 1)
        }
    }
}
