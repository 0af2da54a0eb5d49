import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshTestSupport
import MeshTime
import MeshWire
import Testing

/// Those of CMP-114 to CMP-158, about messages and channels, that need the air.
@Suite struct MessageStatementTests {
    // MARK: Acknowledgements

    @Test(.proves("CMP-122")) func `an acknowledgement confirms a message once and tells the time it took`() {
        var bench = CompanionBench.knowing(.bob)
        let ack = bench.sendText("hi", to: .bob)
        bench.wait(milliseconds: 1234)

        let first = bench.hearing(Peer.ack(ack))
        let again = bench.hearing(Peer.ack(ack, extra: [1]))

        #expect(first == [[0x82] + Peer.bytes(ack) + Peer.bytes(1234)])
        #expect(again == [])
    }

    @Test(.proves("CMP-123")) func `the eight latest messages can be confirmed`() {
        var bench = CompanionBench.knowing(.bob)
        let acks = (0..<9).map { bench.sendText("text \($0)", to: .bob) }

        #expect(bench.hearing(Peer.ack(acks[0])) == [])
        for ack in acks.dropFirst() { #expect(bench.hearing(Peer.ack(ack)).count == 1) }
    }

    @Test(.proves("CMP-124")) func `an acknowledgement inside a path first updates the path`() {
        var bench = CompanionBench.knowing(.bob)
        let ack = bench.sendText("hi", to: .bob)
        let path = PathLength(hashSize: 1, hops: 2)

        let frames = bench.hearing(
            Peer.bob.pathReturn(path, [0x21, 0x22], extra: .ack, Peer.bytes(ack), to: bench.key, .flood([0x22])))

        #expect(frames == [Answer.push(.pathUpdated, Peer.bob.key), [0x82] + Peer.bytes(ack) + Peer.bytes(0)])
        let contact = bench.contact(.bob)
        #expect(contact?.outPathLength == path && contact?.outPath.starts(with: [0x21, 0x22]) == true)
    }

    @Test(.proves("CMP-125")) func `a message that nobody acknowledges stays without a word`() {
        var bench = CompanionBench.knowing(.bob)
        bench.sendText("hi", to: .bob)

        bench.wait(milliseconds: 600_000)

        #expect(bench.takeFrames() == [])
        #expect(bench.radio.nextWake == .never)
    }

    // MARK: No packet left

    /// Every packet of the pool waits for a channel that never becomes free.
    private func exhausted() -> CompanionBench {
        var bench = CompanionBench.knowing(.bob, .rep)
        bench.hear(Peer.bob.advert(bench.time))
        bench.status = RadioStatus(isReceiving: true)
        for number in 0..<16 { bench.sendText("\(number)", to: .bob) }
        bench.wait(milliseconds: 10)
        bench.toApp = []
        return bench
    }

    @Test(.proves("CMP-134")) func `without a free packet every sender says so in its own way`() throws {
        var bench = exhausted()
        let key = Peer.bob.key
        #expect(bench.radio.freePackets == 0)

        #expect(
            bench.ask(SendChannelTxtMsg(textType: .plain, channelIndex: 0, timestamp: 1, text: "x"))
                == Answer.notFound)
        #expect(bench.ask(ImportContact(packet: Peer.eve.advert(1))) == Answer.illegal)
        #expect(bench.ask(ExportContact(publicKey: nil)) == Answer.tableFull)
        #expect(bench.ask(SendSelfAdvert(type: nil)) == Answer.tableFull)
        #expect(bench.ask(ShareContact(publicKey: key)) == Answer.tableFull)
        #expect(bench.ask(SendLogin(publicKey: key, password: "")) == Answer.tableFull)
        #expect(bench.ask(SendStatusReq(publicKey: key)) == Answer.tableFull)
        #expect(bench.ask(SendTelemetryReq(publicKey: key)) == Answer.tableFull)
        #expect(bench.ask(SendBinaryReq(publicKey: key, request: [1])) == Answer.tableFull)
        #expect(bench.ask(SendPathDiscoveryReq(publicKey: key)) == Answer.tableFull)
        #expect(bench.ask(SendAnonReq(publicKey: key, data: [1])) == Answer.tableFull)
        #expect(bench.ask(SendTracePath(tag: 1, auth: 2, flags: 0, path: [1])) == Answer.tableFull)
        #expect(bench.ask(SendRawData(pathLength: 0, path: [], payload: [1, 2, 3, 4])) == Answer.tableFull)
        #expect(bench.ask(SendControlData(payload: [0x80])) == Answer.tableFull)
        #expect(bench.ask(SendRawPacket(priority: 0, packet: [0x11, 0, 0xAA])) == Answer.tableFull)
        #expect(
            bench.ask(SendChannelData(channelIndex: 0, path: [], dataType: 1, payload: [])) == Answer.tableFull)
        let stats = try Resp.Stats(decoding: bench.ask(GetStats(statsType: 0))[0])
        guard case .core(let core) = stats.content else { return }
        #expect(core.errorFlags & 1 == 1 && core.queueLength == 16)
    }

    @Test(.proves("CMP-237")) func `what is heard without a free packet is logged and nothing else`() {
        var bench = exhausted()

        bench.hear(Peer.eve.advert(bench.time))

        #expect(bench.takeFrames().map { $0[0] } == [0x88])
    }

    // MARK: Receiving

    @Test(.proves("CMP-136", "CMP-137")) func `a message is announced and fetched with the way it came`() {
        var bench = CompanionBench.knowing(.bob)
        let flooded = PathLength(hashSize: 2, hops: 2)

        #expect(bench.hearing(Peer.bob.text("hi", at: 7, to: bench.key), snr: -3.5) == Answer.waiting)
        #expect(
            bench.hearing(Peer.bob.text("ho", at: 8, to: bench.key, .flood(flooded, [1, 2, 3, 4]))) == Answer.waiting)

        let head: [UInt8] = [0x10, 0xF2, 0, 0]
        #expect(bench.nextMessage() == head + Peer.bob.prefix + [0xFF, 0] + Peer.bytes(7) + [0x68, 0x69])
        #expect(bench.nextMessage().dropFirst(10).first == 0x42)
        #expect(bench.nextMessage() == [0x0A])
    }

    @Test(.proves("CMP-138")) func `replies and room posts keep their type, posts their author`() {
        var bench = CompanionBench.knowing(.rep, .room)
        bench.hear(Peer.rep.text("> ok", type: .cliData, at: 1, to: bench.key))
        let post = Peer.plaintext([1, 2, 3, 4] + "post".utf8, type: .signedPlain, at: 2)
        bench.hear(Peer.room.datagram(.txtMsg, post, to: bench.key))

        #expect(bench.nextMessage()[11] == 1)
        #expect(Array(bench.nextMessage().dropFirst(11)) == [2] + Peer.bytes(2) + [1, 2, 3, 4] + "post".utf8)
    }

    @Test(.proves("CMP-041", "CMP-042", "CMP-139", "CMP-140"))
    func `the layout is that of the version in force at arrival`() {
        var bench = CompanionBench.knowing(.bob, version: 0)
        let secret = GroupChannel.publicChannel.secret
        let datagram = Peer.group(.grpData, [0x34, 0x12, 2, 0xA1, 0xB2], secret: secret)
        bench.hear(Peer.bob.text("a", at: 1, to: bench.key))
        bench.hear(Peer.channelText("Bob: a", at: 1, secret: secret))
        bench.hear(datagram)
        bench.send(DeviceQuery(appTargetVersion: 3))
        bench.hear(Peer.bob.text("b", at: 2, to: bench.key))
        bench.hear(Peer.channelText("Bob: b", at: 2, secret: secret))

        let codes = (0..<5).map { _ in bench.nextMessage() }

        #expect(codes.map { $0[0] } == [0x07, 0x08, 0x1B, 0x10, 0x11])
        #expect(codes[1] == [0x08, 0, 0, 0] + Peer.bytes(1) + "Bob: a".utf8)
        #expect(codes[2] == [0x1B, 25, 0, 0, 0, 0, 0x34, 0x12, 2, 0xA1, 0xB2])
    }

    @Test(.proves("CMP-141")) func `a full queue gives up its oldest channel frame`() {
        var board = BoardProfile.vectors
        board.offlineQueueSize = 3
        var bench = CompanionBench.knowing(.bob, board: board)
        bench.hear(Peer.bob.text("1", at: 1, to: bench.key))
        bench.hear(Peer.channelText("Bob: 2", at: 2, secret: GroupChannel.publicChannel.secret))
        bench.hear(Peer.bob.text("3", at: 3, to: bench.key))

        #expect(bench.hearing(Peer.bob.text("4", at: 4, to: bench.key)) == Answer.waiting)

        #expect((0..<4).map { _ in bench.nextMessage().last } == [0x31, 0x33, 0x34, 0x0A])
    }

    @Test(.proves("CMP-142", "CMP-249"))
    func `a message that finds no room is announced and acknowledged all the same`() {
        var board = BoardProfile.vectors
        board.offlineQueueSize = 1
        var bench = CompanionBench.knowing(board: board)
        bench.add(.bob, path: .empty)
        bench.hear(Peer.bob.text("1", at: 1, to: bench.key))
        _ = bench.airAfter()

        #expect(bench.hearing(Peer.bob.text("2", at: 2, to: bench.key)) == Answer.waiting)

        #expect(bench.airAfter().map(\.type) == [.ack])
        #expect(bench.nextMessage().last == 0x31)
        #expect(bench.nextMessage() == [0x0A])
    }

    @Test(.proves("CMP-143")) func `messages wait in silence while nobody is connected`() {
        var bench = CompanionBench.knowing(.bob)
        bench.disconnect()

        #expect(bench.hearing(Peer.bob.text("hi", at: 1, to: bench.key)) == [])
        bench.connect()
        bench.wait(milliseconds: 100)
        #expect(bench.takeFrames() == [])

        #expect(bench.nextMessage().last == 0x69)
    }

    @Test(.proves("CMP-145", "CMP-248")) func `texts end at their first NUL or at the end of the frame`() {
        var bench = CompanionBench.knowing(.bob, .room)
        let long = [UInt8](repeating: 0x78, count: 162)
        bench.hear(Peer.bob.datagram(.txtMsg, Peer.plaintext(long, at: 1), to: bench.key))
        let signed = Peer.plaintext(long, type: .signedPlain, at: 2)
        bench.hear(Peer.room.datagram(.txtMsg, signed, to: bench.key))
        bench.hear(
            Peer.group(.grpTxt, Peer.plaintext(long, at: 3), secret: GroupChannel.publicChannel.secret))
        bench.hear(Peer.bob.datagram(.txtMsg, Peer.plaintext([0x61, 0, 0x62], at: 4), to: bench.key))

        #expect((0..<4).map { _ in bench.nextMessage().count } == [176, 176, 173, 17])
    }

    @Test(.proves("CMP-146")) func `a channel datagram too long for a frame leaves no trace`() {
        var bench = CompanionBench.knowing()
        bench.withRadio { $0.setClock(1) }
        // A length that no sender of this release can make, in a packet that still fits.
        let plaintext: [UInt8] = [1, 0, 168] + [UInt8](repeating: 1, count: 165)
        let packet = Peer.group(.grpData, plaintext, secret: GroupChannel.publicChannel.secret)
        #expect(!packet.isEmpty)

        #expect(bench.hearing(packet) == [])
        #expect(bench.nextMessage() == [0x0A])
    }

    @Test(.proves("CMP-147")) func `another copy of a packet is not delivered again`() {
        var bench = CompanionBench.knowing(.bob)
        bench.hear(Peer.bob.text("hi", at: 1, to: bench.key, .flood([1])))

        #expect(bench.hearing(Peer.bob.text("hi", at: 1, to: bench.key, .flood([2, 3]))) == [])
    }

    @Test(.proves("CMP-148")) func `a message makes its sender a recent contact`() {
        var bench = CompanionBench.knowing(.bob, .eve)
        bench.wait(milliseconds: 5000)

        bench.hear(Peer.bob.text("hi", at: 1, to: bench.key))
        bench.toApp = []

        #expect(bench.listing(since: CompanionBench.epoch) == [Peer.bob.key])
        #expect(bench.contact(.bob)?.lastModified == CompanionBench.epoch + 5)
    }

    @Test(.proves("CMP-149")) func `messages of strangers are ignored`() {
        var bench = CompanionBench.knowing(.bob)

        #expect(bench.hearing(Peer.eve.text("hi", at: 1, to: bench.key)) == [])
        #expect(bench.airAfter().isEmpty)
    }

    @Test(.proves("CMP-150")) func `traffic is reported with the lowest slot of its secret`() {
        var bench = CompanionBench.knowing()
        let secret = FixedBytes<16>(repeatElement(7, count: 16))
        bench.send(SetChannel(channelIndex: 3, name: FixedBytes(text: "c"), secret: secret))
        bench.hear(Peer.channelText("Bob: x", at: 1, secret: SharedSecret(channel: secret)))
        bench.send(SetChannel(channelIndex: 1, name: FixedBytes(text: "c"), secret: secret))
        bench.hear(Peer.channelText("Bob: y", at: 2, secret: SharedSecret(channel: secret)))

        #expect([bench.nextMessage()[4], bench.nextMessage()[4]] == [3, 1])
    }

    @Test func `channel texts of other types and cut datagrams are dropped`() {
        var bench = CompanionBench.knowing()
        let secret = GroupChannel.publicChannel.secret

        #expect(bench.hearing(Peer.group(.grpTxt, Peer.plaintext([0x78], type: .cliData, at: 1), secret: secret)) == [])
        #expect(bench.hearing(Peer.group(.grpData, [1, 0, 14, 1, 2], secret: secret)) == [])
        #expect(bench.hearing(Peer.group(.grpData, [1, 0, 13, 1, 2], secret: secret)) == Answer.waiting)
    }

    @Test(.proves("CMP-158")) func `an erased channel is no longer received`() {
        var bench = CompanionBench.knowing()
        let secret = FixedBytes<16>(repeatElement(7, count: 16))
        bench.send(SetChannel(channelIndex: 2, name: FixedBytes(text: "c"), secret: secret))
        bench.send(SetChannel(channelIndex: 2, name: FixedBytes(), secret: FixedBytes()))
        bench.toApp = []

        #expect(bench.hearing(Peer.channelText("Bob: x", at: 1, secret: SharedSecret(channel: secret))) == [])
    }

    // MARK: Acknowledging by itself

    @Test(.proves("CMP-151")) func `a flooded message is acknowledged inside the way it came`() throws {
        var bench = CompanionBench.knowing(.bob)
        let plaintext = Peer.plaintext([UInt8]("hello".utf8), at: 9)
        bench.hear(Peer.bob.datagram(.txtMsg, plaintext, to: bench.key, .flood([0xAA, 0xBB])))

        bench.wait(milliseconds: 199)
        #expect(bench.transmitted.isEmpty)
        let answer = try #require(bench.airAfter().first)

        let ack = MeshHash.ackHash(plaintext: plaintext, key: Peer.bob.key)
        let opened = try #require(Peer.bob.opened(answer.bytes, with: bench.key))
        #expect(answer.type == .path && answer.route == .flood)
        #expect(Array(opened.prefix(9)) == [2, 0xAA, 0xBB, 3] + Peer.bytes(ack) + [0])
    }

    @Test(.proves("CMP-151")) func `a direct message is acknowledged along the path, twice when asked to`() {
        var bench = CompanionBench.knowing()
        bench.add(.bob, path: PathLength(hashSize: 1, hops: 1), [0x55])
        bench.hear(Peer.bob.text("a", at: 1, to: bench.key))
        let once = bench.airAfter()
        bench.send(SetOtherParams(manualAdd: 0, telemetryModes: 0, advertLocationPolicy: 0, multiAcks: 3))
        bench.hear(Peer.bob.text("b", at: 2, to: bench.key))
        let twice = bench.airAfter()

        #expect(once.map(\.type) == [.ack] && once[0].path == [0x55] && once[0].payloadCount == 6)
        #expect(twice.map(\.type) == [.multipart, .ack])
    }

    @Test func `a direct message of a contact without a path is acknowledged by flood`() {
        var bench = CompanionBench.knowing(.bob)
        bench.hear(Peer.bob.text("a", at: 1, to: bench.key))

        let air = bench.airAfter()

        #expect(air.map(\.type) == [.ack] && air[0].route == .flood)
    }

    @Test func `the attempt that rides behind a text comes back in its acknowledgement`() {
        var bench = CompanionBench.knowing()
        bench.add(.bob, path: .empty)
        let plaintext = Peer.plaintext([0x61, 0, 9], attempt: 9, at: 1)
        bench.hear(Peer.bob.datagram(.txtMsg, plaintext, to: bench.key))

        #expect(bench.airAfter().first?.payload[4] == 9)
    }

    // MARK: Sending

    @Test(.proves("CMP-119")) func `attempts above three ride behind the text and share acknowledgements`() throws {
        var bench = CompanionBench.knowing(.bob)

        let first = bench.sendText("x", to: .bob, attempt: 1)
        let fifth = bench.sendText("x", to: .bob, attempt: 5)

        #expect(first == fifth)
        let opened = try #require(Peer.bob.opened(bench.airAfter()[1].bytes, with: bench.key))
        #expect(Array(opened.prefix(8)) == Peer.bytes(5) + [1, 0x78, 0, 5])
    }

    @Test(.proves("CMP-120", "CMP-245")) func `commands carry the radio's own clock, which never repeats`() throws {
        var bench = CompanionBench.knowing(.rep)

        let sent = bench.sent(
            SendTxtMsg(
                textType: .cliData, attempt: 0, timestamp: 1, publicKeyPrefix: FixedBytes(Peer.rep.prefix),
                text: "ver"))
        let status = bench.sent(SendStatusReq(publicKey: Peer.rep.key))

        let opened = try #require(Peer.rep.opened(bench.airAfter()[0].bytes, with: bench.key))
        #expect(sent?.tag == 0)
        #expect(Array(opened.prefix(8)) == Peer.bytes(CompanionBench.epoch) + [4] + "ver".utf8)
        #expect(status?.tag == CompanionBench.epoch + 1)
    }

    @Test(.proves("CMP-128")) func `an unused slot is a channel with the all-zero key`() throws {
        var bench = CompanionBench.knowing()

        #expect(
            bench.ask(SendChannelTxtMsg(textType: .plain, channelIndex: 5, timestamp: 1, text: "hi")) == Answer.ok)

        let packet = try #require(bench.airAfter().first)
        #expect(packet.payload[0] == 0)
        #expect(Sealing.open([UInt8](packet.payload.dropFirst()), secret: SharedSecret()) != nil)
    }

    @Test(.proves("CMP-129", "CMP-241"))
    func `channel texts are cut to what the name leaves, down to nothing`() throws {
        var bench = CompanionBench.knowing()
        let text = ByteText(String(repeating: "y", count: 169))
        bench.send(SendChannelTxtMsg(textType: .plain, channelIndex: 0, timestamp: 1, text: text))
        bench.send(SendChannelTxtMsg(textType: .plain, channelIndex: 0, timestamp: 2, text: ""))

        let texts = bench.airAfter().map { packet in
            Sealing.open([UInt8](packet.payload.dropFirst()), secret: GroupChannel.publicChannel.secret) ?? []
        }

        #expect(texts.map { $0.dropFirst(5).prefix { $0 != 0 }.count } == [160, 10])
    }
}
