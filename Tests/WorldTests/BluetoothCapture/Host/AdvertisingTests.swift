import MeshBluetoothHost
import MeshCapture
import MeshTime
import MeshWire
import Testing

@testable import BluetoothCapture

/// The identity of the two sides, from advertisements, commands and answers.
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
        #expect(opened.map(\.own) == [BluetoothAddress(number: 0x0102_0304_0506, isRandom: false)])
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
        #expect(Self.opened(script).map(\.own) == [BluetoothAddress(number: 0xC102_0304_0506, isRandom: true), nil])
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

        #expect(Self.opened(script).map(\.own) == [BluetoothAddress(number: 0xC102_0304_0506, isRandom: true), nil])
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

        #expect(Self.opened(script).map(\.own?.bytes) == [[1, 2, 3, 4, 5, 6], [9, 9, 9, 9, 9, 9], nil])
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
