import MeshCompanion
import MeshPacket
import MeshTime
import MeshWire
import Testing

@testable import MeshCapture

/// The replacements for the secrets of a recording.
@Suite struct ScrubbingTests {
    static let salt = [UInt8]("a salt".utf8)
    static let everything = Set(RecordingHeader.Secret.allCases)

    /// Secrets that follow from a number, none of them short enough to appear by chance.
    struct Secrets {
        var privateKey: FixedBytes<64>
        var channel: FixedBytes<16>
        var pin: UInt32
        var password: ByteText
        var text: ByteText
        var name: ByteText
        var position: Position

        init(_ seed: UInt64) {
            var random = Seed(seed).stream("secrets")
            privateKey = FixedBytes((0..<64).map { _ in UInt8.random(in: 0...255, using: &random) })
            channel = FixedBytes((0..<16).map { _ in UInt8.random(in: 1...255, using: &random) })
            pin = .random(in: 100_000...999_999, using: &random)
            func word(_ count: Int) -> ByteText {
                ByteText(bytes: (0..<count).map { _ in UInt8.random(in: 65...90, using: &random) })
            }
            password = word(11)
            text = word(40)
            name = word(12)
            position = Position(
                latitude: .random(in: 1_000_000...80_000_000, using: &random),
                longitude: .random(in: 1_000_000...170_000_000, using: &random))
        }

        /// As they travel, and as they are typed.
        var spellings: [[UInt8]] {
            [
                privateKey.array, [UInt8](privateKey.hex.utf8), channel.array, pin.littleEndianBytes, password.bytes,
                text.bytes, name.bytes, position.latitude.littleEndianBytes, position.longitude.littleEndianBytes,
            ]
        }
    }

    static func advert(_ secrets: Secrets) -> [UInt8] {
        var advert = Advert()
        advert.timestamp = 1_700_000_000
        advert.signature = FixedBytes(repeatElement(7, count: 64))
        let place = AdvertData.Location(
            latitude: secrets.position.latitude, longitude: secrets.position.longitude)
        advert.appData = AdvertData(type: .chat, location: place, name: secrets.name).written()
        return [0x11, 0x00] + advert.written()
    }

    static func frame<F: CodedFrame>(_ type: F.Type, _ change: (inout F) -> Void) -> [UInt8] {
        var frame = F()
        change(&frame)
        return frame.encoded()
    }

    static func text(_ type: TextType, _ line: String) -> [UInt8] {
        frame(SendTxtMsg.self) {
            $0.textType = type
            $0.text = ByteText(line)
        }
    }

    static func answer(_ line: String) -> [UInt8] {
        frame(Resp.ContactMsgRecv.self) {
            $0.message.textType = .cliData
            $0.message.text = ByteText(line)
        }
    }

    static func framesToRadio(_ secrets: Secrets) -> [[UInt8]] {
        let password = String(decoding: secrets.password.bytes, as: UTF8.self)
        let words = String(decoding: secrets.text.bytes, as: UTF8.self)
        let name = String(decoding: secrets.name.bytes, as: UTF8.self)
        return [
            frame(ImportPrivateKey.self) { $0.privateKey = secrets.privateKey },
            frame(SetChannel.self) {
                $0.name = FixedBytes(text: secrets.name)
                $0.secret = secrets.channel
            },
            frame(SetFloodScopeKey.self) { $0.key = secrets.channel },
            frame(SetDevicePin.self) { $0.pin = secrets.pin },
            frame(SendLogin.self) { $0.password = secrets.password },
            text(.cliData, "password \(password)"), text(.cliData, "set guest.password \(password)"),
            text(.cliData, "01|set prv.key \(secrets.privateKey.hex)"), text(.plain, words),
            text(.cliData, "set name \(name)"), text(.cliData, "get guest.password"),
            frame(SetAdvertLatlon.self) {
                $0.latitude = secrets.position.latitude
                $0.longitude = secrets.position.longitude
            },
            frame(SetAdvertName.self) { $0.name = secrets.name },
            frame(ImportContact.self) { $0.packet = advert(secrets) },
            frame(AddUpdateContact.self) {
                $0.name = FixedBytes(text: secrets.name)
                $0.position = secrets.position
            },
            frame(SendChannelTxtMsg.self) { $0.text = secrets.text },
            [0xF1] + secrets.privateKey.array,
            [CommandCode.setDeviceTime.rawValue, 1, 2, 3, 4] + secrets.text.bytes,
        ]
    }

    static func framesToApp(_ secrets: Secrets) -> [[UInt8]] {
        let password = String(decoding: secrets.password.bytes, as: UTF8.self)
        let words = String(decoding: secrets.text.bytes, as: UTF8.self)
        let name = String(decoding: secrets.name.bytes, as: UTF8.self)
        return [
            answer("> \(password)"), answer("password now: \(password)"),
            frame(Resp.PrivateKey.self) { $0.privateKey = secrets.privateKey },
            frame(Resp.DeviceInfo.self) { $0.blePin = secrets.pin },
            frame(Resp.SelfInfo.self) {
                $0.latitude = secrets.position.latitude
                $0.longitude = secrets.position.longitude
                $0.name = secrets.name
            },
            frame(Resp.Contact.self) {
                $0.record.name = FixedBytes(text: secrets.name)
                $0.record.latitude = secrets.position.latitude
                $0.record.longitude = secrets.position.longitude
            },
            frame(Resp.ChannelInfo.self) {
                $0.name = FixedBytes([65, 0] + secrets.name.bytes)
                $0.secret = secrets.channel
            },
            frame(Resp.ChannelMsgRecvV3.self) { $0.message.text = ByteText("\(name): \(words)") },
            frame(Resp.ContactMsgRecvV3.self) { $0.message.text = secrets.text },
            frame(Push.LogRxData.self) { $0.raw = advert(secrets) },
            frame(Push.LogRxData.self) { $0.raw = [0x15, 0x00, 0x99, 1, 2] + secrets.text.bytes },
        ]
    }

    /// A frame of every kind that carries a secret.
    static func recording(_ secrets: Secrets) -> Recording {
        let words = String(decoding: secrets.text.bytes, as: UTF8.self)
        let entries =
            framesToRadio(secrets).map { RecordingEntry(.zero, .tcp, .frame(.toRadio, $0), note: words) }
            + framesToApp(secrets).map { RecordingEntry(.zero, .tcp, .frame(.toApp, $0)) }
            + [
                RecordingEntry(.zero, .air, .packet(.heard, advert(secrets), signal: nil)),
                RecordingEntry(.zero, .tcp, .problem("between frames: \(secrets.text.bytes.hex)")),
            ]
        return Recording(RecordingHeader(story: "secrets"), entries)
    }

    static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        guard part.count <= bytes.count else { return false }
        return (0...bytes.count - part.count).contains { bytes[$0..<$0 + part.count].elementsEqual(part) }
    }

    @Test func `what was asked is known for a thousand questions, and no more are kept`() {
        var recent = RecentValues<UInt64, Int>()
        for key in 0..<5000 as Range<UInt64> { recent[key] = Int(key) }
        recent[4000] = 7
        recent[4999] = nil

        #expect(recent.count == 1023)
        #expect(recent[3975] == nil && recent[3976] == 3976 && recent[4000] == 7 && recent[4999] == nil)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `no secret of the recording is in the scrubbed one`(seed: UInt64) {
        let secrets = Secrets(seed)

        let scrubbed = Self.recording(secrets).scrubbed(of: Self.everything, salt: Self.salt).recording

        for entry in scrubbed.entries {
            let bytes =
                switch entry.event {
                case .frame(_, let bytes), .packet(_, let bytes, _): bytes
                default: [UInt8](entry.line.utf8)
                }
            for spelling in secrets.spellings {
                #expect(!Self.contains(bytes, spelling), "\(entry.line)")
            }
        }
        for spelling in secrets.spellings { #expect(!scrubbed.text.contains(spelling.hex)) }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `a scrubbed recording is read as before`(seed: UInt64) throws {
        let recording = Self.recording(Secrets(seed))

        let scrubbed = recording.scrubbed(of: Self.everything, salt: Self.salt).recording

        #expect(scrubbed.entries.count == recording.entries.count)
        for (before, after) in zip(recording.entries, scrubbed.entries) {
            guard case .frame(let direction, let old) = before.event, case .frame(_, let new) = after.event else {
                continue
            }
            let first = FramePrinter.printed(old, direction: direction)
            let second = FramePrinter.printed(new, direction: direction)
            #expect(first.name == second.name)
            #expect(first.fields.map(\.name) == second.fields.map(\.name))
            #expect(first.fields.map(\.size) == second.fields.map(\.size))
            #expect(first.failure == second.failure)
            #expect(first.objection == second.objection)
        }
        var problems: [CaptureProblem] = []
        #expect(try Recording(scrubbed.text.utf8, problems: &problems) == scrubbed)
        #expect(problems.isEmpty)
    }

    @Test func `every frame that a radio or an app can send keeps its fields and its length`() {
        var scrubber = RecordingScrubber(of: Self.everything, salt: Self.salt)
        for frame in FieldMeaningTests.frames {
            let direction: FrameDirection = frame is any CommandFrame.Type ? .toRadio : .toApp
            for seed in 1...20 as ClosedRange<UInt64> {
                let bytes = Self.fuzzed(frame, seed)
                let scrubbed = scrubber.scrubbed(frame: bytes, direction)
                let first = FramePrinter.printed(bytes, direction: direction)
                let second = FramePrinter.printed(scrubbed, direction: direction)
                #expect(bytes.count == scrubbed.count)
                #expect(first.fields.map(\.name) == second.fields.map(\.name), "\(frame) \(seed)")
                #expect(first.failure == second.failure)
            }
        }
    }

    static func fuzzed<F: CodedFrame>(_ type: F.Type, _ seed: UInt64) -> [UInt8] {
        var random = Seed(seed).stream(F.wireName)
        return F.fuzzed(using: &random).encoded()
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `scrubbing twice changes nothing, whatever the salt`(seed: UInt64) {
        let once = Self.recording(Secrets(seed)).scrubbed(of: Self.everything, salt: Self.salt).recording

        let twice = once.scrubbed(of: Self.everything, salt: [1])

        #expect(twice.recording == once)
        #expect(twice.report == ScrubReport())
    }

    @Test func `a secret has the same stand-in in all recordings of one salt, and another in others`() {
        let secrets = Secrets(1)
        let name = Self.frame(SetAdvertName.self) { $0.name = secrets.name }
        let contact = Self.frame(Resp.Contact.self) { $0.record.name = FixedBytes(text: secrets.name) }
        var first = RecordingScrubber(of: Self.everything, salt: Self.salt)
        var second = RecordingScrubber(of: Self.everything, salt: Self.salt)
        var other = RecordingScrubber(of: Self.everything, salt: [1])

        let set = first.scrubbed(frame: name, .toRadio)
        let listed = second.scrubbed(frame: contact, .toApp)

        #expect(Self.contains(listed, [UInt8](set.dropFirst())))
        #expect(other.scrubbed(frame: name, .toRadio) != set)
    }

    @Test func `long numbers in the header are masked, and the seed of the world stays`() {
        var recording = Recording(RecordingHeader(rows: [.init("seed", "1234567890"), .init("ticket", "1234567890")]))

        recording = recording.scrubbed(salt: Self.salt).recording

        #expect(recording.header.rows == [.init("seed", "1234567890"), .init("ticket", "xxxxxxxxxx")])
    }

    @Test func `a password is the same where it logs in and where it is set`() throws {
        var scrubber = RecordingScrubber(salt: Self.salt)
        let login = scrubber.scrubbed(
            frame: Self.frame(SendLogin.self) { $0.password = ByteText("swordfish") }, .toRadio)
        let set = scrubber.scrubbed(
            frame: Self.frame(SendTxtMsg.self) {
                $0.textType = .cliData
                $0.text = ByteText("password swordfish")
            }, .toRadio)

        let password = try SendLogin(decoding: login).password
        #expect(try SendTxtMsg(decoding: set).text.bytes == [UInt8]("password ".utf8) + password.bytes)
        #expect(scrubber.report.passwords == 2)
    }

    @Test func `how a radio called itself before the connection stays unless names are asked for`() {
        let note = "MeshCore-alice, c0:ff:ee:00:11:22 (random)"
        let recording = Recording(RecordingHeader(), [RecordingEntry(.zero, .ble, .connected, note: note)])

        let usual = recording.scrubbed(of: RecordingScrubber.usual, salt: Self.salt).0
        let all = recording.scrubbed(of: Self.everything, salt: Self.salt).0

        #expect(usual.entries.map(\.note) == ["MeshCore-alice, xx:xx:xx:xx:xx:xx (random)"])
        #expect(all.entries.map(\.note) == [""])
    }

    @Test func `names and public keys stay unless names are asked for`() throws {
        var scrubber = RecordingScrubber(salt: Self.salt)
        var info = Resp.SelfInfo()
        info.publicKey[3] = 9
        info.name = ByteText("alice")
        info.latitude = 52_500_000

        let scrubbed = try Resp.SelfInfo(decoding: scrubber.scrubbed(frame: info.encoded(), .toApp))

        #expect(scrubbed.publicKey == info.publicKey)
        #expect(scrubbed.name == info.name)
        #expect(scrubbed.latitude != info.latitude)
        #expect(abs(scrubbed.latitude) <= 90_000_000 && abs(scrubbed.longitude) <= 180_000_000)
    }

    @Test func `what is no secret stays: no place, no PIN, the public channel, an empty one`() throws {
        var scrubber = RecordingScrubber(of: Self.everything, salt: Self.salt)
        var channel = SetChannel()
        for secret in [Substitution.publicChannel, [UInt8](repeating: 0, count: 16)] {
            channel.secret = FixedBytes(secret)
            #expect(scrubber.scrubbed(frame: channel.encoded(), .toRadio) == channel.encoded())
        }
        #expect(scrubber.scrubbed(frame: Resp.DeviceInfo().encoded(), .toApp) == Resp.DeviceInfo().encoded())
        #expect(scrubber.scrubbed(frame: Resp.SelfInfo().encoded(), .toApp) == Resp.SelfInfo().encoded())
    }

    @Test func `an advert without a place keeps its signature, one with another place does not`() throws {
        var scrubber = RecordingScrubber(salt: Self.salt)
        var advert = Advert()
        advert.signature[5] = 1
        advert.appData = AdvertData(type: .chat, name: ByteText("alice")).written()
        let packet = [0x11, 0x00] + advert.written()
        #expect(scrubber.scrubbed(packet: packet) == packet)
        #expect(scrubber.report.losses.isEmpty)

        let placed = scrubber.scrubbed(packet: Self.advert(Secrets(3)))

        #expect(placed.count == Self.advert(Secrets(3)).count)
        #expect(placed[38..<102] != Self.advert(Secrets(3))[38..<102])
        #expect(scrubber.report.unsignedAdverts == 1)
        #expect(scrubber.report.losses == ["1 advert was changed: its signature holds no longer"])
    }

    @Test func `a position in telemetry is replaced, also in the answer to a binary request`() throws {
        var scrubber = RecordingScrubber(salt: Self.salt)
        let place = LPPRecord(channel: 1, type: .gps, numbers: [525_000, 133_000, 4000])
        let volts = LPPRecord(channel: 1, type: .voltage, numbers: [420])
        let lpp: [UInt8] = [1, 116] + volts.data + [1, 136] + place.data
        _ = scrubber.scrubbed(
            frame: Self.frame(SendBinaryReq.self) { $0.request = [RequestType.getTelemetryData.rawValue] }, .toRadio)
        _ = scrubber.scrubbed(frame: Self.frame(Resp.Sent.self) { $0.tag = 77 }, .toApp)

        let frame = scrubber.scrubbed(
            frame: Self.frame(Push.BinaryResponse.self) {
                $0.tag = 77
                $0.data = lpp
            }, .toApp)

        var reader = LPPReader(try Push.BinaryResponse(decoding: frame).data)
        let first = reader.next()
        let second = reader.next()
        #expect(first == volts)
        let scrubbed = try #require(second)
        #expect(scrubbed.type == .gps)
        #expect(scrubbed.numbers != place.numbers)
    }

    @Test func `the report counts what was replaced and tells what was lost`() {
        let report = Self.recording(Secrets(1)).scrubbed(of: Self.everything, salt: Self.salt).report

        #expect(report.keys == 6)
        #expect(report.pins == 2)
        #expect(report.passwords == 5)
        #expect(report.unsignedAdverts == 3)
        #expect(report.closedPackets == 1)
        #expect(report.unknown == 1)
        #expect(report.blanked == 1)
    }

    @Test(arguments: [
        ("12:34:56:78:9A:BC left", "xx:xx:xx:xx:xx:xx left"), ("deadbeef and cafe", "xxxxxxxx and cafe"),
        ("PIN 123456", "PIN xxxxxx"), ("pin: 12", "pin: xx"),
        ("closed by the app", "closed by the app"), ("12 bytes between frames", "12 bytes between frames"),
    ])
    func `addresses and hex in words are masked`(text: String, masked: String) {
        #expect(WrittenSecrets.masked(text) == masked)
    }
}
