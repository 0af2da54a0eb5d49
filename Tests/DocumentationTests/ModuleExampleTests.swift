import BluetoothCapture
import Foundation
import MeshBluetoothHost
import MeshCapture
import MeshCaptureIO
import MeshCompanion
import MeshCore
import MeshCrypto
import MeshDesktop
import MeshEmulator
import MeshFiles
import MeshFirmware
import MeshHTTP
import MeshPacket
import MeshRadio
import MeshRecords
import MeshReleases
import MeshRoleCompliance
import MeshSimulator
import MeshStore
import MeshTestbed
import MeshTime
import MeshTransports
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import PocketMeshUI
import PocketMeshWeb
import Testing
import meshbed

/// The examples of the module pages, compiled and run; `DocumentationTests` holds the pages against this folder.
@Suite struct ModuleExampleTests {
    struct Position: FieldGroup {
        var latitude: Int32 = 0
        var altitude: UInt16?

        mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.i32("lat", &latitude, unit: .microdegrees)
            w.tail("alt", &altitude)
        }
    }

    @Test func `a group of fields is written and read by its one walk`() throws {
        var position = Position()
        position.latitude = 48_117_266
        let bytes = position.written()  // 4 bytes, little-endian
        let back = try bytes.withUnsafeBytes { memory throws(FrameError) in try Position(reading: memory) }

        #expect(bytes == [0x12, 0x36, 0xDE, 0x02])
        #expect(back == position)
    }

    @Test func `a picture is made small`() throws {
        let picture = try #require(Picture(width: 200, height: 100, pixels: [UInt8](repeating: 9, count: 60_000)))

        let codec = JPEGCodec()
        let photo = try codec.encode(picture, quality: 0.9)
        let small = try codec.decode(ImagePreparation(codec: codec).prepare(photo))
        // No side is longer than 96 pixels, and the file has at most 64 chunks of 136 bytes.

        #expect((small.width, small.height) == (96, 48))
    }

    @Test func `records are read as far as they go, and the rest is told`() throws {
        let bytes = [UInt8](#"{"raw": "1500", "SNR": "9.5"}"#.utf8) + [UInt8]("\n{\"raw\": \"15".utf8)

        let file = try RecordFile(bytes)
        var heard = HeardAdverts()
        for packet in file.packets { heard.take(packet) }
        let names = heard.nodes.map(\.title)
        let omissions = file.leftOut.rows.map(\.description)

        #expect(file.packets.map(\.snr) == [9.5] && names.isEmpty)
        #expect(omissions == ["1 record of broken JSON, line 2: a text does not end"])
    }

    @Test func `a named stream gives the same draw every time`() {
        let seed = Seed(7)
        var backoff = seed.stream("node", "relay-7", "backoff")
        let now = Instant.milliseconds(1500)
        let wake = now + .milliseconds(backoff.draw(0, 400))

        var again = seed.stream("node", "relay-7", "backoff")
        #expect(wake - now == .milliseconds(again.draw(0, 400)))
    }

    @Test func `the air and the firmware's estimate agree to the millisecond`() {
        let parameters = LoRaParameters(
            frequencyKilohertz: 869_618, bandwidthHertz: 62_500, spreadingFactor: 8, codingRate: 5)
        let airtime = Airtime(parameters)
        let onTheAir = airtime.microseconds(bytes: 100)
        let asTheFirmwareEstimates = airtime.milliseconds(bytes: 100)

        #expect(abs(onTheAir - 1000 * Int64(asTheFirmwareEstimates)) <= 1000)
    }

    @Test func `what alice seals bob opens, and her signature is hers`() {
        let alice = LocalIdentity(seed: Seed32(repeatElement(1, count: 32)))
        let bob = LocalIdentity(seed: Seed32(repeatElement(2, count: 32)))
        let sealed = Sealing.seal(Array("hello".utf8), secret: alice.sharedSecret(with: bob.publicKey))
        let opened = Sealing.open(sealed, secret: bob.sharedSecret(with: alice.publicKey))
        // The padding stays: opened is "hello" and eleven zero bytes.
        let signature = alice.sign(Array("an advert".utf8))
        let isGenuine = Ed25519.verify(signature, of: Array("an advert".utf8), by: alice.publicKey)

        #expect(opened == Array("hello".utf8) + Array(repeating: 0, count: 11))
        #expect(isGenuine)
    }

    @Test func `a packet is made, relayed, read and opened`() throws {
        let alice = LocalIdentity(seed: Seed32(repeatElement(1, count: 32)))
        let bob = LocalIdentity(seed: Seed32(repeatElement(2, count: 32)))
        let relay = LocalIdentity(seed: Seed32(repeatElement(4, count: 32)))
        let secret = alice.sharedSecret(with: bob.publicKey)
        guard let text = TextPlaintext(timestamp: 1_700_000_000, text: "Hello Bob"),
            var view = PacketFactory.datagram(
                .txtMsg, to: bob.publicKey[0], from: alice.publicKey[0], secret: secret, text)
        else { return }
        view.routeFlood(hashSize: 2)
        view.appendHop(relay.publicKey)
        let packet = try Packet(view)
        // packet.payload is .txtMsg with hashes, MAC and ciphertext; packet.path is the relay's two bytes.
        let opened = try view.opened(with: bob.sharedSecret(with: alice.publicKey))?.read(TextPlaintext.self)

        #expect(packet.path == [0xCA, 0x93])
        #expect(packet.type == .txtMsg)
        #expect(opened?.text == "Hello Bob")
    }

    @Test func `a command is framed, and the radio's frames come out of the stream again`() throws {
        let bytesFromTheRadio: [UInt8] = [0x3E, 1, 0, 0x00, 0x3E, 2, 0, 0x01, 0x06]
        var printed: [String] = []
        func print(_ frame: some Any) { printed.append("\(frame)") }

        var command = SetRadioParams()
        command.frequency = 869_525
        let bytes = StreamFraming.encode(toRadio: try command.checkedEncoding())

        var receiver = ClientReceiver()
        _ = receiver.append(bytesFromTheRadio)
        while let frame = receiver.nextFrame() {
            print(FramePrinter.printed(frame, direction: .toApp))
        }

        #expect(bytes.prefix(4) == [0x3C, UInt8(bytes.count - 3), 0, 0x0B])
        #expect(printed.count == 2)
    }

    @Test func `a companion radio answers its app`() {
        let seed = Seed(7)
        var radio = CompanionRadio(
            board: .heltecV3, identityStream: seed.stream("identity"), randomStream: seed.stream("random"),
            interface: .serial, at: .start)
        var effects: [NodeEffect] = []
        // DEVICE_QUERY, framed as on a serial line.
        radio.handle(.appBytes([0x3C, 2, 0, 0x16, 3]), at: .milliseconds(5), radio: RadioStatus(), into: &effects)
        let wake = radio.nextWake

        let answers = effects.compactMap { if case .appBytes(let bytes) = $0 { bytes } else { nil } }
        #expect(answers.first?.prefix(4) == [0x3E, 82, 0, 0x0D])
        #expect(wake > .milliseconds(5))
    }

    @Test func `a world runs to a moment and says what came out`() {
        var world = World(.pair, seed: Seed(7))
        let alice = NodeID(index: 0)
        world.inject(.appConnected, into: alice)
        // SEND_SELF_ADVERT by flood, framed as in a stream.
        world.inject(.appBytes([0x3C, 2, 0, 0x07, 1]), into: alice)
        world.run(until: .seconds(10))
        let outputs = world.takeOutputs()
        let digest = world.digest.description

        let answers = outputs.filter { $0.node == alice }
            .compactMap { if case .appBytes(let bytes) = $0.kind { bytes } else { nil } }
        #expect(answers.first == [0x3E, 1, 0, 0x00])
        #expect(digest.count == 16)
    }

    @Test func `an hour on virtual time takes none`() throws {
        let waited = try VirtualTime.run { clock in
            let start = clock.now
            try await clock.sleep(for: .seconds(3600))
            return start.duration(to: clock.now)
        }

        #expect(waited == .seconds(3600))
    }

    @Test func `a session asks a radio for its time`() throws {
        let introduction = Resp.SelfInfo().encoded()

        // On virtual time, because a busy machine may need longer than the radio is given.
        let answer = try VirtualTime.run { clock in
            let radio = MockTransport()
            await radio.answerEach { frame in frame.first == 1 ? [introduction] : [[0x09, 0x15, 0xCD, 0x5B, 0x07]] }
            let session = MeshCoreSession(transport: radio, clock: clock)  // ContinuousClock() on real time
            try await session.start()
            let time = try await session.getTime()  // 123456789
            await session.stop()
            return time
        }

        #expect(answer == 123_456_789)
    }

    @Test func `an address is read for what it is for`() throws {
        let radio = try LinkAddress(radio: "tcp://[fe80::1%eth0]")  // tcp://[fe80::1%eth0]:5000
        let line = try LinkAddress(radio: "serial:/dev/ttyUSB0?baud=9600")
        let door = try LinkAddress(listener: "pty:./alice.tty")
        let dialed = door.dialed  // serial:./alice.tty?baud=115200

        #expect("\(radio)" == "tcp://[fe80::1%eth0]:5000")
        #expect(line == .serial(path: "/dev/ttyUSB0", baud: 9600))
        #expect("\(dialed)" == "serial:./alice.tty?baud=115200")
    }

    @Test func `a session and its radio run on virtual time`() throws {
        let level = try VirtualTime.run { clock in
            let world = LoopbackWorld(World(.pair, seed: Seed(7)), clock: clock)
            let session = MeshCoreSession(transport: try await world.transport(to: "alice"), clock: clock)
            try await session.start()
            let device = try await session.queryDevice()
            await session.stop()
            await world.end()
            return device.firmwareVersionCode
        }

        #expect(level == CompanionLimits.firmwareVersionCode)
    }

    @Test func `a file is replaced in one step, for the user alone`() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "meshbed-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: directory) }

        try FileSystem.makeDirectory(directory)
        try FileSystem.replace(directory + "/note", with: Array("kept".utf8))
        let isMine = try FileSystem.isPrivate(directory + "/note")
        let note = try FileSystem.read(directory + "/note", atMost: 1024)

        #expect(isMine && note == Array("kept".utf8))
    }

    @Test func `a mistake in a file is named with its line and field`() throws {
        func read(_ bytes: [UInt8]) throws -> (name: String, share: Double) {
            let fields = try JSONFields(reading: bytes)
            try fields.allow(["name", "share"])
            let name = try fields.needString("name")
            let share = try fields.number("share", in: 0...1) ?? 1
            return (name, share)
        }

        let hill = try read(Array(#"{"name": "hill"}"#.utf8))
        let problem = #expect(throws: FileProblem.self) {
            try read(Array("{\"name\": \"hill\",\n\"share\": 2}".utf8))
        }

        #expect(hill == ("hill", 1))
        #expect(problem?.description == "line 2: share: 2 is not within 0…1")
    }

    @Test func `a message is stored with its counters, once`() async throws {
        let store = try PersistenceStore()  // in memory; `path:` for a file
        let now = Date(timeIntervalSince1970: 1_750_000_000)
        let key = Data(repeating: 1, count: 32)
        let radio = try await store.saveDevice(
            DeviceDTO(
                id: StableIdentifier.device(publicKey: key), publicKey: key, nodeName: "base", lastConnected: now))
        let ann = ContactDTO(deviceID: radio.id, publicKey: Data(repeating: 2, count: 32), name: "Ann")
        try await store.saveContact(ann)
        let message = MessageDTO(
            id: UUID(), deviceID: radio.id, contactID: ann.id, text: "hi", timestamp: 1_750_000_000, createdAt: now,
            direction: .incoming, status: .delivered,
            deduplicationKey: DeduplicationKey.direct(
                deviceID: radio.id, senderKeyPrefix: ann.publicKeyPrefix, timestamp: 1_750_000_000, text: "hi"))
        let first = try await store.saveMessage(message)
        let copy = try await store.saveMessage(message)
        // first is inserted(receivedOrder: 1), copy is duplicate, and one message is unread.
        let unread = try await store.getTotalUnreadCounts(deviceID: radio.id).contacts

        #expect(first == .inserted(receivedOrder: 1) && copy.isDuplicate && unread == 1)
    }

    @Test func `a desktop that is not there is not used`() async {
        let keyring = SecretServiceCredentialStore()
        let passwords: any CredentialStore = await keyring.isAvailable() ? keyring : MemoryCredentialStore()
        let desktop = DesktopNotificationSink(appName: "Meshbed")
        let isShown = await desktop.isAvailable()
        // Without a bus both are false, at once.

        let hasBus = ProcessInfo.processInfo.environment["DBUS_SESSION_BUS_ADDRESS"] != nil
        #expect(hasBus || !isShown && passwords is MemoryCredentialStore)
    }

    struct NoLinks: TransportMaking {
        func transport(to endpoint: RadioEndpoint) async throws -> any MeshTransport {
            throw MeshTransportError.deviceNotFound("\(endpoint)")
        }
    }

    @Test func `an app without a radio has nothing to list`() async throws {
        let setup = AppState.Setup(transports: NoLinks(), dependencies: .real())
        let app = try await AppState.open(setup)
        try await app.initialize()
        let chats = await ChatListViewModel()
        await chats.configure(appState: app)
        await chats.load()
        // No radio was ever connected, so there is nothing to list.
        let rows = await chats.rows.count

        #expect(rows == 0)
    }

    struct Shop {
        var shelves: [String: Int]
    }

    @Test func `a route of a service answers a request`() async throws {
        let routes = [
            WebRoute<Shop>("GET", "/shelves/{shelf}") { shop, call in
                guard let count = shop.shelves[call["shelf"]] else {
                    throw WebRefusal(.notFound, "there is no such shelf")
                }
                return try WebAnswer(["count": count])
            }
        ]
        let (route, call) = try routes.route(of: WebRequest("GET", ["shelves", "tea"]), list: "the article")
        let answer = try await route.perform(Shop(shelves: ["tea": 3]), call)

        let bytes = if case .whole(let bytes) = answer.body { bytes } else { [UInt8]() }
        #expect(answer.status == 200 && bytes == Array(#"{"count":3}"#.utf8))
    }

    @MainActor
    @Test func `an app answers its pages without a server`() async throws {
        let state = try AppState.open(AppState.Setup(transports: NoLinks(), dependencies: .real()))
        try await state.initialize()
        let api = AppAPI(state: state, version: "1.2")
        let pages = PageService(PageFile.app, index: "app/app.html")
        let service = MountedServices([.init("", pages), .init("api", api)])
        let answer = await service.answer(WebRequest("GET", ["api", "state"]))
        let page = await service.answer(WebRequest("GET", []))

        #expect(answer.status == 200 && answer.type == "application/json")
        #expect(page.status == 200 && page.type == "text/html; charset=utf-8")
    }

    @Test func `a mesh is drawn from its plan`() throws {
        let town = try TopologyName("grid:3x3").topology(seed: Seed(7))
        let picture = MeshDrawing(town).svg

        #expect(picture.hasPrefix("<svg "))
    }

    @Test func `a report is made of verdicts`() {
        var report = TestReport(title: "Supply", command: "check", target: "twin")
        report.entries.append(
            TestReport.Entry(kind: .check, id: "power", group: "Supply", title: "The radio starts", verdict: .kept))
        let text = report.text(isVerbose: true)
        let page = HTMLReport(report).html

        #expect(text.contains("The radio starts"))
        #expect(page.contains("The radio starts"))
    }

    @Test func `two people in range greet each other`() {
        let alice = Person.stack("alice")
        let bob = Person.client("bob")
        let hello = Scenario("hello", .direct, "Two people in range of each other.") {
            acquainted(alice, bob)
            alice.hears(bob)
            alice.sends("hello", to: bob)
            bob.has("hello").within(.seconds(20))
        }
        let result = ScenarioRun(hello).onVirtualTime()

        #expect(result.verdict == .kept)
    }

    @Test func `codecs are measured`() {
        let rows = CodecBenchmark(iterations: 10, rounds: 1).run()
        // Nanoseconds for each frame, written, read and copied.

        #expect(rows.allSatisfy { $0.bytes > 0 } && !rows.isEmpty)
    }

    @Test func `radios are asked for by label`() throws {
        let bench = Bench {
            Radio("heltec", "serial:/dev/ttyUSB0", allowing: .destructive)
            Radio("desk", "tcp://192.0.2.7:5000")
            Radio("twin", .emulator)
        }
        let verdicts = try ComplianceRun(target: bench["twin"], only: Selection("50-56")).perform()
        let desk = try bench["desk"]
        let lack = desk.abilities.lack(for: [.restart, .power])
        // "needs control over power, restarts the radio"

        #expect(verdicts.kept == 7)
        #expect(lack == "needs control over power, restarts the radio")
    }

    @Test func `an emulated repeater forwards floods as the statement says`() throws {
        let report = try RoleRun(.repeater, only: Selection("INF-102")).perform()
        // report.text() is for people; report.junit and report.json are for machines.

        #expect(report.kept == 1)
    }

    @Test func `two releases are compared by their files and their packets`() throws {
        var comparison = FirmwareComparison(ComparedRelease(.v1_16), ComparedRelease(.v1_17_1))
        comparison.parts = [.state, .air]
        let report = try comparison.perform()
        // report.text() is for people; report.json is for machines.

        #expect(report.counting.allSatisfy { $0.weight == .lostState })
        #expect(report.exitCode == 1)
    }

    @Test func `the emulator keeps the settings of the protocol`() throws {
        let report = try ComplianceRun(target: .emulator, only: Selection("50-82")).perform()
        // report.text() is for people; report.junit and report.json are for machines.

        #expect(report.kept == 33)
    }

    /// Compiled, and not called: where there is an adapter it would not end.
    func recordAdapter(into path: String) throws {
        let capture = try LiveCapture(interface: LiveInterface.monitor)
        let file = try GrowingFile(creating: path)
        var recording = try AdapterRecording(
            packetsAs: .pcapng, of: capture.link, interface: LiveInterface.monitor)
        while try capture.read(into: &recording, waiting: 200) != .ended {
            try recording.drain { try file.append($0, ends: $1) }
        }
    }

    @Test func `a recording is text and is read again`() throws {
        let header = RecordingHeader(firmware: "v1.17.1", board: "heltec-v3", transport: .tcp, story: "the time")
        let asked = RecordingEntry(.zero, .tcp, .frame(.toRadio, [0x05]), note: "GET_DEVICE_TIME")
        let recording = Recording(header, [asked])
        var problems: [CaptureProblem] = []
        let again = try Recording(recording.text.utf8, problems: &problems)
        precondition(again == recording && problems.isEmpty)
    }

    @Test func `an attribute packet is written and read by one description`() throws {
        let write = ATT.WriteCommand(handle: 0x0010, value: [0x16, 0x03])
        let packet = write.encoded()  // opcode 52, handle 10 00, then the value
        let read = try ATT.PDU(decoding: packet)
        precondition(read == .writeCommand(write))
        #expect(packet == [0x52, 0x10, 0x00, 0x16, 0x03])
    }

    @Test func `a Bluetooth host begins by resetting its controller`() {
        var settings = BluetoothHost.Settings()
        settings.attributes.addService(.nordicUART)
        settings.attributes.addCharacteristic(.nordicRX, [.write], write: .authenticated)
        settings.security = .displaying(passkey: 123_456, secureConnections: true)
        var host = BluetoothHost(settings)
        let packets = host.start(at: .start).compactMap { if case .send(let packet) = $0 { packet } else { nil } }
        precondition(packets == [[0x01, 0x03, 0x0C, 0x00]])  // HCI_Reset, behind its packet type
        #expect(host.deadline == .seconds(2))
    }

    @Test func `a virtual controller answers its host`() {
        let address = BluetoothAddress(number: 0xC0FF_EE00_0001, isRandom: false)
        var air = VirtualAir([ControllerDescription(address: address)], seed: Seed(1))
        air.receive([0x01, 0x03, 0x0C, 0x00], from: 0, at: .start)  // HCI_Reset, behind its packet type
        let answer = air.next(at: .start)
        precondition(answer?.packet == [0x04, 0x0E, 4, 1, 0x03, 0x0C, 0])  // HCI_Command_Complete
        #expect(air.deadline == nil)
    }

    struct Packets: HostPacketSink, AirPacketSink {
        var data = 0
        var problems: [CaptureProblem] = []

        mutating func take(_ header: HostPacketHeader, _ bytes: Span<UInt8>) { if header.kind == .data { data += 1 } }
        mutating func take(_ header: AirPacketHeader, _ bytes: Span<UInt8>) {}
        mutating func note(_ problem: CaptureProblem) { problems.append(problem) }
    }

    @Test func `a capture is written and read`() throws {
        var writer = PcapngWriter(comment: "made by hand")
        var file: [UInt8] = []
        writer.begin(into: &file)
        let packet: [UInt8] = [0, 0, 0, 0, 2, 0x40, 0x00, 0x00, 0x00]  // sent, ACL data, handle 0x40, empty
        let record = RecordHeader(
            number: 1, offset: 0, nanoseconds: 0, link: .h4WithDirection, originalLength: packet.count)
        try writer.write(record, packet.span, into: &file)

        var reader = ContainerReader()
        var decoder = LinkDecoder(Packets())
        reader.feed(file.span, into: &decoder)
        reader.finish(into: &decoder)
        precondition(reader.format == .pcapng && decoder.sink.data == 1 && decoder.sink.problems.isEmpty)
    }

    struct Records: RecordSink {
        var count = 0
        var problems: [CaptureProblem] = []

        mutating func take(_ header: RecordHeader, _ bytes: Span<UInt8>) { count += 1 }
        mutating func note(_ problem: CaptureProblem) { problems.append(problem) }
    }

    @Test func `a capture is read from its file`() throws {
        var records = Records()
        let format = try CaptureFile("/dev/null").read(into: &records)
        precondition(format == nil && records.count == 0)
        precondition(records.problems.map(\.reason) == ["0 bytes are no capture"])
    }
}
