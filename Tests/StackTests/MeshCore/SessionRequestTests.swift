import MeshCompanion
import MeshCore
import MeshPacket
import MeshTestSupport
import MeshVirtualTime
import MeshWire
import Testing

/// Requests to other nodes: SENT first, and the answer as a push later.
@Suite struct SessionRequestTests {
    @Test func `an estimate beyond belief holds up other requests for ten minutes at most`() throws {
        try withSession(answers: { $0.first == 52 ? [Fixture.sent(7, timeout: .max)] : [] }) { session, _, clock in
            let end = await outcome(clock) { try await session.sendPathDiscovery(to: Fixture.key(2)) }

            #expect(end.at == .seconds(600))
            #expect(end.result.sessionError == .noAnswer(.sendPathDiscoveryReq, after: .seconds(600)))
        }
    }

    private static func answer(_ tag: UInt32, _ data: [UInt8]) -> [UInt8] {
        Push.BinaryResponse(tag: tag, data: data).encoded()
    }

    @Test(.proves("SVC-043")) func `a binary response completes only the request of its tag`() throws {
        try withSession(answers: {
            $0.first == 0x32 ? [Fixture.sent(5), Self.answer(4, [4]), Self.answer(5, [5])] : []
        }) {
            session, radio, _ in
            let data = try await session.binaryRequest(to: Fixture.key(2), type: .getStatus)

            #expect(data == [5])
            #expect(await radio.sentFrames[1] == PacketBuilder.binaryRequest(to: Fixture.key(2), type: .getStatus))
        }
    }

    @Test(.proves("SVC-R-044")) func `the answer to a first copy does not complete the second`() throws {
        let tags = Notes<UInt32>([10, 11])
        try withSession(answers: { $0.first == 0x32 ? [Fixture.sent(tags.takeFirst() ?? 0, timeout: 2000)] : [] }) {
            session, radio, clock in
            let request = Task { try await session.binaryRequest(to: Fixture.key(2), type: .getStatus) }
            await radio.waitUntilSent(3)
            #expect(clock.now.sinceStart == .seconds(4), "twice the radio's estimate")
            await radio.simulateReceive(Self.answer(10, [1]))
            try await clock.sleep(for: .seconds(1))
            await radio.simulateReceive(Self.answer(11, [2]))

            #expect(try await request.value == [2])
        }
    }

    @Test(.proves("SVC-R-045"))
    func `an estimate that is too short is given a second, and repetitions keep apart`() throws {
        let times = Notes<Duration>()
        var configuration = SessionConfiguration()
        configuration.requestLimit = .seconds(5)
        try withSession(
            configuration, answers: { $0.first == 0x32 ? [Fixture.sent(1, timeout: 200)] : [] }
        ) { session, radio, clock in
            let watch = Task {
                for count in 2...6 {
                    await radio.waitUntilSent(count)
                    times.add(clock.now.sinceStart)
                }
            }
            let end = await outcome(clock) { try await session.binaryRequest(to: Fixture.key(2), type: .getStatus) }
            await watch.value

            #expect(times.all == (0..<5).map { .seconds($0) })
            #expect(end.at == .seconds(5))
            #expect(end.result.sessionError == .noAnswer(.sendBinaryReq, after: .seconds(5)))
        }
    }

    @Test(.proves("SVC-148", "SVC-R-042"))
    func `a status request during a login waits until the login has ended`() throws {
        try withSession(answers: { [0x1A, 0x1B].contains($0.first) ? [Fixture.sent(1, timeout: 4000)] : [] }) {
            session, radio, clock in
            let login = Task { try await session.sendLogin(to: Fixture.key(2), password: "secret") }
            let status = Task { try await session.sendStatusRequest(to: Fixture.key(3)) }
            try await clock.sleep(for: .seconds(3))
            #expect(await radio.sentFrames.map(\.first) == [1, 0x1A])

            let prefix = FixedBytes<6>(Fixture.key(2).array)
            await radio.simulateReceive(Push.LoginSuccess(permissions: 1, publicKeyPrefix: prefix).encoded())
            await radio.waitUntilSent(3)
            await radio.simulateReceive(
                Push.StatusResponse(publicKeyPrefix: FixedBytes(Fixture.key(3).array), data: [1, 2]).encoded())

            #expect(try await login.value.role == .admin)
            #expect(try await status.value == [1, 2])
        }
    }

    @Test(.proves("SVC-145", "SVC-R-104")) func `a refused password is an error of its own`() throws {
        let prefix = FixedBytes<6>(Fixture.key(2).array)
        try withSession(
            answers: { $0.first == 0x1A ? [Fixture.sent(1), Push.LoginFail(publicKeyPrefix: prefix).encoded()] : [] }
        ) { session, _, clock in
            let login = await outcome(clock) { try await session.sendLogin(to: Fixture.key(2), password: "x") }

            #expect(login.at == .zero)
            #expect(login.result.sessionError == .loginFailed)
        }
    }

    @Test(.proves("SVC-144")) func `a login is matched by the node's key`() throws {
        try withSession(answers: { $0.first == 0x1A ? [Fixture.sent(1, timeout: 4000)] : [] }) {
            session, radio, clock in
            let login = Task { try await session.sendLogin(to: Fixture.key(2), password: "x") }
            await radio.waitUntilSent(2)
            for number: UInt8 in [3, 2] {
                let prefix = FixedBytes<6>(Fixture.key(number).array)
                await radio.simulateReceive(
                    Push.LoginSuccess(permissions: 0, publicKeyPrefix: prefix, serverTime: 9, aclPermissions: 2)
                        .encoded())
            }

            let prefix = try await login.value.publicKeyPrefix.hex
            #expect(prefix == "020202020202")
            let role = try await login.value.role
            #expect(role == .readWrite)
        }
    }

    @Test(.proves("SVC-R-058")) func `a late path of another node does not complete a discovery`() throws {
        try withSession(answers: { $0.first == 0x34 ? [Fixture.sent(1, timeout: 4000)] : [] }) {
            session, radio, clock in
            let events = await session.events(filter: .eventType("pathResponse"))
            let discovery = Task { try await session.sendPathDiscovery(to: Fixture.key(2)) }
            await radio.waitUntilSent(2)
            for number: UInt8 in [3, 2] {
                await radio.simulateReceive(
                    Push.PathDiscoveryResponse(
                        publicKeyPrefix: FixedBytes(Fixture.key(number).array),
                        outPathLength: PathLength(hashSize: 1, hops: 1), outPath: [number], inPath: []
                    )
                    .encoded())
            }

            let path = try await discovery.value.outPath
            #expect(path == [2])
            var seen: [UInt8] = []
            for await case .pathResponse(let path) in events {
                seen += path.outPath
                if seen.count == 2 { break }
            }
            #expect(seen == [3, 2], "the other one is an event all the same")
        }
    }

    @Test func `a request that nobody answers says so, and the next one goes out`() throws {
        var configuration = SessionConfiguration()
        configuration.repeatsRequests = false
        try withSession(configuration, answers: { $0.first == 0x32 ? [Fixture.sent(7, timeout: 100)] : [] }) {
            session, radio, clock in
            let end = await outcome(clock) { try await session.requestTelemetry(from: Fixture.key(2)) }
            #expect(end.at == .seconds(40))
            #expect(end.result.sessionError == .noAnswer(.sendBinaryReq, after: .seconds(40)))
            let next = Task { try await session.requestTelemetry(from: Fixture.key(2)) }
            await radio.waitUntilSent(3)
            await radio.simulateReceive(Self.answer(7, [1, 0x74, 1, 0x9A, 0, 0]))

            let points = try await next.value
            #expect(points == [LPPRecord(channel: 1, type: .voltage, numbers: [410])])
        }
    }

    @Test(.proves("SVC-R-094")) func `a request ends with its link, not at its limit`() throws {
        try withSession(answers: { $0.first == 0x32 ? [Fixture.sent(7, timeout: 9000)] : [] }) {
            session, radio, clock in
            let request = Task { await outcome(clock) { try await session.requestTelemetry(from: Fixture.key(2)) } }
            try await clock.sleep(for: .seconds(2))
            await radio.simulateLoss()

            #expect(await request.value.at == .seconds(2))
            #expect(await request.value.result.sessionError == .connectionLost("the link was closed"))
        }
    }

    @Test func `who ends a turn of an earlier connection does not let two through in the next`() throws {
        try withSession(answers: { $0.first == 0x32 ? [Fixture.sent(7, timeout: 9000)] : [] }) {
            session, radio, clock in
            let old = Task { await outcome(clock) { try await session.requestTelemetry(from: Fixture.key(2)) } }
            try await clock.sleep(for: .seconds(1))
            await session.stop()
            try await session.start()
            let sent = await radio.sentFrames.count
            let first = Task { try await session.requestTelemetry(from: Fixture.key(3)) }
            let second = Task { try await session.requestTelemetry(from: Fixture.key(4)) }
            try await clock.sleep(for: .seconds(1))

            #expect(await old.value.result.sessionError == .notStarted)
            #expect(await radio.sentFrames.count == sent + 1)
            first.cancel()
            second.cancel()
        }
    }

    @Test func `a trace needs a path, and is known by its tag`() throws {
        try withSession(answers: { $0.first == 0x24 ? [Fixture.sent(7, timeout: 4000)] : [] }) { session, radio, _ in
            await #expect(throws: SessionError.self) { try await session.sendTrace(tag: 7, path: []) }
            let trace = Task { try await session.sendTrace(tag: 7, path: [0xCA]) }
            await radio.waitUntilSent(2)
            for tag: UInt32 in [6, 7] {
                await radio.simulateReceive(
                    Push.TraceData(
                        pathLength: 1, flags: 0, tag: tag, auth: 0, pathHashes: [0xCA], pathSNRs: [HopSNR(40)],
                        finalSNR: 20
                    )
                    .encoded())
            }

            let tag = try await trace.value.tag
            #expect(tag == 7)
        }
    }

    @Test func `a connection is there or not by OK and not found`() throws {
        let answers = Notes<[UInt8]>([[0], [1, 2]])
        try withSession(answers: { $0.first == 0x1C ? [answers.takeFirst() ?? []] : [] }) { session, _, _ in
            let isThere = try await session.hasConnection(Fixture.key(2))
            #expect(isThere)
            let isStillThere = try await session.hasConnection(Fixture.key(2))
            #expect(!isStillThere)
        }
    }

    @Test(.proves("SVC-042"))
    func `signing goes in chunks of 120 bytes, keeps to the radio's limit and waits longer for the end`() throws {
        try withSession(
            answers: { frame in
                switch frame.first {
                case 0x21: [Resp.SignStart(maxLength: 250).encoded()]
                case 0x22: [[0]]
                default: []
                }
            }
        ) { session, radio, clock in
            let data = (0..<250).map { UInt8($0) }
            let signing = Task { try await session.sign(data) }
            await radio.waitUntilSent(6)
            #expect(await radio.sentFrames[2...4].map(\.count) == [121, 121, 11])
            #expect(await radio.sentFrames[2...4].flatMap { $0.dropFirst() } == data)
            try await clock.sleep(for: .seconds(14))
            await radio.simulateReceive(Resp.Signature(signature: FixedBytes(data)).encoded())
            #expect(try await signing.value == FixedBytes(data))

            let tooLong = await outcome(clock) { try await session.sign(data + [0]) }
            #expect(tooLong.result.sessionError == .tooMuchToSign(count: 251, limit: 250))
        }
    }

    @Test(.proves("SVC-033", "SVC-R-041")) func `two changes of other parameters at once both survive`() throws {
        try VirtualTime.run { clock in
            let stored = Notes<Resp.SelfInfo>([Fixture.selfInfo])
            let radio = MockTransport()
            await radio.answerEach { frame in
                guard let last = stored.all.last else { return [] }
                if frame.first == 1 { return [last.encoded()] }
                guard let change = try? SetOtherParams(decoding: frame) else { return [] }
                var next = last
                next.manualAdd = change.manualAdd
                next.telemetryModes = change.telemetryModes ?? 0
                next.multiAcks = change.multiAcks ?? 0
                stored.add(next)
                return [[0]]
            }
            let session = MeshCoreSession(transport: radio, clock: clock)
            try await session.start()

            async let manual: Void = session.setManualAdd(true)
            async let acks: Void = session.setMultiAcks(2)
            async let modes: Void = session.setTelemetryModes(base: 2, environment: 1)
            _ = try await (manual, acks, modes)

            let info = await session.currentSelfInfo
            #expect(info?.manualAdd == 1)
            #expect(info?.multiAcks == 2)
            #expect(info?.telemetryModes == 0x12)
        }
    }

    @Test(.proves("SVC-143")) func `the limit of a request counts from its write, though SENT was late`() throws {
        try withSession { session, radio, clock in
            async let login = outcome(clock) {
                try await session.sendLogin(to: Fixture.key(2), password: "x", limit: .seconds(10))
            }
            await radio.waitUntilSent(2)
            try await clock.sleep(for: .seconds(3))
            await radio.simulateReceive(Fixture.sent(2))
            let end = await login

            #expect(end.at == .seconds(10))
            #expect(end.result.sessionError == .noAnswer(.sendLogin, after: .seconds(10)))
        }
    }
}
