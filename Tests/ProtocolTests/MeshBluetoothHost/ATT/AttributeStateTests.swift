import MeshWire
import Testing

@testable import MeshBluetoothHost

/// The state of a client: its request, its long writes, its knowledge of the server.
@Suite struct AttributeStateTests {
    @Test func `an answer belongs to the last request`() {
        var requests = ATT.Requests()
        _ = requests.ask(ATT.Request(.writeRequest, handle: 9))

        let strangers = [requests.answer(.readResponse), requests.answer(.errorResponse, toRequest: .readRequest)]
        let answered = requests.answer(.writeResponse)
        let again = requests.answer(.writeResponse)

        #expect(strangers == [nil, nil])
        #expect(answered?.handle == 9)
        #expect(again == nil)
    }

    @Test func `every request is remembered by its opcode, and by its handle where it has one`() throws {
        let all: [ATT.RequestPDU] = [
            .read(.init(handle: 9)), .readBlob(.init(handle: 9, offset: 22)), .write(.init(handle: 9, value: [])),
            .prepareWrite(.init(handle: 9, offset: 0, part: [])), .findInformation(.init(first: 9, last: 12)),
            .readByType(.init(first: 9, last: 12, type: [0x00, 0x2A])),
            .readByGroupType(.init(first: 9, last: 12, type: [0x00, 0x28])),
            .findByTypeValue(.init(first: 9, last: 12, type: 0x2800, value: [])),
        ]
        for message in all {
            let request = ATT.Request(message)
            #expect(request.opcode == message.opcode)
            #expect(request.handle == 9, "\(request.opcode)")
        }
        #expect(ATT.Request(.readBlob(.init(handle: 9, offset: 22))).number == 22)
        for type in ATT.messages {
            let packet = try ATT.PDU(decoding: type.init().encoded())
            guard case .request(let request) = packet else {
                #expect(type.opcode.role != .request, "\(type.opcode)")
                continue
            }
            #expect(ATT.Request(request).opcode == type.opcode)
            #expect(type.opcode.role == .request)
        }
    }

    @Test func `a request that nobody answered is told of`() {
        var requests = ATT.Requests()
        _ = requests.ask(ATT.Request(.readRequest, handle: 3))

        let before = requests.ask(ATT.Request(.readRequest, handle: 4))

        #expect(before?.handle == 3)
    }

    @Test func `a long write is put together by offset`() {
        var prepared = ATT.PreparedWrites()
        _ = prepared.prepare(handle: 9, offset: 0, [1, 2, 3])
        _ = prepared.prepare(handle: 9, offset: 3, [4, 5])
        _ = prepared.prepare(handle: 7, offset: 0, [9])
        #expect(prepared.isLast(handle: 7, offset: 0, [9]))

        let writes = prepared.execute()

        #expect(writes == [.init(handle: 9, value: [1, 2, 3, 4, 5]), .init(handle: 7, value: [9])])
        #expect(prepared.isEmpty)
    }

    @Test func `a long write with a hole is none`() {
        var prepared = ATT.PreparedWrites()
        _ = prepared.prepare(handle: 9, offset: 4, [1])
        _ = prepared.prepare(handle: 9, offset: 0, [1])

        let writes = prepared.execute()

        #expect(writes.isEmpty)
    }

    @Test func `long writes are bounded`() {
        var prepared = ATT.PreparedWrites()
        var count = 0
        while prepared.prepare(handle: 9, offset: 0, [UInt8](repeating: 0, count: 100)), count < 1000 { count += 1 }

        #expect(count == ATT.PreparedWrites.limit / 100)
    }

    @Test func `a database is learned from responses in any order`() throws {
        var database = ATT.Database()
        let find = ATT.FindInformationResponse(format: 1, items: [12, 0, 0x02, 0x29, 99])
        database.learn(from: .findInformation(find), to: ATT.Request(.findInformationRequest))
        let list = ATT.ReadByTypeResponse(
            itemLength: 21, items: [10, 0, 0x10, 11, 0] + BluetoothUUID.nordicTX.bytes)
        database.learn(from: .readByType(list), to: ATT.Request(.readByTypeRequest, type: .characteristic))
        let groups = ATT.ReadByGroupTypeResponse(itemLength: 20, items: [7, 0, 12, 0] + BluetoothUUID.nordicUART.bytes)
        database.learn(from: .readByGroupType(groups), to: ATT.Request(.readByGroupTypeRequest, type: .primaryService))

        #expect(database.characteristic(.nordicTX)?.value == 11)
        #expect(database.clientConfiguration(ofValue: 11) == 12)
        #expect(database.services.map(\.uuid) == [.nordicUART])
    }

    @Test func `values of another type are no characteristics`() {
        var database = ATT.Database()
        let list = ATT.ReadByTypeResponse(
            itemLength: 21, items: [10, 0, 0x10, 11, 0] + BluetoothUUID.nordicTX.bytes)
        database.learn(from: .readByType(list), to: ATT.Request(.readByTypeRequest, type: BluetoothUUID(0x2A00)))

        #expect(database.characteristics.isEmpty)
    }

    @Test func `a server is not believed to have everything`() {
        var database = ATT.Database()
        for handle in 0..<UInt16(2000) { database.insert(.init(handle: handle, uuid: .userDescription)) }

        #expect(database.descriptors.count == ATT.Database.limit)
    }
}
