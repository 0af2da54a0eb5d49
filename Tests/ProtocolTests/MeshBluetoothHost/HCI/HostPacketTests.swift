import MeshTime
import MeshWire
import Testing

@testable import MeshBluetoothHost

/// Commands, events and data between a host and its controller.
///
/// Source: CaptureFormats, "HCI" and "ACL and L2CAP".
@Suite struct HostPacketTests {
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
                #expect(try HCI.Command(decoding: bytes.span) == command)
                #expect(!HCI.name(ofCommand: command.opcode).contains("0x"))
            }
        }
    }

    /// Commands and reports as others wrote them: a tablet, two stacks; and two by the tables of the specification.
    @Test func `known bytes have their fields where they belong`() throws {
        func command(_ hex: String) throws -> HCI.Command {
            let bytes = try #require([UInt8](hex: hex))
            return try HCI.Command(decoding: bytes.span)
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
        #expect((create.peerType, create.ownType, create.parameters.timeout) == (1, 1, 72))
        #expect(BluetoothAddress(create.peer, type: 1).description == "c0:11:22:33:44:55 (random)")
        #expect((extended.ownType, extended.peerType, extended.layers) == (1, 1, 1))
        #expect(BluetoothAddress(extended.peer, type: 1).description == "fa:e4:e3:24:20:09 (random)")
        #expect(extended.parameters.count == 16)
        #expect((parameters.set, parameters.properties, parameters.channels, parameters.ownType) == (5, 0x13, 7, 1))
        #expect((data.set, data.operation, data.data) == (5, 3, [3, 9, 0, 0x42]))
        #expect((old.type, old.ownType, old.peerType, old.channels) == (3, 1, 0, 7))
    }

    @Test func `a real extended report has its data where it belongs`() throws {
        let hex = "3e2f0d010100015544332211c001010000ce0000000000000000001502010611079ecadc240ee5a9e093f3a3b50100406e"
        let bytes = try #require([UInt8](hex: hex))
        guard
            case .extendedAdvertising(let event) = try HCI.Event(decoding: bytes.span),
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
            var hidden = fuzzed(HCI.ConnectionComplete.self)
            hidden.privateAddresses = fuzzed(HCI.PrivateAddresses.self)
            for event: HCI.Event in [
                .connected(fuzzed(HCI.ConnectionComplete.self)), .connected(hidden),
                .connectedClassic(fuzzed(HCI.ClassicConnectionComplete.self)),
                .disconnected(fuzzed(HCI.DisconnectionComplete.self)),
                .encryption(fuzzed(HCI.EncryptionChange.self)), .newKey(fuzzed(HCI.EncryptionKeyRefresh.self)),
                .advertising(.init(reports)), .extendedAdvertising(.init(extended)),
                .commandComplete(fuzzed(HCI.CommandComplete.self)), .commandStatus(fuzzed(HCI.CommandStatus.self)),
            ] {
                let bytes = event.encoded
                #expect(try HCI.Event(decoding: bytes.span) == event)
            }
        }
    }

    @Test func `the header of data tells the connection, and where in a packet the data belongs`() {
        let bytes: [UInt8] = [0x40, 0x20, 0x12, 0x00]
        let header = HCI.DataHeader(bytes.span)

        #expect(header == HCI.DataHeader(handle: 0x40, boundary: .firstFlushable, length: 18))
        #expect(header?.bytes == bytes)
        for word in 0...0xFFFF as ClosedRange<UInt16> {
            let all: [UInt8] = [UInt8(truncatingIfNeeded: word), UInt8(word >> 8), 1, 2]
            // The two highest bits are for broadcasts.
            #expect(HCI.DataHeader(all.span)?.bytes == [all[0], all[1] & 0x3F, 1, 2])
        }
        for count in 0..<4 { #expect(HCI.DataHeader(bytes.span.extracting(first: count)) == nil) }
    }

    @Test(arguments: [1, 3, 4, 5, 27, 251])
    func `a packet is put together again from its fragments, whatever their size`(size: Int) {
        let payload = (0..<100).map { UInt8($0) }
        let packet = L2CAP.packet(payload, on: L2CAP.Channel.signalling)
        let fragments = HCI.fragments(of: packet, handle: 0xABC, first: .first, size: size)
        var assembler = L2CAP.Assembler()
        var whole: [UInt8] = []
        for (index, fragment) in fragments.enumerated() {
            let header = HCI.DataHeader(fragment.span)
            #expect(header?.handle == 0xABC && header?.boundary == (index == 0 ? .first : .continuation))
            #expect(header.map { Int($0.length) } == fragment.count - HCI.DataHeader.size)
            let content = fragment.span.extracting(droppingFirst: HCI.DataHeader.size)
            let step =
                index == 0
                ? assembler.begin(content, wireLength: content.count)
                : assembler.append(content, wireLength: content.count)
            guard case .whole(let excess) = step else { continue }
            #expect(excess == 0 && index == fragments.count - 1)
            #expect(assembler.header == L2CAP.Header(length: 100, channel: 5))
            assembler.withPayload { whole = $0.array }
        }

        #expect(packet.prefix(4) == [100, 0, 5, 0])
        #expect(whole == payload)
    }
}
