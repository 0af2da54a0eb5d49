import MeshCompanion
import MeshCore
import MeshTestSupport
import MeshVirtualTime
import MeshWire
import Testing

@Suite struct SessionLifeTests {
    @Test(.proves("SVC-003")) func `starting opens the link, introduces us and learns who the radio is`() throws {
        try withSession { session, radio, _ in
            #expect(await radio.connectCount == 1)
            #expect(await radio.sentFrames == [PacketBuilder.appStart("MCore")])
            #expect(await session.currentSelfInfo == Fixture.selfInfo)
        }
    }

    @Test(.proves("SVC-004"))
    func `an error, an OK or a push before the radio's introduction changes nothing`() throws {
        let info = try VirtualTime.run { clock in
            let radio = MockTransport()
            await radio.answerEach { _ in
                [[1, 1], [0], Push.MsgWaiting().encoded(), [1], Fixture.selfInfo.encoded()]
            }
            let session = MeshCoreSession(transport: radio, clock: clock)
            try await session.start()
            return await session.currentSelfInfo
        }

        #expect(info == Fixture.selfInfo)
    }

    @Test(.proves("SVC-005")) func `without an introduction starting times out, and can be tried again`() throws {
        let ends = try VirtualTime.run { clock in
            let radio = MockTransport()
            let session = MeshCoreSession(transport: radio, clock: clock)
            let first = await outcome(clock) { try await session.start() }
            #expect(await !radio.isConnected)
            await radio.answerEach { _ in [Fixture.selfInfo.encoded()] }
            let second = await outcome(clock) { try await session.start() }
            #expect(await session.currentSelfInfo != nil)
            return [first, second].map { ($0.at, $0.result.sessionError) }
        }

        #expect(ends[0] == (.seconds(5), .timeout(.appStart, after: .seconds(5))))
        #expect(ends[1] == (.seconds(5), nil))
    }

    @Test(.proves("SVC-006", "SVC-R-092")) func `a link that is open is not opened again`() throws {
        let count = try VirtualTime.run { clock in
            let radio = MockTransport()
            await radio.answerEach { _ in [Fixture.selfInfo.encoded()] }
            try await radio.connect()
            try await MeshCoreSession(transport: radio, clock: clock).start()
            return await radio.connectCount
        }

        #expect(count == 1)
    }

    @Test(.proves("SVC-007", "SVC-R-094"))
    func `stopping ends every stream and every wait at once, and leaves nothing behind`() throws {
        let ends = try VirtualTime.run { clock in
            let radio = MockTransport()
            await radio.answerEach { $0.first == 1 ? [Fixture.selfInfo.encoded()] : [] }
            let session = MeshCoreSession(transport: radio, clock: clock)
            try await session.start()
            let ends = Notes<Duration>()
            let errors = Notes<SessionError>()
            let reader = Task {
                for await _ in await session.events() {}
                ends.add(clock.now.sinceStart)
            }
            let waits = (0..<3).map { _ in
                Task {
                    let end = await outcome(clock) { try await session.getBattery() }
                    ends.add(end.at)
                    end.result.sessionError.map(errors.add)
                }
            }
            let event = Task {
                #expect(await session.waitForEvent(filter: .anyAcknowledgement, timeout: .seconds(60)) == nil)
                ends.add(clock.now.sinceStart)
            }
            try await clock.sleep(for: .seconds(1))
            await session.stop()
            for task in waits + [reader, event] { await task.value }
            #expect(errors.all == [.notStarted, .notStarted, .notStarted])
            await #expect(throws: SessionError.notStarted) { try await session.getBattery() }
            return ends.all
        }

        #expect(ends == Array(repeating: .seconds(1), count: 5))
    }

    @Test(.proves("SVC-007")) func `a stopped session is let go by everything that it started`() throws {
        let isGone = try VirtualTime.run { clock in
            let radio = MockTransport()
            await radio.answerEach { $0.first == 1 ? [Fixture.selfInfo.encoded()] : [] }
            var session: MeshCoreSession? = MeshCoreSession(transport: radio, clock: clock)
            weak let watched = session
            try await session?.start()
            _ = await session?.unclaimedMessages()
            await session?.stop()
            session = nil
            try await clock.sleep(for: .milliseconds(100))
            return watched == nil
        }

        #expect(isGone)
    }

    @Test(.proves("SVC-R-011")) func `a frame that comes between the connection and the reader is read`() throws {
        let seen = try VirtualTime.run { clock in
            let radio = MockTransport()
            await radio.answerEach { _ in [Fixture.selfInfo.encoded()] }
            try await radio.connect()
            await radio.simulateReceive(Push.SendConfirmed(ack: 7, roundTrip: 90).encoded())
            let session = MeshCoreSession(transport: radio, clock: clock)
            try await session.start()
            return await session.acknowledgement(of: [7], within: .zero)
        }

        #expect(seen == Acknowledgement(code: 7, tripTime: 90))
    }

    @Test(.proves("SVC-065", "SVC-R-013")) func `a session reads what comes over its own connection only`() throws {
        try withSession { session, radio, clock in
            await session.stop()
            await radio.simulateReceive(Push.SendConfirmed(ack: 7, roundTrip: 90).encoded())
            let next = MeshCoreSession(transport: radio, clock: clock)
            try await next.start()

            #expect(await next.acknowledgement(of: [7], within: .seconds(1)) == nil)
            #expect(await next.currentSelfInfo == Fixture.selfInfo)
            await next.stop()
        }
    }

    @Test(.proves("SVC-R-012", "SVC-068")) func `after a reconnection exactly one session sees what comes`() throws {
        try withSession { session, radio, clock in
            let old = await session.trackedEvents(filter: .messagesWaiting)
            await radio.simulateLoss()
            let next = MeshCoreSession(transport: radio, clock: clock)
            try await next.start()
            let new = await next.trackedEvents(filter: .messagesWaiting)
            await radio.simulateReceive(Push.MsgWaiting().encoded())
            try await clock.sleep(for: .seconds(1))
            await next.stop()
            await session.stop()
            var counts: [Int] = []
            for events in [old.events, new.events] { counts.append(await events.reduce(0) { count, _ in count + 1 }) }

            #expect(counts == [0, 1])
        }
    }

    @Test(.proves("SVC-054")) func `a lost link fails the command that waits, and those behind it, each once`() throws {
        try withSession { session, radio, clock in
            let events = await session.events()
            let first = Task { await outcome(clock) { try await session.getBattery() } }
            let second = Task { await outcome(clock) { try await session.getTime() } }
            await radio.waitUntilSent(2)
            await radio.simulateLoss()

            #expect(await first.value.result.sessionError == .connectionLost("the link was closed"))
            #expect(await second.value.result.sessionError == .connectionLost("the link was closed"))
            #expect(await radio.sentFrames.count == 2)
            let lost = await clock.first(in: events, within: .seconds(1)) {
                $0 == .connectionStateChanged(.disconnected) ? true : nil
            }
            #expect(lost == true)
            await #expect(throws: SessionError.self) { try await session.getTime() }
            try await session.start()
            #expect(await session.currentSelfInfo == Fixture.selfInfo)
        }
    }

    @Test func `a transport that cannot connect says why`() throws {
        try VirtualTime.run { clock in
            let radio = MockTransport()
            await radio.failConnects(with: .deviceNotFound("tcp://nowhere:1"))
            let session = MeshCoreSession(transport: radio, clock: clock)
            await #expect(throws: SessionError.transport(.deviceNotFound("tcp://nowhere:1"))) {
                try await session.start()
            }
        }
    }
}
