import MeshCompanion
import MeshCore
import MeshPacket
import MeshTestSupport
import MeshVirtualTime
import MeshWire
import Testing

@Suite struct SessionMessageTests {
    /// A radio with a queue: SYNC_NEXT removes the first message.
    private static func queue(_ messages: Notes<[UInt8]>) -> @Sendable ([UInt8]) async -> [[UInt8]] {
        { $0.first == 10 ? [messages.takeFirst() ?? Fixture.noMore] : [] }
    }

    private static func text(_ result: MessageResult) -> String {
        if case .contactMessage(let received) = result { received.message.text.string } else { "\(result)" }
    }

    @Test(.proves("SVC-R-120")) func `a session by itself takes no message off the radio`() throws {
        try withSession { session, radio, clock in
            await radio.simulateReceive(Push.MsgWaiting().encoded())
            try await clock.sleep(for: .seconds(100))

            #expect(await radio.sentFrames.map(\.first) == [1])
        }
    }

    @Test(.proves("SVC-040"))
    func `many who ask for messages get each one once, and every subscriber sees them all`() throws {
        let queue = Notes((0..<20).map(Fixture.message))
        try withSession(answers: Self.queue(queue)) { session, radio, clock in
            let events = await session.events(filter: .eventType("contactMessageReceived"))
            let results = await withTaskGroup(of: MessageResult?.self) { group in
                for _ in 0..<25 { group.addTask { try? await session.getMessage() } }
                return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
            }
            await session.stop()
            var seen: [String] = []
            for await case .contactMessageReceived(let received) in events { seen.append(received.message.text.string) }

            #expect(results.count == 25)
            #expect(Set(results.map(Self.text)).count == 21)
            #expect(results.filter { $0 == .noMoreMessages }.count == 5)
            #expect(seen == (0..<20).map { "message \($0)" })
        }
    }

    @Test(.proves("SVC-R-008"))
    func `two hundred answers of an empty queue answer one question and no other command`() throws {
        try withSession(answers: { $0.first == 10 ? Array(repeating: Fixture.noMore, count: 200) : [] }) {
            session, radio, clock in
            let first = try await session.getMessage()
            #expect(first == .noMoreMessages)
            let time = Task { try await session.getTime() }
            await radio.waitUntilSent(3)
            await radio.simulateReceive(Resp.CurrTime(epoch: 5).encoded())

            let radioTime = try await time.value
            #expect(radioTime == 5)
            #expect(await radio.sentFrames.map(\.first) == [1, 10, 5])
        }
    }

    @Test(.proves("SVC-R-004"))
    func `a radio that stops answering after a message ends the next question with an error`() throws {
        let queue = Notes([Fixture.message(1)])
        try withSession(answers: { $0.first == 10 ? [queue.takeFirst()].compactMap(\.self) : [] }) {
            session, _, clock in
            let first = try await session.getMessage()
            let end = await outcome(clock) { try await session.getMessage() }

            #expect(Self.text(first) == "message 1")
            #expect(end.at == .seconds(5))
            #expect(end.result.sessionError == .timeout(.syncNextMessage, after: .seconds(5)))
        }
    }

    @Test(arguments: [14, 13])
    func `the SENT of another app is not taken for the own one, where a radio can have several`(level: UInt8) throws {
        let text = TextPlaintext(timestamp: 7, type: .plain, attempt: 0, text: "hi")
        let own = try #require(text?.ackHash(sender: Fixture.key(1), receiver: Fixture.key(1)))
        var info = Resp.DeviceInfo()
        info.firmwareVersionCode = level
        let device = info.encoded()
        try withSession(answers: { frame in
            switch frame.first {
            case 0x16: [device]
            case 2: [Fixture.sent(own ^ 1), Fixture.sent(own)]
            default: []
            }
        }) { session, _, clock in
            _ = try await session.queryDevice()
            let sent = try await session.sendMessage(
                to: .bytes(Fixture.key(2).array), text: "hi", timestamp: 7, attempt: 0)

            #expect(sent.tag == (level == 14 ? own : own ^ 1))
            #expect(clock.now.sinceStart == .zero)
        }
    }

    @Test func `a message that no command took is kept for whoever reads those, others are not`() throws {
        let queue = Notes([Fixture.message(1)])
        try withSession(answers: { $0.first == 10 ? [queue.takeFirst()].compactMap(\.self) : [] }) {
            session, radio, clock in
            let unclaimed = await session.unclaimedMessages()
            let first = try await session.getMessage()
            #expect(Self.text(first) == "message 1")
            // Too late for a question that has ended, for one whose caller has gone, and before a better answer.
            await #expect(throws: SessionError.self) { try await session.getMessage() }
            await radio.simulateReceive(Fixture.message(2))
            let cancelled = Task { try await session.getMessage() }
            try await clock.sleep(for: .seconds(2))
            cancelled.cancel()
            try await clock.sleep(for: .seconds(1))
            await radio.simulateReceive(Fixture.message(3))
            try await clock.sleep(for: .seconds(1))
            await radio.simulateReceive(Fixture.noMore)
            await session.stop()
            var texts: [String] = []
            for await message in unclaimed { texts.append(Self.text(message)) }

            #expect(texts == ["message 2", "message 3"])
        }
    }

    @Test(.proves("SVC-R-025")) func `an acknowledgement right behind SENT is not missed`() throws {
        let acknowledged: @Sendable ([UInt8]) -> [[UInt8]] = { frame in
            frame.first == 2 ? [Fixture.sent(0xAB), Push.SendConfirmed(ack: 0xAB, roundTrip: 812).encoded()] : []
        }
        try withSession(answers: acknowledged) { session, _, _ in
            let sent = try await session.sendMessage(to: .bytes(Fixture.key(2).array), text: "hi", timestamp: 9)

            #expect(
                await session.acknowledgement(of: [sent.tag], within: .seconds(9))
                    == Acknowledgement(code: 0xAB, tripTime: 812))
        }
    }

    @Test(.proves("SVC-R-026")) func `five hundred heard packets do not push an acknowledgement out`() throws {
        try withSession(answers: { $0.first == 2 ? [Fixture.sent(0xAB)] : [] }) { session, radio, clock in
            let sent = try await session.sendMessage(to: .bytes(Fixture.key(2).array), text: "hi", timestamp: 9)
            let wait = Task { await session.acknowledgement(of: [sent.tag], within: .seconds(9)) }
            try await clock.sleep(for: .seconds(1))
            for _ in 0..<500 {
                await radio.simulateReceive(Push.LogRxData(snr: 1, rssi: -90, raw: [0x15, 0, 1]).encoded())
            }
            await radio.simulateReceive(Push.SendConfirmed(ack: 0xAB, roundTrip: 1).encoded())

            #expect(await wait.value?.code == 0xAB)
        }
    }

    @Test(.proves("SVC-R-027")) func `the acknowledgement of an earlier attempt counts`() throws {
        try withSession { session, radio, clock in
            let wait = Task { await session.acknowledgement(of: [1, 2, 3], within: .seconds(30)) }
            try await clock.sleep(for: .seconds(4))
            await radio.simulateReceive(Push.SendConfirmed(ack: 9, roundTrip: 1).encoded())
            await radio.simulateReceive(Push.SendConfirmed(ack: 1, roundTrip: 7).encoded())

            #expect(await wait.value == Acknowledgement(code: 1, tripTime: 7))
            #expect(clock.now.sinceStart == .seconds(4))
        }
    }
}
