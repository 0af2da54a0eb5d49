import BluetoothCapture
import MeshBluetoothHost
import MeshCapture
import MeshTime
import MeshWire
import Testing

/// Who the two sides are: what advertisements, commands and answers say.
///
/// Source: CaptureFormats, "Linux monitor", "HCI" and "Nordic UART handles".
@Suite struct AdvertisingTests {
    static let uart: [UInt8] = [2, 0x01, 0x06, 17, 0x07] + BluetoothUUID.nordicUART.bytes
    static func name(_ text: String, type: UInt8 = 0x09) -> [UInt8] {
        [UInt8(text.utf8.count + 1), type] + Array(text.utf8)
    }
    /// Of `HostScript.connect`.
    static let peer: [UInt8] = [1, 2, 3, 4, 5, 0xC6]

    static func report(
        _ data: [UInt8], type: UInt8 = 0, address: [UInt8] = peer, addressType: UInt8 = 1
    ) -> HCI.AdvertisingReport {
        var report = HCI.AdvertisingReport()
        report.eventType = type
        report.addressType = addressType
        report.address = FixedBytes(address)
        report.data = data
        return report
    }

    static func opened(_ script: HostScript) -> [OpenedConnection] {
        script.sink.events.compactMap { if case .opened(let opened) = $0 { opened } else { nil } }
    }

    @Test func `a name of a scan response and a service of an advertisement are those of the peer`() {
        var script = HostScript()
        script.event(.advertising(.init([Self.report(Self.uart), Self.report([], address: [9, 9, 9, 9, 9, 9])])))
        script.event(.advertising(.init([Self.report(Self.name("MeshCore-ABCD"), type: 4)])))
        script.connect()

        #expect(Self.opened(script).map(\.peerName) == ["MeshCore-ABCD"])
        let radio = script.reader.advertisers.first
        #expect(radio?.hasNordicUART == true)
        #expect(radio?.packets == 2)
        #expect(radio?.address.description == "c6:05:04:03:02:01 (random)")
        #expect(script.reader.advertisers.map(\.hasNordicUART) == [true, false])
        #expect(script.reader.counts.advertisements == 3)
        #expect(script.sink.problems.isEmpty)
    }

    @Test func `an extended report whose data comes in parts gives the name that lies across them`() {
        var script = HostScript()
        let data = Self.uart + Self.name("MeshCore-ABCD")
        for (index, part) in [data[..<25], data[25..<30], data[30...]].enumerated() {
            var report = HCI.ExtendedAdvertisingReport()
            report.addressType = 1
            report.address = FixedBytes(Self.peer)
            report.set = 3
            report.eventType = index < 2 ? 0x20 : 0
            report.data = [UInt8](part)
            var other = report
            other.set = 4
            other.data = Self.name("no", type: 0x09)
            other.address = FixedBytes([7])
            other.eventType = 0
            script.event(.extendedAdvertising(.init([report, other])))
        }
        script.connect()

        #expect(Self.opened(script).map(\.peerName) == ["MeshCore-ABCD"])
        #expect(script.reader.advertisers.map(\.name) == ["MeshCore-ABCD", "no"])
        #expect(script.reader.advertisers.map(\.hasNordicUART) == [true, false])
    }

    @Test func `a report that ends early is named, and what has no address is nobody's`() {
        var script = HostScript()
        var bytes = HCI.Event.advertising(.init([Self.report(Self.uart)])).encoded
        bytes.removeLast(3)
        script.packet(.event, .received, bytes)
        var anonymous = HCI.ExtendedAdvertisingReport()
        anonymous.addressType = 0xFF
        anonymous.data = Self.name("nobody")
        script.event(.extendedAdvertising(.init([anonymous])))

        #expect(script.sink.problems.map(\.reason).first?.contains("data") == true)
        #expect(script.sink.problems.count == 1)
        #expect(script.reader.advertisers.isEmpty)
    }

    @Test func `a whole name replaces one that was shortened, and a newer one an older`() {
        var facts = AdvertisedFacts()
        var seen: [String?] = []
        for data in [
            Self.name("Mesh", type: 0x08), Self.name("MeshCore-ABCD"), Self.name("Mesh", type: 0x08),
            Self.name("Bob"), [], Self.name(""), Self.name("\0\0"),
        ] {
            facts.read(data.span)
            seen.append(facts.name)
        }

        #expect(seen == ["Mesh", "MeshCore-ABCD", "MeshCore-ABCD", "Bob", "Bob", "Bob", "Bob"])
        #expect(facts.isNameComplete)
        #expect(!facts.hasNordicUART)
    }

    @Test(
        arguments: [
            ("a\u{1B}[2Jb", "a\u{FFFD}[2Jb"), ("a\nb", "a\u{FFFD}b"), ("a\0\0\0", "a"), ("a\u{202E}b", "a\u{FFFD}b"),
            ("👩‍🚀", "👩‍🚀"), ("Zoë", "Zoë"),
        ])
    func `a name does not disturb a terminal`(said: String, shown: String) {
        #expect(AdvertisedFacts(Self.name(said).span).name == shown)
    }

    @Test func `the service is found among others, and a broken structure ends the walk`() {
        let other = [UInt8](repeating: 7, count: 16)
        let two = [33, 0x06] + other + BluetoothUUID.nordicUART.bytes
        #expect(AdvertisedFacts(two.span).hasNordicUART)
        #expect(!AdvertisedFacts(([17, 0x06] + other).span).hasNordicUART)
        #expect(AdvertisedFacts(([1, 0] + two).span).hasNordicUART)
        #expect(AdvertisedFacts(([0] + two).span) == AdvertisedFacts())
        #expect(AdvertisedFacts(([40] + two).span) == AdvertisedFacts())
        for count in 0..<two.count { #expect(!AdvertisedFacts([UInt8](two[..<count]).span).hasNordicUART) }
    }

    @Test func `the node's own log says its name and address`() {
        var script = HostScript()
        var address = HCI.CommandComplete()
        address.opcode = HCI.CommandCode.readAddress
        address.returned = [0, 6, 5, 4, 3, 2, 1]
        script.event(.commandComplete(address))
        for command: HCI.Command in [
            .advertisingParameters(.init()), .advertisingData(.init(Self.uart)),
            .scanResponseData(.init(Self.name("MeshCore-own"))),
        ] {
            script.packet(.command, .sent, command.encoded)
        }
        script.connect(role: 1)

        let opened = Self.opened(script)
        #expect(opened.map(\.ownName) == ["MeshCore-own"])
        #expect(opened.map(\.own) == [[1, 2, 3, 4, 5, 6]])
        #expect(opened.map(\.isOwnAddressRandom) == [false])
        #expect(opened.map(\.peerName) == [nil])
    }

    @Test func `sets are advertised under addresses of their own, and their data may come in parts`() {
        var script = HostScript()
        var parameters = HCI.ExtendedAdvertisingParameters()
        parameters.set = 2
        parameters.ownType = 1
        var random = HCI.SetRandomAddress()
        random.set = 2
        random.address = FixedBytes([6, 5, 4, 3, 2, 0xC1])
        let data = Self.uart + Self.name("MeshCore-set")
        var parts = [HCI.ExtendedAdvertisingData(), .init(), .init()]
        for index in parts.indices {
            parts[index].set = 2
            parts[index].operation = [1, 0, 2][index]
            parts[index].data = [UInt8](data[index * 12..<(index == 2 ? data.count : index * 12 + 12)])
        }
        let commands: [HCI.Command] =
            [.extendedAdvertisingParameters(parameters), .setRandomAddress(random)]
            + parts.map { .extendedAdvertisingData($0) }
        for command in commands { script.packet(.command, .sent, command.encoded) }
        script.connect(role: 1)
        var gone = HCI.AdvertisingSet()
        gone.set = 2
        script.packet(.command, .sent, HCI.Command.removeAdvertisingSet(gone).encoded)
        script.connect(role: 1)

        #expect(Self.opened(script).map(\.ownName) == ["MeshCore-set", nil])
        #expect(Self.opened(script).map(\.own) == [[0xC1, 2, 3, 4, 5, 6], nil])
        #expect(Self.opened(script).map(\.isOwnAddressRandom) == [true, false])
    }

    @Test(arguments: [false, true])
    func `the central's own address is the one that it connects with`(isExtended: Bool) {
        var script = HostScript()
        var random = HCI.RandomAddress()
        random.address = FixedBytes([6, 5, 4, 3, 2, 0xC1])
        var name = HCI.LocalName()
        name.name = "phone"
        var create = HCI.CreateConnection()
        create.ownType = 1
        var extended = HCI.CreateConnectionExtended()
        extended.ownType = 1
        extended.answer = HCI.PeriodicAnswer()
        let commands: [HCI.Command] = [
            .localName(name), .randomAddress(random),
            isExtended ? .createConnectionExtended(extended) : .createConnection(create),
        ]
        for command in commands { script.packet(.command, .sent, command.encoded) }
        script.connect()
        script.packet(.command, .sent, HCI.Command.reset.encoded)
        script.connect()

        #expect(Self.opened(script).map(\.own) == [[0xC1, 2, 3, 4, 5, 6], nil])
        #expect(Self.opened(script).map(\.ownName) == ["phone", nil])
    }

    @Test func `the monitor says the addresses of adapters, each its own`() {
        var script = HostScript()
        script.packet(.adapter(opcode: 0), nil, [0, 1, 6, 5, 4, 3, 2, 1] + Array("hci0".utf8))
        script.adapter = 1
        script.packet(.adapter(opcode: 10), nil, [9, 9, 9, 9, 9, 9, 0, 0])
        for adapter in 0..<3 as Range<UInt16> {
            script.adapter = adapter
            script.packet(.adapter(opcode: 8), nil, [])
            script.packet(.command, .sent, HCI.Command.createConnection(.init()).encoded)
            script.connect()
        }

        #expect(Self.opened(script).map(\.own) == [[1, 2, 3, 4, 5, 6], [9, 9, 9, 9, 9, 9], nil])
    }

    @Test func `a name that is asked for on the connection is the peer's`() {
        var script = HostReaderTests.ready()
        script.send(ATT.ReadByTypeRequest(first: 1, last: 0xFFFF, type: BluetoothUUID.deviceName.bytes))
        let item = [3, 0] + Array("MeshCore-GATT".utf8)
        script.receive(ATT.ReadByTypeResponse(itemLength: UInt8(item.count), items: item))
        // The other side asks as well; and the answer to a question for something else is no name.
        script.receive(ATT.ReadByTypeRequest(first: 1, last: 0xFFFF, type: BluetoothUUID.deviceName.bytes))
        script.send(ATT.ReadByTypeResponse(itemLength: UInt8(item.count), items: [3, 0] + Array("phone-nameXYZ".utf8)))
        script.send(ATT.ReadRequest(handle: 7))
        script.receive(ATT.ReadResponse(value: Array("no name".utf8)))

        let named = script.sink.events.filter { if case .peerNamed = $0 { true } else { false } }
        #expect(named == [.peerNamed("MeshCore-GATT")])
    }

    @Test func `a name that was advertised stays the peer's, whatever it says later`() {
        var script = HostScript()
        script.event(.advertising(.init([Self.report(Self.name("MeshCore-ABCD"))])))
        script.connect()
        script.send(ATT.ReadByTypeRequest(first: 1, last: 0xFFFF, type: BluetoothUUID.deviceName.bytes))
        script.receive(ATT.ReadByTypeResponse(itemLength: 7, items: [3, 0] + Array("ESP32".utf8)))

        #expect(!script.sink.events.contains { if case .peerNamed = $0 { true } else { false } })
    }

    @Test func `the value of a device's name that was discovered is the peer's name, too`() {
        var script = HostReaderTests.ready()
        script.send(ATT.ReadByTypeRequest(first: 1, last: 7, type: BluetoothUUID.characteristic.bytes))
        script.receive(ATT.ReadByTypeResponse(itemLength: 7, items: [2, 0, 2, 3, 0, 0x00, 0x2A]))
        script.send(ATT.ReadRequest(handle: 3))
        script.receive(ATT.ReadResponse(value: Array("MeshCore-READ".utf8)))

        #expect(script.sink.events.contains(.peerNamed("MeshCore-READ")))
    }

    /// With private addresses, by the name.
    @Test func `handles are remembered by name where the address changes`() {
        var script = HostScript()
        for address in [[1, 2, 3, 4, 5, 0x46], [9, 8, 7, 6, 5, 0x41], [1, 1, 1, 1, 1, 0x41]] as [[UInt8]] {
            let name = address[0] == 1 && address[1] == 1 ? "Other" : "MeshCore-ABCD"
            script.event(.advertising(.init([Self.report(Self.name(name), address: address)])))
            script.connect(peer: address)
            if script.sink.handles.isEmpty { script.discover() }
            script.command([5])
            script.disconnect()
        }

        #expect(script.sink.handles.map(\.source) == [.discovered, .remembered])
        #expect(script.sink.frames.map(\.connection) == [0, 1])
    }

    @Test func `every command is read as it was written`() throws {
        var stream = Seed(31).stream("commands")
        func fuzzed<G: FieldGroup>(_ type: G.Type) -> G { G.fuzzed(using: &stream) }
        for _ in 0..<50 {
            var second = fuzzed(HCI.CreateConnectionExtended.self)
            second.answer = fuzzed(HCI.PeriodicAnswer.self)
            var data = fuzzed(HCI.ExtendedAdvertisingData.self)
            data.data = [UInt8](data.data.prefix(251))
            let commands: [HCI.Command] = [
                .reset, .clearAdvertisingSets, .localName(fuzzed(HCI.LocalName.self)),
                .randomAddress(fuzzed(HCI.RandomAddress.self)),
                .advertisingParameters(fuzzed(HCI.AdvertisingParameters.self)),
                .advertisingData(fuzzed(HCI.AdvertisingData.self)),
                .scanResponseData(fuzzed(HCI.AdvertisingData.self)),
                .createConnection(fuzzed(HCI.CreateConnection.self)),
                .createConnectionExtended(fuzzed(HCI.CreateConnectionExtended.self)),
                .createConnectionExtended(second), .setRandomAddress(fuzzed(HCI.SetRandomAddress.self)),
                .extendedAdvertisingParameters(fuzzed(HCI.ExtendedAdvertisingParameters.self)),
                .extendedAdvertisingData(data), .extendedScanResponseData(data),
                .removeAdvertisingSet(fuzzed(HCI.AdvertisingSet.self)), .other(opcode: 0x1005),
            ]
            for command in commands {
                let bytes = command.encoded
                #expect(try bytes.withUnsafeBytes { try HCI.Command(decoding: $0) } == command)
                #expect(!HCI.name(ofCommand: command.opcode).contains("0x"))
            }
        }
    }

    /// Commands and reports as others wrote them: a tablet, two stacks; and two by the tables of the specification.
    @Test func `known bytes have their fields where they belong`() throws {
        func command(_ hex: String) throws -> HCI.Command {
            try #require([UInt8](hex: hex)).withUnsafeBytes { try HCI.Command(decoding: $0) }
        }
        guard
            case .createConnection(let create) = try command(
                "0d20196000600000015544332211c0010c0018000000480000000000"),
            case .createConnectionExtended(let extended) = try command(
                "43201a000101092024e3e4fa0160003000090028000000f40100000000"),
            case .extendedAdvertisingParameters(let parameters) = try command(
                "36201905130010270020270007010055443322110000f60100010300"),
            case .extendedAdvertisingData(let data) = try command("3720080503010403090042"),
            case .advertisingParameters(let old) = try command("06200f00080008030100112233445566" + "0700")
        else {
            Issue.record("another command")
            return
        }
        #expect((create.peerType, create.ownType, create.timeout) == (1, 1, 72))
        #expect(AirAddress(create.peer, type: 1).description == "c0:11:22:33:44:55 (random)")
        #expect((extended.ownType, extended.peerType, extended.layers) == (1, 1, 1))
        #expect(AirAddress(extended.peer, type: 1).description == "fa:e4:e3:24:20:09 (random)")
        #expect(extended.parameters.count == 16)
        #expect((parameters.set, parameters.properties, parameters.channels, parameters.ownType) == (5, 0x13, 7, 1))
        #expect((data.set, data.operation, data.data) == (5, 3, [3, 9, 0, 0x42]))
        #expect((old.type, old.ownType, old.peerType, old.channels) == (3, 1, 0, 7))
    }

    @Test func `a real extended report has its data where it belongs`() throws {
        let hex = "3e2f0d010100015544332211c001010000ce0000000000000000001502010611079ecadc240ee5a9e093f3a3b50100406e"
        let bytes = try #require([UInt8](hex: hex))
        guard
            case .extendedAdvertising(let event) = try bytes.withUnsafeBytes({ try HCI.Event(decoding: $0) }),
            let report = event.reports.first
        else {
            Issue.record("another event")
            return
        }

        #expect((report.eventType, report.addressType, report.set, report.rssi) == (1, 1, 0, -50))
        #expect(AdvertisedFacts(report.data.span).hasNordicUART)
        #expect(HCI.Event.extendedAdvertising(event).encoded == bytes)
    }

    @Test func `every event is read as it was written`() throws {
        var stream = Seed(32).stream("events")
        func fuzzed<G: FieldGroup>(_ type: G.Type) -> G { G.fuzzed(using: &stream) }
        for _ in 0..<50 {
            var reports = (0..<stream.draw(0, 4)).map { _ in fuzzed(HCI.AdvertisingReport.self) }
            for index in reports.indices { reports[index].data = [UInt8](reports[index].data.prefix(31)) }
            var extended = (0..<stream.draw(0, 3)).map { _ in fuzzed(HCI.ExtendedAdvertisingReport.self) }
            for index in extended.indices { extended[index].data = [UInt8](extended[index].data.prefix(80)) }
            for event: HCI.Event in [
                .advertising(.init(reports)), .extendedAdvertising(.init(extended)),
                .commandComplete(fuzzed(HCI.CommandComplete.self)), .commandStatus(fuzzed(HCI.CommandStatus.self)),
            ] {
                #expect(try event.encoded.withUnsafeBytes { try HCI.Event(decoding: $0) } == event)
            }
        }
    }

    @Test func `a lister names what passes, and shows no keys`() {
        var lines: [HostLine] = []
        var lister = HostLister { lines.append($0) }
        func take(_ kind: HostPacketHeader.Kind, _ bytes: [UInt8]) {
            let record = RecordHeader(
                number: 1, offset: 0, nanoseconds: 5, link: .h4, originalLength: bytes.count)
            lister.take(HostPacketHeader(record: record, adapter: 2, kind: kind, way: nil), bytes.span)
        }
        take(.command, [0x19, 0x20, 28] + [UInt8](repeating: 0xAB, count: 28))
        take(.command, HCI.Command.createConnection(.init()).encoded)
        take(.command, [0x05, 0x20, 6, 1])
        take(.event, HCI.Event.advertising(.init([Self.report(Self.name("MeshCore-ABCD"))])).encoded)
        take(.event, [0x0E, 20, 1, 0x17, 0x20, 0] + [UInt8](repeating: 0xAB, count: 16))
        take(.event, [0x3E, 1, 0x05])
        take(.data, [1, 2, 3, 4])

        #expect(
            lines.map(\.name) == [
                "LE Enable Encryption", "LE Create Connection", "LE Set Random Address", "LE Advertising Report",
                "Command Complete", "LE Long Term Key Request",
            ])
        #expect(lines[1].words == "00:00:00:00:00:00")
        #expect(lines[1].fields.contains { $0.name == "peer_address" })
        #expect(lines[2].words.contains("random_address"))
        #expect(lines[3].words == "c6:05:04:03:02:01 (random) MeshCore-ABCD")
        #expect(lines[4].words == "LE Encrypt, status 0x00")
        #expect(
            lines.allSatisfy { line in
                !line.words.contains("abab") && line.fields.allSatisfy { !$0.value.contains("abab") }
            })
        #expect(lines.map(\.isCommand) == [true, true, true, false, false, false])
    }
}
