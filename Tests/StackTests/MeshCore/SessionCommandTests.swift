import MeshCompanion
import MeshCore
import MeshPacket
import MeshTestSupport
import MeshVirtualTime
import MeshWire
import Testing

/// One command after the other, and every answer to its own.
@Suite struct SessionCommandTests {
    @Test(.proves("SVC-008")) func `a second command is not written before the first one's answer`() throws {
        try withSession { session, radio, clock in
            let first = Task { try await session.getBattery() }
            let second = Task { try await session.getTime() }
            try await clock.sleep(for: .seconds(1))
            #expect(await radio.sentFrames.dropFirst() == [[0x14]])

            await radio.simulateReceive(Resp.BattAndStorage(battery: 4100).encoded())
            try await clock.sleep(for: .seconds(1))
            #expect(await radio.sentFrames.dropFirst() == [[0x14], [0x05]])
            await radio.simulateReceive(Resp.CurrTime(epoch: 99).encoded())

            #expect(try await first.value.battery == 4100)
            #expect(try await second.value == 99)
        }
    }

    @Test(.proves("SVC-009")) func `a command that is cancelled while it waits for its turn is never written`() throws {
        try withSession { session, radio, clock in
            let first = Task { try await session.getBattery() }
            let second = Task { await outcome(clock) { try await session.getTime() } }
            let third = Task { try await session.getTuningParams() }
            try await clock.sleep(for: .seconds(1))
            second.cancel()
            #expect(await second.value.result.isCancellation)
            #expect(await second.value.at == .seconds(1))

            await radio.simulateReceive(Resp.BattAndStorage(battery: 4100).encoded())
            await radio.waitUntilSent(3)
            await radio.simulateReceive(Resp.TuningParams(receiveDelay: 0, airtimeFactor: 1000).encoded())

            _ = try await (first.value, third.value)
            #expect(await radio.sentFrames.map(\.first) == [0x01, 0x14, 0x2B])
        }
    }

    @Test(.proves("SVC-010", "SVC-R-038")) func `the answer to a cancelled command is not handed to the next`() throws {
        try withSession { session, radio, clock in
            let first = Task { await outcome(clock) { try await session.setName("one") } }
            await radio.waitUntilSent(2)
            first.cancel()
            #expect(await first.value.result.isCancellation)
            let second = Task { await outcome(clock) { try await session.setName("two") } }
            try await clock.sleep(for: .seconds(2))
            #expect(await radio.sentFrames.count == 2, "the first one keeps its turn")

            await radio.simulateError(6)
            await radio.waitUntilSent(3)
            await radio.simulateOK()

            #expect(await second.value.result.value != nil)
        }
    }

    @Test func `a command that is cancelled after its write gives its turn up at its time limit`() throws {
        try withSession { session, radio, clock in
            let first = Task { try await session.getBattery() }
            await radio.waitUntilSent(2)
            first.cancel()
            let second = Task { await outcome(clock) { try await session.getTime() } }
            await radio.waitUntilSent(3)

            #expect(clock.now.sinceStart == .seconds(5))
            await radio.simulateReceive(Resp.CurrTime(epoch: 1).encoded())
            #expect(await second.value.result.value == 1)
        }
    }

    @Test(.proves("SVC-011", "SVC-R-024")) func `an answer that comes before the write returns is not missed`() throws {
        let time = try withSession(answers: { $0.first == 5 ? [Resp.CurrTime(epoch: 1234).encoded()] : [] }) {
            session, _, _ in
            try await session.getTime()
        }

        #expect(time == 1234)
    }

    @Test(.proves("SVC-012"))
    func `a simple command ends with a plain OK, fails with an error, and ignores an OK with a value`() throws {
        try withSession { session, radio, clock in
            let first = Task { await outcome(clock) { try await session.setTxPower(20) } }
            await radio.waitUntilSent(2)
            await radio.simulateReceive([0, 1, 2, 3, 4])
            try await clock.sleep(for: .seconds(1))
            await radio.simulateOK()
            let second = Task { await outcome(clock) { try await session.setTxPower(30) } }
            await radio.waitUntilSent(3)
            await radio.simulateError(6)

            #expect(await first.value.at == .seconds(1))
            #expect(await first.value.result.sessionError == nil)
            #expect(await second.value.result.sessionError == .refused(.setRadioTxPower, .illegalArg))
            #expect(await second.value.result.sessionError?.deviceCode == .illegalArg)
        }
    }

    @Test(.proves("SVC-013", "SVC-R-039")) func `a query ignores answers about other things`() throws {
        try withSession { session, radio, clock in
            let channel = Task { try await session.getChannel(3) }
            await radio.waitUntilSent(2)
            await radio.simulateReceive(Fixture.channel(2))
            await radio.simulateReceive(Fixture.channel(3))
            let index = try await channel.value.channelIndex
            #expect(index == 3)

            let contact = Task { try await session.getContact(publicKey: Fixture.key(9)) }
            await radio.waitUntilSent(3)
            await radio.simulateReceive(Fixture.frame(Fixture.contact(8)))
            await radio.simulateReceive(Fixture.frame(Fixture.contact(9)))
            let foundKey = try await contact.value.publicKey
            #expect(foundKey == Fixture.key(9))

            let telemetry = Task { try await session.getSelfTelemetry() }
            await radio.waitUntilSent(4)
            for number: UInt8 in [5, 1] {
                await radio.simulateReceive(
                    Push.TelemetryResponse(
                        publicKeyPrefix: FixedBytes(repeatElement(number, count: 6)), lpp: [number, 0x67, 0, 210]
                    )
                    .encoded())
            }
            let points = try await telemetry.value
            #expect(points == [LPPRecord(channel: 1, type: .temperature, numbers: [210])])
        }
    }

    @Test(.proves("SVC-R-039")) func `an exported card is that of the key that was asked for`() throws {
        @Sendable func advert(_ number: UInt8) -> [UInt8] {
            [0x11, 0] + Fixture.key(number).array + [UInt8](repeating: 0, count: 70)
        }
        try withSession { session, radio, clock in
            let export = Task { try await session.exportContact(Fixture.key(9)) }
            await radio.waitUntilSent(2)
            await radio.simulateReceive(Resp.ExportContact(packet: advert(8)).encoded())
            await radio.simulateReceive(Resp.ExportContact(packet: advert(9)).encoded())

            let packet = try await export.value.packet
            #expect(packet == advert(9))
        }
    }

    @Test(.proves("SVC-R-037")) func `an error fails the command in flight, and no other`() throws {
        try withSession { session, radio, clock in
            let text = Task {
                await outcome(clock) {
                    try await session.sendMessage(to: .bytes(Fixture.key(2).array), text: "x", timestamp: 1)
                }
            }
            let request = Task {
                await outcome(clock) { try await session.binaryRequest(to: Fixture.key(2), type: .getStatus) }
            }
            await radio.waitUntilSent(2)
            await radio.simulateError(2)
            await radio.waitUntilSent(3)
            await radio.simulateReceive(Fixture.sent(77))
            await radio.simulateReceive(Push.BinaryResponse(tag: 77, data: [1, 2]).encoded())

            #expect(await text.value.result.sessionError == .refused(.sendTxtMsg, .notFound))
            #expect(await request.value.result.value == [1, 2])
        }
    }

    @Test(.proves("SVC-R-043")) func `of two answers SENT each goes to its own command`() throws {
        let tags = Notes<UInt32>([10, 20])
        try withSession(answers: { [2, 0x1B].contains($0.first) ? [Fixture.sent(tags.takeFirst() ?? 0)] : [] }) {
            session, radio, clock in
            let text = Task {
                try await session.sendMessage(to: .bytes(Fixture.key(2).array), text: "x", timestamp: 1).tag
            }
            let status = Task { try await session.sendStatusRequest(to: Fixture.key(3), limit: .seconds(9)) }
            let tag = try await text.value
            await radio.waitUntilSent(3)
            await radio.simulateReceive(
                Push.StatusResponse(publicKeyPrefix: FixedBytes(Fixture.key(3).array), data: [7]).encoded())
            let data = try await status.value

            #expect(tag == 10)
            #expect(data == [7])
            #expect(await radio.sentFrames.map(\.first) == [1, 2, 0x1B])
        }
    }

    @Test(.proves("SVC-R-048"))
    func `channels are read one by one, and one that is not answered is asked for again`() throws {
        let losses = Notes([true])
        try withSession(answers: { frame in
            guard frame.first == 0x1F else { return [] }
            return frame[1] == 2 && losses.takeFirst() != nil ? [] : [Fixture.channel(frame[1])]
        }) { session, radio, clock in
            let channels = try await session.getChannels(0..<4)

            #expect(channels.map(\.channelIndex) == [0, 1, 2, 3])
            #expect(await radio.sentFrames.dropFirst().map { $0[1] } == [0, 1, 2, 2, 3])
            #expect(clock.now.sinceStart == .seconds(5))
        }
    }

    @Test(.proves("SVC-053")) func `a slow link is given one frame at a time`() throws {
        let writes = Notes<String>()
        try withSession(answers: { frame in
            writes.add("begin \(frame[0])")
            await Task.yield()
            writes.add("end \(frame[0])")
            return frame[0] == 5 ? [Resp.CurrTime(epoch: 1).encoded()] : [Resp.BattAndStorage(battery: 1).encoded()]
        }) { session, _, _ in
            async let time = session.getTime()
            async let battery = session.getBattery()
            _ = try await (time, battery)
        }

        #expect(writes.all == ["begin 5", "end 5", "begin 20", "end 20"])
    }

    @Test func `a command that no radio refuses ignores an error that is not its own`() throws {
        try withSession { session, radio, clock in
            let battery = Task { await outcome(clock) { try await session.getBattery() } }
            await radio.waitUntilSent(2)
            await radio.simulateError(4)
            try await clock.sleep(for: .seconds(2))
            await radio.simulateReceive(Resp.BattAndStorage(battery: 4000).encoded())

            #expect(await battery.value.at == .seconds(2))
            #expect(await battery.value.result.value?.battery == 4000)
        }
    }

    @Test func `a late answer is not taken for that of the next command of its kind`() throws {
        try withSession { session, radio, clock in
            let first = await outcome(clock) { try await session.setName("one") }
            #expect(first.at == .seconds(5))
            #expect(first.result.sessionError == .timeout(.setAdvertName, after: .seconds(5)))

            let second = Task { await outcome(clock) { try await session.setTxPower(30) } }
            await radio.waitUntilSent(3)
            await radio.simulateOK()
            try await clock.sleep(for: .milliseconds(300))
            await radio.simulateError(6)

            #expect(await second.value.result.sessionError == .refused(.setRadioTxPower, .illegalArg))
            #expect(await second.value.at == .milliseconds(5300))
        }
    }

    /// A link that stalled for longer than two texts were waited for, and then brings everything.
    @Test func `late answers to several texts are told from that of the next one by what will acknowledge it`() throws {
        try withSession { session, radio, clock in
            let key = try #require(await session.currentSelfInfo?.publicKey)
            @Sendable func send(_ text: String) async throws -> MessageSentInfo {
                try await session.sendMessage(to: .bytes(Fixture.key(2).array), text: text, timestamp: 7)
            }
            func code(_ text: String) throws -> UInt32 {
                let plaintext = try #require(TextPlaintext(timestamp: 7, text: ByteText(text)))
                return try #require(plaintext.ackHash(sender: key, receiver: key))
            }
            for text in ["one", "two"] {
                let lost = await outcome(clock) { try await send(text) }
                #expect(lost.result.sessionError == .timeout(.sendTxtMsg, after: .seconds(5)))
            }
            // What is asked between changes nothing.
            let name = await outcome(clock) { try await session.getTime() }
            #expect(name.result.sessionError == .timeout(.getDeviceTime, after: .seconds(5)))
            let third = Task { await outcome(clock) { try await send("three") } }
            await radio.waitUntilSent(5)
            try await clock.sleep(for: .seconds(3))
            for text in ["one", "two", "three"] {
                await radio.simulateReceive(Resp.Sent(route: 0, tag: try code(text), timeout: 100).encoded())
            }

            #expect(await third.value.result.value?.tag == (try code("three")))
            #expect(await third.value.at == .seconds(18))
        }
    }

    @Test func `an answer behind a time-out is taken when no other follows within a second`() throws {
        try withSession { session, radio, clock in
            _ = await outcome(clock) { try await session.setName("one") }
            let second = Task { await outcome(clock) { try await session.setName("two") } }
            await radio.waitUntilSent(3)
            await radio.simulateOK()

            #expect(await second.value.result.sessionError == nil)
            #expect(await second.value.at == .seconds(6))
            let third = Task { await outcome(clock) { try await session.setName("three") } }
            await radio.waitUntilSent(4)
            await radio.simulateOK()
            #expect(await third.value.at == .seconds(6), "the suspicion is over")
        }
    }

    @Test(.proves("SVC-R-046")) func `a build without key export says so at once`() throws {
        try withSession(answers: {
            $0.first == 0x17 ? [[0x0F]] : $0.first == 5 ? [Resp.CurrTime(epoch: 3).encoded()] : []
        }) {
            session, _, clock in
            let export = await outcome(clock) { try await session.exportPrivateKey() }

            #expect(export.at == .zero)
            #expect(export.result.sessionError == .featureDisabled(.exportPrivateKey))
            let radioTime = try await session.getTime()
            #expect(radioTime == 3)
        }
    }

    @Test(.proves("SVC-R-047")) func `the time limit of an answered command does not touch the next`() throws {
        try withSession { session, radio, clock in
            let first = Task { try await session.setName("one") }
            await radio.waitUntilSent(2)
            try await clock.sleep(for: .seconds(4))
            await radio.simulateOK()
            try await first.value
            let second = Task { await outcome(clock) { try await session.setName("two") } }
            try await clock.sleep(for: .seconds(3))
            await radio.simulateOK()

            #expect(await second.value.result.sessionError == nil)
            #expect(await second.value.at == .seconds(7))
        }
    }

    @Test(.proves("SVC-R-030")) func `a write that fails fails its command, and the next one is written`() throws {
        try withSession { session, radio, clock in
            await radio.failSends(with: .sendFailed("the cable is out"))
            let first = await outcome(clock) { try await session.setName("one") }
            await radio.failSends(with: nil)
            let second = Task { await outcome(clock) { try await session.setName("two") } }
            await radio.waitUntilSent(2)
            await radio.simulateOK()

            #expect(first.at == .zero)
            #expect(first.result.sessionError == .transport(.sendFailed("the cable is out")))
            #expect(await second.value.result.sessionError == nil)
        }
    }

    @Test(.proves("SVC-055")) func `a frame longer than the link takes is refused before it is written`() throws {
        try VirtualTime.run { clock in
            let radio = MockTransport()
            await radio.answerEach { _ in [Fixture.selfInfo.encoded()] }
            await radio.setCapabilities(TransportCapabilities(maxFrame: 172))
            let session = MeshCoreSession(transport: radio, clock: clock)
            try await session.start()
            let text = String(repeating: "x", count: 160)
            await #expect(throws: SessionError.dataTooLarge(count: 173, limit: 172)) {
                try await session.sendMessage(to: .bytes(Fixture.key(2).array), text: text, timestamp: 1)
            }
            #expect(await radio.sentFrames.count == 1)
        }
    }

    @Test func `a value outside its range is refused before it is written`() throws {
        try withSession { session, radio, clock in
            let pin = await outcome(clock) { try await session.setDevicePin(1_000_000) }

            guard case .invalidInput(.setDevicePin, let error) = pin.result.sessionError else {
                Issue.record("\(pin)")
                return
            }
            #expect(error.field == "pin")
            #expect(await radio.sentFrames.count == 1)
        }
    }

    @Test(.proves("SVC-045")) func `a key that is too short is refused before anything is written`() throws {
        try withSession { session, radio, _ in
            await #expect(throws: DestinationError.insufficientLength(expected: 6, actual: 3)) {
                try await session.sendMessage(to: .hex("aabbcc"), text: "x", timestamp: 1)
            }
            await #expect(throws: DestinationError.invalidHexString("xyz")) {
                try await session.sendMessage(to: .hex("xyz"), text: "x", timestamp: 1)
            }
            #expect(await radio.sentFrames.count == 1)
        }
        #expect(try Destination.contact(Fixture.contact(7)).prefix().hex == "070707070707")
        #expect(try Destination.bytes(Fixture.key(7).array).fullPublicKey() == Fixture.key(7))
    }

    @Test func `an answer that cannot be read fails its command with the field`() throws {
        try withSession(answers: { $0.first == 5 ? [[9, 1]] : [] }) { session, _, clock in
            let time = await outcome(clock) { try await session.getTime() }

            #expect(time.at == .zero)
            #expect(
                time.result.sessionError
                    == .unreadableReply(
                        .getDeviceTime, FrameError(field: "epoch", offset: 1, reason: .truncated(needed: 4, left: 1))))
        }
    }

    @Test func `raw frames wait for their turn and their event`() throws {
        try withSession(answers: { $0.first == 0x70 ? [[0x71, 5]] : [] }) { session, _, _ in
            let answer = try await session.sendAndWait([0x70]) { event -> [UInt8]? in
                if case .unknown(let bytes) = event { bytes } else { nil }
            }

            #expect(answer == [0x71, 5])
        }
    }
}
