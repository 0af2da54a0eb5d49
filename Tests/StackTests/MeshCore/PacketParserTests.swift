import MeshCompanion
import MeshCore
import MeshPacket
import MeshTestSupport
import MeshTime
import MeshVirtualTime
import MeshWire
import Testing

@Suite struct PacketParserTests {
    private func reason(_ frame: [UInt8]) -> FrameError? {
        if case .parseFailure(frame, let error) = PacketParser.parse(frame) { error } else { nil }
    }

    @Test(.proves("SVC-014")) func `a million random frames each give an event, and failures keep the bytes`() {
        var draws = Seed(14).stream("frames")
        for _ in 0..<1_000_000 {
            let count = Int(draws.draw(0, 301))
            let frame = [UInt8](unsafeUninitializedCapacity: count) { memory, size in
                draws.fill(UnsafeMutableRawBufferPointer(memory))
                size = count
            }
            switch PacketParser.parse(frame) {
            case .parseFailure(let bytes, _), .unknown(let bytes): if bytes != frame { Issue.record("\(frame.hex)") }
            default: break
            }
        }
    }

    @Test func `every response and push of the table has an event of its own`() {
        let frames =
            ResponseCode.allCases.map { $0.row.frame.init().encoded() }
            + PushCode.allCases.map { $0.row.frame.init().encoded() }
        let names = frames.map { PacketParser.parse($0).name }

        #expect(!names.contains("parseFailure") && !names.contains("unknown"))
        // The two layouts of each kind of message are one event.
        #expect(Set(names).count == 30 + 17 - 2)
    }

    @Test(.proves("SVC-015")) func `a frame that cannot be read does not stop the reader`() throws {
        try withSession { session, radio, clock in
            let events = await session.events()
            await radio.simulateReceive([0x82, 1])
            await radio.simulateReceive([0xEE, 1, 2])
            await radio.simulateReceive([])
            await radio.simulateReceive(Push.MsgWaiting().encoded())
            var seen: [String] = []
            for await event in events {
                seen.append(event.name)
                if seen.count == 4 { break }
            }

            #expect(seen == ["parseFailure", "unknown", "parseFailure", "messagesWaiting"])
        }
    }

    @Test(.proves("SVC-016")) func `a contact is read as the firmware writes it`() throws {
        var contact = Fixture.contact(7)
        (contact.latitude, contact.longitude) = (48_117_266, -11_516_667)
        let frame = Fixture.frame(contact)

        #expect(frame.count == 148)
        #expect(PacketParser.parse(frame) == .contact(contact))
        #expect(try FrameCodec.decodeContactFrame(from: frame) == contact)
    }

    @Test func `the codec of PocketMesh reads what the parser reads, and refuses another frame`() throws {
        let info = Resp.ChannelInfo(channelIndex: 1, name: FixedBytes(text: "Pub"), secret: FixedBytes(1...16))

        #expect(try FrameCodec.decodeChannelInfo(from: info.encoded()) == info)
        #expect(try FrameCodec.decodeSelfInfo(from: Fixture.selfInfo.encoded()) == Fixture.selfInfo)
        #expect(throws: FrameError.self) { try FrameCodec.decodeDeviceInfo(from: info.encoded()) }
    }

    @Test(.proves("SVC-017", "SVC-026", "SVC-R-065")) func `names are readable, whatever their bytes`() {
        #expect(ByteText(bytes: Array("Anna ".utf8) + [0xF0, 0x9F, 0x98]).readable == "Anna ")
        #expect(ByteText(bytes: Array("Anna 😀".utf8)).readable == "Anna 😀")
        #expect(ByteText(bytes: [0x41, 0xFF, 0x42]).readable == "A\u{FFFD}B")
        #expect(ByteText(bytes: [0x80, 0x80]).readable == "\u{FFFD}\u{FFFD}")
        var info = Resp.ChannelInfo(channelIndex: 1, name: FixedBytes(), secret: FixedBytes())
        info.name = FixedBytes(Array("Pub".utf8) + [0] + Array("garbage".utf8))
        guard case .channelInfo(let read) = PacketParser.parse(info.encoded()) else { return #expect(Bool(false)) }
        #expect(read.name.text.readable == "Pub")
    }

    @Test(.proves("SVC-018"))
    func `lengths that no path can have are a failure for contacts and kept for path responses`() {
        var contact = Fixture.contact(7)
        for length: UInt8 in [0xC1, 0xFE, 0xBF] {
            contact.outPathLength = PathLength(rawValue: length)
            #expect(reason(Fixture.frame(contact))?.field == "path_len")
            #expect(reason([0x16, 0, 0, 0, 0, length])?.field == "path_len")
        }
        contact.outPathLength = .unknown
        #expect(PacketParser.parse(Fixture.frame(contact)) == .contact(contact))
        let response = Push.PathDiscoveryResponse(
            publicKeyPrefix: FixedBytes(), outPathLength: PathLength(rawValue: 0xC1), outPath: [], inPath: [])
        #expect(PacketParser.parse(response.encoded()) == .pathResponse(response))
    }

    @Test(.proves("SVC-019", "SVC-R-111"))
    func `an introduction of 57 bytes has no name, and a shorter one is a failure`() {
        let whole = Fixture.selfInfo.encoded()
        var nameless = Fixture.selfInfo
        nameless.name = ""

        #expect(PacketParser.parse(Array(whole.prefix(58))) == .selfInfo(nameless))
        #expect(reason(Array(whole.prefix(57))) != nil)
        #expect(reason(Array(whole.prefix(56))) != nil)
    }

    @Test(.proves("SVC-020", "SVC-R-112", "SVC-R-064")) func `the make of old and new radios is read`() {
        let new = Resp.DeviceInfo(
            halvedMaxContacts: 175, maxChannels: 40, blePin: 0, buildDate: FixedBytes(), model: FixedBytes(),
            version: FixedBytes(), clientRepeat: 1, pathHashMode: 2)
        func read(_ frame: [UInt8]) -> Resp.DeviceInfo? {
            if case .deviceInfo(let info) = PacketParser.parse(frame) { info } else { nil }
        }

        #expect(read(new.encoded()) == new)
        #expect(read(new.encoded()).map { Int($0.halvedMaxContacts) * 2 } == 350)
        #expect(read(Array(new.encoded().prefix(80)))?.pathHashMode == nil)
        #expect(read([0x0D, 2])?.firmwareVersionCode == 2)
        #expect(read([0x0D, 3]) == nil)
        #expect(reason(Array(new.encoded().prefix(79))) != nil)
    }

    @Test(
        .proves("SVC-021", "SVC-R-105"),
        arguments: [
            (
                Push.LoginSuccess(permissions: 1, publicKeyPrefix: FixedBytes(), serverTime: 1, aclPermissions: 3),
                LoginInfo.Role.admin
            ),
            (
                Push.LoginSuccess(permissions: 2, publicKeyPrefix: FixedBytes(), serverTime: 1, aclPermissions: 0),
                .guest
            ),
            (
                Push.LoginSuccess(permissions: 0, publicKeyPrefix: FixedBytes(), serverTime: 1, aclPermissions: 2),
                .readWrite
            ),
            (
                Push.LoginSuccess(permissions: 0, publicKeyPrefix: FixedBytes(), serverTime: 1, aclPermissions: 1),
                .guest
            ),
            // Only the first byte makes an administrator.
            (
                Push.LoginSuccess(permissions: 2, publicKeyPrefix: FixedBytes(), serverTime: 1, aclPermissions: 3),
                .guest
            ),
            (Push.LoginSuccess(permissions: 0, publicKeyPrefix: FixedBytes()), .readWrite),
            (Push.LoginSuccess(permissions: 1, publicKeyPrefix: FixedBytes()), .admin),
        ])
    func `a login tells what it allows`(push: Push.LoginSuccess, role: LoginInfo.Role) {
        guard case .loginSuccess(let read) = PacketParser.parse(push.encoded()) else { return #expect(Bool(false)) }

        #expect(LoginInfo(read).role == role)
    }

    @Test(.proves("SVC-023", "SVC-R-032")) func `a confirmation has a trip time from eight bytes on`() {
        #expect(PacketParser.parse([0x82, 1, 2, 3, 4]) == .acknowledgement(code: 0x0403_0201, tripTime: nil))
        #expect(PacketParser.parse([0x82, 1, 2, 3, 4, 9, 9, 9]) == .acknowledgement(code: 0x0403_0201, tripTime: nil))
        #expect(
            PacketParser.parse([0x82, 1, 2, 3, 4, 44, 1, 0, 0, 9]) == .acknowledgement(code: 0x0403_0201, tripTime: 300)
        )
        #expect(reason([0x82, 1, 2, 3]) != nil)
    }

    @Test(.proves("SVC-024", "SVC-R-114")) func `telemetry is read up to the first value that cannot be`() {
        let bytes: [UInt8] = [1, 0x74, 1, 0x9A, 1, 0x67, 0xFF, 0xF6, 2, 0x75, 0xFF, 0x9C, 1, 0x99, 5, 1, 0x67, 0, 1]

        let points = LPPDecoder.decode(bytes)

        #expect(points.map(\.type) == [.voltage, .temperature, .current])
        #expect(points.map(\.values) == [[4.1], [-1], [-0.1]])
        #expect(LPPDecoder.decode(Array(bytes.prefix(7))).count == 1)
    }

    @Test(.proves("SVC-025")) func `telemetry values come back to their type's resolution`() {
        var draws = Seed(25).stream("values")
        for type in LPPType.known where type != .polyline {
            for _ in 0..<50 {
                let bits = 8 * type.layout.size
                let numbers = (0..<type.layout.axes).map { _ -> Int in
                    let raw = Int(draws.nextU32()) & (1 << bits - 1)
                    return type.layout.isSigned && raw >> (bits - 1) == 1 ? raw - 1 << bits : raw
                }
                let record = LPPRecord(channel: 1, type: type, numbers: numbers)
                var writer = LPPWriter()
                writer.append(record)

                #expect(LPPDecoder.decode(writer.bytes) == [record])
                #expect(record.numbers == numbers)
            }
        }
    }

    @Test(.proves("SVC-027")) func `a trace has hashes of one, two, four or eight bytes, and its end without one`() {
        for (flags, size) in [(0, 1), (1, 2), (2, 4), (3, 8)] {
            let hashes = (0..<16).map { UInt8($0) }
            let trace = Push.TraceData(
                pathLength: 16, flags: UInt8(flags), tag: 1, auth: 2, pathHashes: hashes,
                pathSNRs: (0..<(16 / size)).map { HopSNR(Int8($0)) }, finalSNR: -8)

            #expect(PacketParser.parse(trace.encoded()) == .traceData(trace))
        }
    }

    @Test(.proves("SVC-028")) func `raw data keeps everything behind its reserved byte`() {
        guard case .rawData(let raw) = PacketParser.parse([0x84, 0xF0, 0xA6, 0xFF, 1, 2]) else {
            return #expect(Bool(false))
        }

        #expect((raw.snr, raw.rssi, raw.payload) == (-16, -90, [1, 2]))
    }

    @Test(.proves("SVC-029")) func `control data of type nine is an answer to a discovery, if it is long enough`() {
        let body: [UInt8] = [0x92, 40, 1, 2, 3, 4] + [7, 7]
        let whole = PacketParser.parse([0x8E, 4, 0xA6, 0] + body)
        guard case .discoverResponse(_, let response) = whole else { return #expect(Bool(false)) }
        #expect((response.nodeType, response.tag, response.publicKey) == (.repeater, 0x0403_0201, [7, 7]))

        #expect(PacketParser.parse([0x8E, 4, 0xA6, 0] + body.prefix(5)).name == "controlData")
        #expect(PacketParser.parse([0x8E, 4, 0xA6, 0, 0x82] + body.dropFirst()).name == "controlData")
    }

    @Test func `a heard packet is read when its header makes sense`() {
        #expect(PacketParser.parse([0x88, 4, 0xA6, 0x15, 0, 1, 2]).name == "rxLogData")
        #expect(PacketParser.parse([0x88, 4, 0xA6, 0x15, 0xFF]).name == "logData")
    }

    @Test func `messages of both layouts are one event, with and without SNR`() {
        var message = ContactMessage()
        message.text = "hi"
        let old = PacketParser.parse(Resp.ContactMsgRecv(message: message).encoded())
        let new = PacketParser.parse(Resp.ContactMsgRecvV3(snr: -4, message: message).encoded())

        #expect(old == .contactMessageReceived(.init(message: message, snr: nil)))
        #expect(new == .contactMessageReceived(.init(message: message, snr: -4)))
        #expect(throws: FrameError.self) { try FrameCodec.decodeMessageV3(from: [0]) }
    }

    @Test func `a signed text without its author is a failure`() {
        #expect(
            reason([0x07] + [UInt8](repeating: 1, count: 6) + [0xFF, 2] + [0, 0, 0, 0] + [1, 2, 3])?.field
                == "author_prefix")
    }
}
