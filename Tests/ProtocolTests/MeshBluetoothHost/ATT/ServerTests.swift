import MeshTime
import MeshWire
import Testing

@testable import MeshBluetoothHost

/// A server's answers, by the error cases of Bluetooth Core, Vol 3 Part F, 3.4.
@Suite struct ServerTests {
    var table = nodeTable
    var server = ATT.Server(mtu: 517)
    var protection = ATT.Protection()

    /// A node as an nRF52 build has it, with a few attributes of our own behind it.
    static let nodeTable: ATT.AttributeTable = {
        var table = ATT.AttributeTable()
        table.addService(BluetoothUUID(0x1800))
        table.addCharacteristic(.deviceName, [.read], value: Array("MeshCore-alice".utf8), read: .open)
        table.addService(BluetoothUUID(0x1801))
        table.addCharacteristic(BluetoothUUID(0x2A05), [.indicate])
        table.addService(.nordicUART, at: 0x10)
        table.addCharacteristic(.nordicRX, [.write, .writeWithoutResponse], write: .authenticated, limit: 244)
        table.addCharacteristic(.nordicTX, [.notify, .read], read: .authenticated, configuration: .authenticated)
        table.addService(BluetoothUUID(0xFF00))
        table.addCharacteristic(
            BluetoothUUID(0xFF01), [.read, .write], value: [1, 2, 3], read: .open, write: .open, limit: 100)
        table.addCharacteristic(BluetoothUUID(0xFF02), [.read], value: [4], read: .encrypted)
        table.addCharacteristic(BluetoothUUID(0xFF03), [.read], value: [5], read: .authorized)
        table.addDescriptor(.userDescription, value: Array("five".utf8))
        table.endService(at: 0x20)
        return table
    }()

    static let (rx, tx, txConfiguration, open): (UInt16, UInt16, UInt16, UInt16) = (0x12, 0x14, 0x15, 0x18)

    mutating func answers(_ packet: [UInt8]) -> [ATT.Server.Effect] {
        server.receive(packet.span, at: .start, protection: protection, table: &table)
    }

    /// The one answer, in hex.
    mutating func answer(_ packet: String) -> String {
        answers([UInt8](hex: packet) ?? []).compactMap { if case .send(let bytes) = $0 { bytes.hex } else { nil } }
            .joined(separator: " ")
    }

    @Test mutating func `handles are where the table was told to have them`() {
        #expect(table[0x12]?.type == .nordicRX && table[0x14]?.type == .nordicTX)
        #expect(table[0x15]?.configured == 0x14 && table[0x18]?.value == [1, 2, 3])
        #expect(table[0x0F] == nil && table[0] == nil)
        // Properties, the handle of the value, the type.
        #expect(table[0x11]?.value.prefix(3) == [0x0C, 0x12, 0x00])
        #expect(table.services.map(\.handles.first) == [1, 4, 0x10, 0x16])
        #expect(table.services.map(\.handles.last) == [3, 7, 0x15, 0x20])
        #expect(table[0x1D]?.type == .userDescription)
    }

    @Test mutating func `each side says the MTU it can take, and the smaller holds`() {
        #expect(answers([0x02, 185, 0]) == [.send([0x03, 0x05, 0x02]), .mtu(185)])
        #expect(answers([0x02, 0, 0]) == [.send([0x03, 0x05, 0x02]), .mtu(23)])
        #expect(answers([0x02, 0xFF, 0xFF]).last == .mtu(517))
    }

    @Test(
        arguments: [
            // Handles: 0, the last before the first, none.
            ("040000ffff", "0104000001"), ("0405000400", "0104050001"), ("04f000ffff", "0104f0000a"),
            ("080000ffff0328", "0108000001"), ("08200001000328", "0108200001"), ("08f000ffff0328", "0108f0000a"),
            ("060000ffff0028" + "0018", "0106000001"), ("060100ffff0028" + "0f18", "010601000a"),
            ("100000ffff0028", "0110000001"), ("10f000ffff0028", "0110f0000a"), ("100100ffff0328", "0110010010"),
            ("0a9900", "010a990001"), ("0c99000000", "010c990001"), ("129900" + "01", "0112990001"),
            ("169900000001", "0116990001"),
            // Beyond the end of the value.
            ("0c18000400", "010c180007"), ("0c18000300", "0d"), ("0c18000100", "0d0203"),
            // Values that nobody may write, or read.
            ("120300" + "41", "0112030003"), ("160300000041", "0116030003"), ("0a1200", "010a120002"),
            // Of a kind that nobody knows.
            ("03", ""), ("1e", ""), ("52", ""), ("7f0102", ""), ("3f0102", "013f000006"),
            // Not as long as its kind is.
            ("0a18", "010a000004"), ("0a180000", "010a000004"), ("02", "0102000004"), ("0e1800", "010e000004"),
            ("0e18001a", "010e000004"), ("080100ffff010203", "0108000004"), ("1802", "0118000004"),
            // Several, one of which is none.
            ("0e18001800", "0f010203010203"), ("0e18009900", "010e990001"), ("2018001800", "2103000102030300010203"),
        ])
    func `each mistake has its error`(request: String, answer: String) {
        var copy = self
        #expect(copy.answer(request) == answer)
    }

    @Test mutating func `permissions are kept by every way to read and write`() {
        for (level, reachable, code) in [
            (.none, .none, "05"), (.none, .encrypted, "05"), (.none, .authenticated, "0f"),
            (.encrypted, .encrypted, "05"),
        ] as [(SecurityLevel, SecurityLevel, String)] {
            protection = ATT.Protection(level, reachable: reachable)
            #expect(answer("121200" + "01") == "01121200" + code)
            #expect(answer("161200000001") == "01161200" + code)
            #expect(answer("0a1400") == "010a1400" + code)
            #expect(answer("0c14000000") == "010c1400" + code)
            #expect(answer("0e18001400") == "010e1400" + code)
            #expect(answer("121500" + "0100") == "01121500" + code)
            #expect(answers([0x52, 0x12, 0, 1]).isEmpty)
            #expect(answers([0x52, 0x15, 0, 1, 0]).isEmpty)
            // By its type: the attribute that may not be read is named.
            let type = BluetoothUUID.nordicTX.bytes.hex
            #expect(answer("080100ffff" + type) == "01081400" + code)
        }
        #expect(table[0x12]?.value == [] && server.subscriptions.isEmpty)
        for level in [SecurityLevel.authenticated, .authenticatedSecure] {
            protection = ATT.Protection(level)
            #expect(answers([0x12, 0x12, 0, 7]) == [.send([0x13]), .written(handle: 0x12, value: [7])])
        }
    }

    @Test mutating func `an encrypted link is enough where no more is asked, and authorisation is never given`() {
        #expect(answer("0a1a00") == "010a1a0005")
        protection = ATT.Protection(.none, reachable: .encrypted)
        #expect(answer("0a1a00") == "010a1a000f")
        protection = ATT.Protection(.encrypted)
        #expect(answer("0a1a00") == "0b04")
        protection = ATT.Protection(.authenticatedSecure)
        #expect(answer("0a1c00") == "010a1c0008")
    }

    @Test mutating func `a client has its own switch, of two bytes and for what the value can`() {
        protection = ATT.Protection(.authenticated)
        #expect(answer("121500" + "01") == "011215000d")
        #expect(answer("121500" + "010000") == "011215000d")
        #expect(answer("121500" + "0200") == "0112150013")
        #expect(answers([0x12, 0x15, 0, 1, 0]).last == .subscribed(.init(value: 0x14, configuration: .notifications)))
        #expect(answer("0a1500") == "0b0100")
        #expect(ATT.Server(mtu: 23).subscriptions.isEmpty)
        #expect(answers([0x12, 0x15, 0, 0, 0]).last == .subscribed(.init(value: 0x14, configuration: [])))
        #expect(server.subscriptions.isEmpty && answer("0a1500") == "0b0000")
    }

    @Test mutating func `a value that is too long is refused, and does not change`() {
        _ = answers([0x02, 0x05, 0x02])
        let long = [UInt8](repeating: 9, count: 101)

        #expect(answers([0x12, 0x18, 0] + long) == [.send([0x01, 0x12, 0x18, 0, 0x0D])])
        #expect(table[0x18]?.value == [1, 2, 3])
    }

    @Test mutating func `a packet beyond the MTU is none`() {
        #expect(answer("121800" + String(repeating: "00", count: 20)) == "13")
        #expect(answer("121800" + String(repeating: "00", count: 21)) == "0112000004")
        #expect(answers([0x52, 0x18, 0] + [UInt8](repeating: 1, count: 21)).isEmpty)
    }

    // MARK: Long writes

    @Test mutating func `a long write is done as a whole`() {
        #expect(answer("16180000000102") == "17180000000102")
        #expect(answer("16180002000304") == "17180002000304")
        #expect(answers([0x18, 1]) == [.send([0x19]), .written(handle: 0x18, value: [1, 2, 3, 4])])
        #expect(answers([0x18, 1]) == [.send([0x19])])
    }

    @Test mutating func `a long write with a hole, or one that is too long, is not done`() {
        _ = answer("161800050001")
        #expect(answer("1801") == "0118180007")
        _ = answer("161800640001")
        #expect(answer("1801") == "0118180007")
        for start in stride(from: 0, to: 108, by: 18) {
            let part = [UInt8](repeating: 1, count: 18)
            _ = answers(ATT.PrepareWriteRequest(handle: 0x18, offset: UInt16(start), part: part).encoded())
        }
        #expect(answer("1801") == "011818000d")
        #expect(table[0x18]?.value == [1, 2, 3])
        _ = answer("1618000000aa")
        #expect(answer("1800") == "19")
        #expect(answers([0x18, 1]) == [.send([0x19])])
    }

    @Test(arguments: ["1615000000" + "01", "1615000000" + "0200"])
    func `a long write of several values is done wholly or not at all`(switching: String) {
        var copy = self
        copy.protection = ATT.Protection(.authenticated)
        _ = copy.answer("1612000000" + "0708")
        _ = copy.answer(switching)
        let code = switching.hasSuffix("0200") ? "13" : "0d"
        #expect(copy.answer("1801") == "01181500" + code)
        #expect(copy.table[0x12]?.value == [] && copy.server.subscriptions.isEmpty)

        _ = copy.answer("1612000000" + "0708")
        _ = copy.answer("1615000000" + "0100")
        #expect(copy.answer("1801") == "19")
        #expect(copy.table[0x12]?.value == [7, 8])
        #expect(copy.server.subscriptions == [.init(value: 0x14, configuration: .notifications)])
    }

    @Test mutating func `what is prepared has a bound`() {
        var answers = Set<String>()
        for _ in 0...ATT.PreparedWrites.partLimit { answers.insert(answer("161800000001")) }

        #expect(answers == ["171800000001", "0116180009"])
    }

    // MARK: Telling

    @Test mutating func `a notification has what fits`() {
        let value = [UInt8](repeating: 3, count: 100)

        #expect(server.notification(0x14, value) == [0x1B, 0x14, 0] + value.prefix(20))
        _ = answers([0x02, 176, 0])
        #expect(server.notification(0x14, value).count == 103)
    }

    @Test mutating func `indications wait for the one before them, and a client for 30 s`() {
        var effects: [ATT.Server.Effect] = []
        for value in 1...3 as ClosedRange<UInt8> {
            let isTaken = server.indicate(6, [value], at: .start, into: &effects)
            #expect(isTaken)
        }
        #expect(effects == [.send([0x1D, 6, 0, 1])])
        #expect(answers([0x1E]) == [.confirmed(handle: 6), .send([0x1D, 6, 0, 2])])
        #expect(!server.isSilent(at: .milliseconds(29_999)) && server.isSilent(at: .seconds(30)))
        _ = answers([0x1E])
        _ = answers([0x1E])
        #expect(answers([0x1E]).isEmpty && !server.isSilent(at: .seconds(300)))
        for _ in 0...ATT.Server.indicationLimit { _ = server.indicate(6, [], at: .start, into: &effects) }
        let isTaken = server.indicate(6, [], at: .start, into: &effects)
        #expect(!isTaken)
    }

    @Test mutating func `random packets never stop a server, and never get behind its permissions`() {
        var stream = Seed(36).stream("hostile client")
        let secret = table
        for _ in 0..<20_000 {
            var packet = (0..<stream.draw(0, 26)).map { _ in stream.nextByte() }
            // Half of them are of a known kind, about a handle that exists.
            if packet.count > 3, stream.nextByte() & 1 == 0 {
                packet[0] = ATT.messages[Int(stream.draw(0, UInt32(ATT.messages.count)))].opcode.rawValue
                (packet[1], packet[2]) = (UInt8(stream.draw(0, 0x1E)), 0)
            }
            for case .send(let answer) in answers(packet) { #expect(answer.count <= server.mtu) }
        }
        for handle in [0x12, 0x14, 0x15] as [UInt16] { #expect(table[handle] == secret[handle]) }
        #expect(server.subscriptions.allSatisfy { $0.value == 6 })
    }
}
