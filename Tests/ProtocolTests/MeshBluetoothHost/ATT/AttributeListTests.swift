import MeshTime
import MeshWire
import Testing

@testable import MeshBluetoothHost

/// Lists of handles and values, as servers write them and clients read them. Source: CaptureFormats, "ATT".
@Suite struct AttributeListTests {
    private static func bytes(_ stream: inout RandomStream, _ longest: UInt32) -> [UInt8] {
        (0..<stream.draw(0, longest + 1)).map { _ in stream.nextByte() }
    }

    /// The packet again, after its bytes were read.
    private static func again<M: AttributeMessage>(_ message: M) throws -> M {
        guard let read = try ATT.PDU(decoding: message.encoded()).message as? M else {
            throw FrameError(field: "opcode", offset: 0, reason: .truncated(needed: 1, left: 0))
        }
        return read
    }

    @Test func `lists with lengths are read as they were written`() throws {
        var stream = Seed(21).stream("lists")
        for _ in 0..<200 {
            let values = (0..<stream.draw(0, 6)).map { _ in Self.bytes(&stream, 40) }
            let handles = values.map { _ in UInt16(truncatingIfNeeded: stream.next()) }

            let variable = try Self.again(ATT.ReadMultipleVariableResponse(values))
            let several = try Self.again(ATT.MultipleNotification(Array(zip(handles, values))))

            #expect(variable.list.map { [UInt8]($0.value) } == values)
            #expect(variable.list.map(\.length) == values.map(\.count))
            #expect(several.list.map { [UInt8]($0.value) } == values)
            #expect(several.list.map(\.handle) == handles)
            #expect(several.list.map(\.length) == values.map(\.count))
            #expect(try Self.again(ATT.ReadMultipleRequest(handles)).list == handles)
            #expect(try Self.again(ATT.ReadMultipleVariableRequest(handles)).list == handles)
        }
    }

    @Test(arguments: [23, 24, 40, 247, 517])
    func `lists of one length are cut to the MTU, and what is in them is right`(mtu: Int) throws {
        var stream = Seed(UInt64(mtu)).stream("uniform lists")
        for _ in 0..<100 {
            let size = Int(stream.draw(0, 3)) == 0 ? 300 : Int(stream.draw(0, 20))
            let values = (0..<stream.draw(1, 30)).map { index in
                (handle: UInt16(index + 1), value: (0..<size).map { _ in stream.nextByte() })
            }
            let response = try #require(ATT.ReadByTypeResponse(values, mtu: mtu))
            let read = try Self.again(response).values

            #expect(response.encoded().count <= mtu)
            #expect(!read.isEmpty)
            let longest = min(mtu - 4, 253)
            for (item, value) in zip(read, values) {
                #expect(item.handle == value.handle)
                #expect([UInt8](item.value) == [UInt8](value.value.prefix(longest)))
            }
            // Another one would not have fitted.
            let isFull = (read.count + 1) * (2 + min(size, longest)) > mtu - 2
            #expect(read.count == values.count || isFull)
        }
    }

    @Test func `a value of another length ends a list`() throws {
        let services = [
            (range: ATT.HandleRange(first: 1, last: 5), value: BluetoothUUID(0x1800).bytes),
            (range: ATT.HandleRange(first: 6, last: 9), value: BluetoothUUID(0x1801).bytes),
            (range: ATT.HandleRange(first: 10, last: 15), value: BluetoothUUID.nordicUART.bytes),
        ]
        let types = [(handle: UInt16(3), type: BluetoothUUID(0x2902)), (handle: 4, type: .nordicTX)]

        let groups = try Self.again(try #require(ATT.ReadByGroupTypeResponse(services, mtu: 517))).groups
        let short = try Self.again(try #require(ATT.FindInformationResponse(types, mtu: 23))).types
        let long = try Self.again(try #require(ATT.FindInformationResponse(types.reversed(), mtu: 23))).types

        #expect(groups.map(\.range) == services.prefix(2).map(\.range))
        #expect(short.map(\.handle) == [3])
        #expect(short.map(\.type) == [BluetoothUUID(0x2902)])
        #expect(long.map(\.handle) == [4])
        #expect(long.map(\.type) == [.nordicTX])
        #expect(ATT.ReadByTypeResponse([], mtu: 23) == nil)
    }

    @Test func `a signed write is its value and twelve bytes`() throws {
        let signature = [UInt8](1...12)

        let read = try Self.again(ATT.SignedWriteCommand(handle: 9, value: [5, 6], signature: signature))

        #expect(read.value.map { [UInt8]($0) } == [5, 6])
        #expect(read.signature.map { [UInt8]($0) } == signature)
        #expect(ATT.SignedWriteCommand(handle: 9, signed: [1, 2]).value == nil)
        #expect(ATT.SignedWriteCommand(handle: 9, value: [5], signature: [1]).signed.count == 13)
    }

    @Test func `what goes beyond a packet is cut, and its length tells`() {
        let response = ATT.ReadMultipleVariableResponse([[1, 2, 3], [UInt8](repeating: 7, count: 40)], mtu: 23)

        #expect(response.encoded().count == 23)
        #expect(response.list.map(\.length) == [3, 40])
        #expect(response.list.map(\.value.count) == [3, 15])
    }
}
