import MeshTime
import MeshWire
import Testing

@testable import MeshBluetoothHost

/// A client against a server, and against one that lies.
@Suite struct ClientTests {
    var client = ATT.Client(mtu: 517)
    var server = ATT.Server(mtu: 517)
    var table = ServerTests.nodeTable
    var protection = ATT.Protection(.authenticated)

    /// Carries packets until both are quiet, and returns the client's effects.
    mutating func carry(_ effects: [ATT.Client.Effect]) -> [ATT.Client.Effect] {
        var told: [ATT.Client.Effect] = []
        var waiting = effects
        while !waiting.isEmpty {
            guard case .send(let packet) = waiting.removeFirst() else { continue }
            let answers = server.receive(packet.span, at: .start, protection: protection, table: &table)
            for case .send(let answer) in answers {
                let effects = client.receive(answer.span, at: .start)
                told += effects.filter { if case .send = $0 { false } else { true } }
                waiting += effects
            }
        }
        return told
    }

    mutating func run(_ procedure: ATT.Client.Procedure) throws -> [ATT.Client.Effect] {
        carry(try client.begin(procedure, at: .start))
    }

    @Test(arguments: [23, 24, 47, 185, 517] as [UInt16])
    func `a node's layout is found at every MTU`(mtu: UInt16) throws {
        var copy = self
        copy.client = ATT.Client(mtu: mtu)
        #expect(try copy.run(.exchangeMTU) == [.mtu(Int(mtu))])

        _ = try copy.run(.discover(nil))

        let database = copy.client.database
        let services = [BluetoothUUID(0x1800), BluetoothUUID(0x1801), .nordicUART, BluetoothUUID(0xFF00)]
        #expect(database.services.map(\.uuid) == services)
        #expect(database.services.map(\.handles.last) == [3, 7, 0x15, 0x20])
        #expect(database.characteristic(.nordicRX)?.value == 0x12)
        #expect(database.characteristic(.nordicRX)?.properties == 0x0C)
        #expect(database.characteristic(.nordicTX)?.value == 0x14)
        #expect(database.clientConfiguration(ofValue: 0x14) == 0x15)
        #expect(database.characteristics.count == 7 && database.descriptors.count == 3)
    }

    @Test mutating func `one service is found alone`() throws {
        guard case .discovered(let database) = try run(.discover(.nordicUART)).last else {
            Issue.record("nothing found")
            return
        }

        #expect(database.services.map(\.uuid) == [.nordicUART])
        #expect(database.characteristics.map(\.uuid) == [.nordicRX, .nordicTX])
        #expect(try run(.discover(BluetoothUUID(0x180F))).last == .discovered(ATT.Database()))
    }

    @Test mutating func `values are read and written in parts where they are long`() throws {
        let long = (0..<100).map { UInt8($0) }
        #expect(try run(.write(handle: 0x18, value: long)) == [.accepted(handle: 0x18)])
        #expect(table[0x18]?.value == long)
        #expect(try run(.read(handle: 0x18)) == [.value(handle: 0x18, value: long)])
        // A value that just fills the packet ends with an empty part.
        let full = [UInt8](long.prefix(22))
        table.set(0x18, to: full)
        #expect(try run(.read(handle: 0x18)) == [.value(handle: 0x18, value: full)])
    }

    @Test mutating func `a refusal tells the procedure, and the next one goes on`() throws {
        protection = ATT.Protection()
        let write = ATT.Client.Procedure.write(handle: 0x12, value: [1])
        let refused = ATT.Client.Effect.refused(write, .writeRequest, handle: 0x12, .insufficientAuthentication)
        let first = try client.begin(write, at: .start)
        #expect(try client.begin(.read(handle: 3), at: .start).isEmpty)

        #expect(carry(first) == [refused, .value(handle: 3, value: Array("MeshCore-alice".utf8))])
        #expect(client.isIdle && client.deadline == nil)
    }

    @Test mutating func `one request waits for its answer at a time, and for 30 s`() throws {
        #expect(try client.begin(.read(handle: 3), at: .seconds(5)) == [.send([0x0A, 3, 0])])
        #expect(client.deadline == .seconds(35))
        for _ in 0..<ATT.Client.limit { #expect(try client.begin(.exchangeMTU, at: .seconds(6)).isEmpty) }
        #expect(throws: ATT.Client.Overflow(limit: 64)) { try client.begin(.exchangeMTU, at: .seconds(6)) }
        // An answer to something else is none.
        #expect(client.receive([0x13].span, at: .seconds(7)).isEmpty)
        #expect(!client.isSilent(at: .milliseconds(34_999)) && client.isSilent(at: .seconds(35)))
    }

    @Test mutating func `an indication is confirmed before it is told`() {
        let effects = client.receive([0x1D, 0x14, 0, 9].span, at: .start)

        #expect(effects == [.send([0x1E]), .notified(handle: 0x14, value: [9])])
        #expect(client.receive([0x1B, 0x14, 0, 8].span, at: .start) == [.notified(handle: 0x14, value: [8])])
    }

    @Test mutating func `a part that comes back changed is not written`() throws {
        let write = ATT.Client.Procedure.write(handle: 0x18, value: [UInt8](repeating: 1, count: 40))
        _ = try client.begin(write, at: .start)

        let effects = client.receive([0x17, 0x18, 0, 0, 0, 2, 2].span, at: .start)

        #expect(effects == [.refused(write, .prepareWriteRequest, handle: 0x18, .unlikelyError), .send([0x18, 0])])
        #expect(client.receive([0x19].span, at: .start).isEmpty && client.isIdle)
    }

    @Test mutating func `a server that answers the same for ever is not asked for ever`() throws {
        var waiting = try client.begin(.discover(nil), at: .start)
        var count = 0
        while case .send(let request)? = waiting.first, count < 1000 {
            count += 1
            let answer: [UInt8] =
                switch request[0] {
                case 0x10: [0x11, 6, 1, 0, 0xFF, 0xFF, 0, 0x18]
                case 0x08: [0x09, 7, 2, 0, 0x10, 3, 0, 0, 0x2A]
                default: [0x05, 1, 4, 0, 2, 0x29]
                }
            waiting = client.receive(answer.span, at: .start)
        }

        #expect(count < 20)
        #expect(client.isIdle)
    }

    @Test mutating func `random answers never stop a client`() throws {
        var stream = Seed(37).stream("hostile server")
        let long = [UInt8](repeating: 1, count: 60)
        let procedures: [ATT.Client.Procedure] = [
            .exchangeMTU, .discover(nil), .read(handle: 3), .write(handle: 3, value: long),
        ]
        for _ in 0..<20_000 {
            let next = stream.draw(0, UInt32(procedures.count))
            if client.isIdle { _ = try client.begin(procedures[Int(next)], at: .start) }
            var packet = (0..<stream.draw(0, 26)).map { _ in stream.nextByte() }
            if !packet.isEmpty, stream.nextByte() & 1 == 0 {
                packet[0] = ATT.messages[Int(stream.draw(0, UInt32(ATT.messages.count)))].opcode.rawValue
            }
            for case .send(let request) in client.receive(packet.span, at: .start) {
                #expect(request.count <= client.mtu)
            }
        }
    }
}
