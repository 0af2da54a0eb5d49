import MeshCompanion
import MeshCore
import MeshTestSupport
import MeshVirtualTime
import MeshWire
import Testing

@Suite struct EventTests {
    private static func advert(_ number: UInt8) -> MeshEvent { .advertisement(publicKey: Fixture.key(number)) }

    private func collect(_ stream: AsyncStream<MeshEvent>) async -> [MeshEvent] {
        await stream.reduce(into: []) { $0.append($1) }
    }

    @Test(.proves("SVC-035")) func `every subscriber gets every event in order, from the subscription on`() async {
        let dispatcher = EventDispatcher()
        dispatcher.dispatch(Self.advert(0))
        let first = dispatcher.subscribe()
        dispatcher.dispatch(Self.advert(1))
        let second = dispatcher.subscribe()
        dispatcher.dispatch(Self.advert(2))
        dispatcher.dispatch(Self.advert(3))
        dispatcher.finish()

        #expect(await collect(first) == [1, 2, 3].map(Self.advert))
        #expect(await collect(second) == [2, 3].map(Self.advert))
        #expect(await collect(dispatcher.subscribe()).isEmpty, "a finished dispatcher has only ended streams")
    }

    @Test(.proves("SVC-036"))
    func `who does not read keeps the newest hundred, sees how many are lost, and delays nobody`() async {
        let dispatcher = EventDispatcher()
        let late = dispatcher.subscribeTracked()
        let filtered = dispatcher.subscribeTracked(.advertisement(fromPrefix: [7]))
        for number in 0..<250 { dispatcher.dispatch(Self.advert(UInt8(number))) }
        dispatcher.finish()

        #expect(late.dropCount == 150)
        #expect(filtered.dropCount == 0)
        #expect(await collect(late.events) == (150..<250).map { Self.advert(UInt8($0)) })
        #expect(await collect(filtered.events) == [Self.advert(7)])
    }

    @Test func `a subscriber that has gone is forgotten`() async {
        let dispatcher = EventDispatcher()
        let subscription = dispatcher.subscribeTracked()
        var other: AsyncStream<MeshEvent>? = dispatcher.subscribe()
        #expect(dispatcher.subscriberCount == 2)
        subscription.cancel()
        #expect(dispatcher.subscriberCount == 1)
        _ = other
        other = nil
        #expect(dispatcher.subscriberCount == 0)
    }

    @Test(.proves("SVC-038"))
    func `waiting for an event ends exactly at the limit and leaves no subscription behind`() throws {
        try withSession { session, radio, clock in
            let before = await session.subscriberCount
            #expect(await session.waitForEvent(filter: .messagesWaiting, timeout: .seconds(7)) == nil)
            #expect(clock.now.sinceStart == .seconds(7))
            #expect(await session.subscriberCount == before)

            let wait = Task { await session.waitForEvent(filter: .messagesWaiting, timeout: .seconds(7)) }
            try await clock.sleep(for: .seconds(2))
            await radio.simulateReceive(Push.MsgWaiting().encoded())
            #expect(await wait.value == .messagesWaiting)
            #expect(clock.now.sinceStart == .seconds(9))
            #expect(await session.subscriberCount == before)
        }
    }

    /// One event of each kind with the filters that match it.
    private static let table: [(MeshEvent, [String])] = {
        var direct = ContactMessage()
        direct.publicKeyPrefix = FixedBytes([7, 7, 7, 7, 7, 7])
        var channel = ChannelMessage()
        channel.channelIndex = 3
        let prefix = FixedBytes<6>([7, 7, 7, 7, 7, 7])
        return [
            (.ok(value: nil), ["ok"]), (.error(.notFound), ["error"]), (.noMoreMessages, ["noMoreMessages"]),
            (.messagesWaiting, ["messagesWaiting"]),
            (.acknowledgement(code: 5, tripTime: nil), ["ack5", "anyAck"]),
            (.acknowledgement(code: 6, tripTime: 1), ["anyAck"]),
            (.binaryResponse(tag: 5, data: []), ["binary5"]), (.binaryResponse(tag: 6, data: []), []),
            (.contactMessageReceived(.init(message: direct, snr: nil)), ["from7"]),
            (.contactMessageReceived(.init(message: ContactMessage(), snr: nil)), []),
            (.channelMessageReceived(.init(message: channel, snr: 4)), ["channel3", "attribute3"]),
            (.channelMessageReceived(.init(message: ChannelMessage(), snr: 4)), []),
            (.statusResponse(.init(publicKeyPrefix: prefix, data: [])), ["status7"]),
            (.telemetryResponse(.init(publicKeyPrefix: prefix, lpp: [])), ["telemetry7"]),
            (advert(7), ["advert7"]), (advert(8), []), (.pathUpdate(publicKey: Fixture.key(7)), ["path7"]),
            (.loginSuccess(.init(permissions: 1, publicKeyPrefix: prefix)), ["login7"]),
            (.loginFailed(publicKeyPrefix: prefix), ["login7"]),
        ]
    }()

    private static let filters: [(String, EventFilter)] = [
        ("ok", .ok), ("error", .error), ("noMoreMessages", .noMoreMessages), ("messagesWaiting", .messagesWaiting),
        ("ack5", .acknowledgement(5)), ("anyAck", .anyAcknowledgement), ("binary5", .binaryResponse(tag: 5)),
        ("from7", .contactMessage(fromPrefix: [7, 7])), ("channel3", .channelMessage(3)),
        ("attribute3", .attributes(["channel": "3"])), ("status7", .statusResponse(fromPrefix: Fixture.key(7).array)),
        ("telemetry7", .telemetryResponse(fromPrefix: [7])), ("advert7", .advertisement(fromPrefix: [7, 7, 7])),
        ("path7", .pathUpdate(forPrefix: [7])), ("login7", .login(Fixture.key(7).array)),
    ]

    @Test(.proves("SVC-037"), arguments: table.indices)
    func `each filter takes its events and no others`(row: Int) {
        let (event, expected) = Self.table[row]

        let taken = Self.filters.filter { $0.1.matches(event) }.map(\.0)

        #expect(taken == expected)
        #expect(EventFilter.eventType(event.name).matches(event))
        #expect(EventFilter.all.negated.matches(event) == false)
    }

    @Test(.proves("SVC-037")) func `filters combine, and an empty prefix is nobody's`() {
        let both = EventFilter.advertisement(fromPrefix: [7]).or(.messagesWaiting)
        let neither = both.negated
        let never = both.and(.ok)

        #expect(both.matches(Self.advert(7)) && both.matches(.messagesWaiting) && !both.matches(Self.advert(8)))
        #expect(!neither.matches(Self.advert(7)) && neither.matches(Self.advert(8)))
        #expect(!never.matches(Self.advert(7)) && !never.matches(.ok(value: nil)))
        #expect(!EventFilter.advertisement(fromPrefix: []).matches(Self.advert(7)))
    }
}
