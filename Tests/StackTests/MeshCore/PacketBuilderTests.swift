import MeshCompanion
import MeshCore
import MeshCrypto
import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

@Suite struct PacketBuilderTests {
    @Test(.proves("SVC-001")) func `the introduction is version, six blanks and a name of at most five characters`() {
        #expect(PacketBuilder.appStart("MCore").hex == "0103" + "202020202020" + "4d436f7265")
        #expect(PacketBuilder.appStart("Émile Zola").dropFirst(8).elementsEqual("Émile".utf8))
    }

    @Test func `the device query asks for the third version of messages`() {
        #expect(PacketBuilder.deviceQuery() == [0x16, 3])
        #expect(FrameCodec.encodeDeviceQuery(protocolVersion: 8) == [0x16, 8])
    }

    @Test(.proves("SVC-030")) func `a channel is index, 32 bytes of name that end in NUL, and the secret`() {
        let secret = FixedBytes<16>(1...16)
        let frame = PacketBuilder.setChannel(3, name: String(repeating: "x", count: 30) + "é", secret: secret)

        #expect(frame.count == 50)
        #expect(frame[..<2] == [0x20, 3])
        #expect(frame[2..<32].allSatisfy { $0 == UInt8(ascii: "x") })
        #expect(frame[32...33] == [0, 0], "half of the last letter is left out")
        #expect(frame[34...].elementsEqual(1...16))
    }

    @Test(
        .proves("SVC-031"),
        arguments: [
            (869.618, 62.5, "0bf2440d0024f40000"), (Double.nan, Double.nan, "0bf0490200581b0000"),
            (-5, -1, "0bf0490200581b0000"), (Double.infinity, 1e30, "0ba025260020a10700"),
            (433.0006, 31.25, "0b699b0600127a0000"),
        ])
    func `radio values are rounded to the nearest and clamped, whatever they are`(
        megahertz: Double, kilohertz: Double, hex: String
    ) throws {
        let frame = PacketBuilder.setRadio(
            megahertz: megahertz, kilohertz: kilohertz, spreadingFactor: 8, codingRate: 5)

        #expect(frame.dropLast(2).hex == hex)
        #expect(frame.suffix(2) == [8, 5])
    }

    @Test(.proves("SVC-032", "SVC-R-113"))
    func `coordinates are scaled, clamped, and zero when they are no number`() throws {
        func written(_ latitude: Double, _ longitude: Double) throws -> [Int32] {
            let frame = try SetAdvertLatlon(
                decoding: PacketBuilder.setCoordinates(latitude: latitude, longitude: longitude))
            return [frame.latitude, frame.longitude]
        }

        #expect(try written(48.117266, -11.516667) == [48_117_266, -11_516_667])
        #expect(try written(91, -181) == [90_000_000, -180_000_000])
        #expect(try written(.nan, .infinity) == [0, 180_000_000])
        #expect(PacketBuilder.setTime(seconds: -5) == [6, 0, 0, 0, 0])
        #expect(PacketBuilder.setTime(seconds: 1e20) == [6, 255, 255, 255, 255])
        #expect(PacketBuilder.setTime(seconds: .nan) == [6, 0, 0, 0, 0])
    }

    @Test(.proves("SVC-033")) func `the other parameters carry three modes of telemetry in one byte`() {
        let modes = TelemetryModes(base: 2, location: 1, environment: 3)

        let frame = PacketBuilder.setOtherParams(
            manualAdd: 1, telemetryModes: modes, advertLocationPolicy: 2, multiAcks: 4)

        #expect(frame == [0x26, 1, 3 << 4 | 1 << 2 | 2, 2, 4])
        #expect((modes.base, modes.location, modes.environment) == (2, 1, 3))
        var changed = modes
        (changed.base, changed.location, changed.environment) = (1, 2, 0)
        #expect(changed == TelemetryModes(base: 1, location: 2, environment: 0))
    }

    @Test(.proves("SVC-046")) func `each kind of scope has its key`() {
        #expect(ScopeKey.disabled.key.isZero)
        #expect(ScopeKey.rawKey(FixedBytes(1...16)).key == FixedBytes(1...16))
        #expect(ScopeKey.region("test").key == FixedBytes(SHA256.hash(Array("#test".utf8)).array))
        #expect(ScopeKey.channelName("test").key == FixedBytes(SHA256.hash(Array("test".utf8)).array))
        #expect(PacketBuilder.setUnscoped() == [0x36, 1])
    }

    @Test(.proves("SVC-140", "SVC-R-115")) func `power is one signed byte`() {
        #expect(PacketBuilder.setTxPower(-9) == [0x0C, 0xF7])
    }

    /// Frames of the rest, from the layouts of the firmware's commands.
    private static let key = String(repeating: "07", count: 32)
    private static let vectors: [(String, [UInt8], String)] = [
        (
            "a text",
            PacketBuilder.sendMessage(
                to: FixedBytes([1, 2, 3, 4, 5, 6]), text: "hi", timestamp: 0x0102_0304, attempt: 2),
            "02000204030201" + "010203040506" + "6869"
        ),
        (
            "a command line",
            PacketBuilder.sendCommand(to: FixedBytes([1, 2, 3, 4, 5, 6]), command: "ver", timestamp: 1),
            "02010001000000" + "010203040506" + "766572"
        ),
        (
            "a channel text", PacketBuilder.sendChannelMessage(channel: 2, text: "hi", timestamp: 1),
            "030002010000006869"
        ),
        (
            "a datagram", PacketBuilder.sendChannelData(channel: 2, dataType: 0x1234, payload: [9]), "3e02ff341209"
        ),
        ("raw data", PacketBuilder.sendRawData(path: [0xCA, 0xFE], payload: [1, 2]), "1902cafe0102"),
        ("a listing", PacketBuilder.getContacts(), "04"),
        ("a listing since", PacketBuilder.getContacts(since: 256), "0400010000"),
        ("the next message", PacketBuilder.getMessage(), "0a"),
        ("an advert", PacketBuilder.sendAdvertisement(flood: false), "07"),
        ("a flooded advert", PacketBuilder.sendAdvertisement(flood: true), "0701"),
        ("a name", PacketBuilder.setName("Bo"), "08426f"),
        ("the battery", PacketBuilder.getBattery(), "14"), ("a reboot", PacketBuilder.reboot(), "137265626f6f74"),
        ("the frequencies for repeating", PacketBuilder.getRepeatFreq(), "3c"),
        ("a reset", PacketBuilder.factoryReset(), "337265736574"),
        ("the path's reset", PacketBuilder.resetPath(Fixture.key(7)), "0d" + key),
        ("own card", PacketBuilder.exportContact(), "11"),
        ("a card", PacketBuilder.exportContact(Fixture.key(7)), "11" + key),
        ("tuning", PacketBuilder.setTuning(receiveDelay: 1.5, airtimeFactor: 2), "15dc050000d0070000"),
        ("a login", PacketBuilder.sendLogin(to: Fixture.key(7), password: "pw"), "1a" + key + "7077"),
        ("status", PacketBuilder.sendStatusRequest(Fixture.key(7)), "1b" + key),
        ("a logout", PacketBuilder.sendLogout(Fixture.key(7)), "1d" + key),
        ("own telemetry", PacketBuilder.getSelfTelemetry(), "27000000"),
        ("a node's telemetry", PacketBuilder.getSelfTelemetry(Fixture.key(7)), "27000000" + key),
        ("a variable", PacketBuilder.setCustomVar("gps", "1"), "296770733a31"),
        ("the way of an advert", PacketBuilder.getAdvertPath(Fixture.key(7)), "2a00" + key),
        (
            "a binary request",
            PacketBuilder.binaryRequest(to: Fixture.key(7), type: .getNeighbours, payload: [0, 10]),
            "32" + key + "06000a"
        ),
        ("a discovery", PacketBuilder.sendPathDiscovery(Fixture.key(7)), "3400" + key),
        (
            "a scope", PacketBuilder.setFloodScope(FixedBytes(repeatElement(0xAB, count: 16))),
            "3600" + String(repeating: "ab", count: 16)
        ),
        (
            "a trace", PacketBuilder.sendTrace(tag: 1, auth: 2, flags: 0, path: [0xCA]),
            "2401000000" + "02000000" + "00ca"
        ),
        (
            "who is there", PacketBuilder.sendNodeDiscoverRequest(filter: 4, prefixOnly: true, tag: 5, since: 6),
            "3781040500000006000000"
        ),
        ("statistics", PacketBuilder.getStatsPackets(), "3802"),
        ("adding", PacketBuilder.setAutoAddConfig(3, maxHops: 2), "3a0302"),
        ("hashes", PacketBuilder.setPathHashMode(2), "3d0002"),
        ("no scope", PacketBuilder.setDefaultFloodScope(nil), "3f"),
        ("signing", PacketBuilder.signData([1, 2]), "220102"),
    ]

    @Test(arguments: vectors)
    func `each function builds the firmware's frame`(name: String, frame: [UInt8], hex: String) {
        #expect(frame.hex == hex, "\(name)")
    }

    @Test func `a contact is written without the time of its change`() throws {
        let frame = PacketBuilder.updateContact(Fixture.contact(7))

        #expect(frame.count == 144)
        #expect(try AddUpdateContact(decoding: frame).lastModified == nil)
        #expect(FrameCodec.encodeAddUpdateContact(Fixture.contact(7)) == frame)
    }

    @Test func `the codec of PocketMesh builds the same frames`() {
        let prefix = FixedBytes<6>(1...6)
        let channel = Resp.ChannelInfo(channelIndex: 3, name: FixedBytes(text: "Pub"), secret: FixedBytes(1...16))

        #expect(
            FrameCodec.encodeSetChannel(channel) == PacketBuilder.setChannel(3, name: "Pub", secret: channel.secret))
        #expect(
            FrameCodec.encodeSendLogin(recipientKey: Fixture.key(7), password: "pw")
                == PacketBuilder.sendLogin(to: Fixture.key(7), password: "pw"))
        #expect(
            FrameCodec.encodeSendTextMessage(attempt: 2, timestamp: 9, recipientKeyPrefix: prefix, text: "hi")
                == PacketBuilder.sendMessage(to: prefix, text: "hi", timestamp: 9, attempt: 2))
    }

    @Test func `a card is a link with the packet in digits`() {
        let card = ContactCard(packet: [0x11, 0xAB])

        #expect(card.description == "meshcore://11ab")
        #expect(ContactCard("meshcore://11AB") == card)
        #expect(ContactCard("meshcore://") == nil)
        #expect(ContactCard("http://11ab") == nil)
        #expect(ContactCard("meshcore://11a") == nil)
    }
}
