import MeshCapture
import MeshTime
import MeshWire
import Testing

/// The packets of the attribute protocol, each read and written by one walk.
@Suite struct AttributePacketTests {
    private static func roundTrip<M: AttributeMessage>(_ type: M.Type, _ stream: inout RandomStream) throws {
        let message = M.fuzzed(using: &stream)
        let bytes = message.encoded()

        #expect(try ATT.PDU(decoding: bytes).encoded == bytes)
        let again = try bytes.withUnsafeBytes { try M(reading: $0, from: 1) }
        #expect(again == message, "\(type)")
    }

    @Test func `every packet is read as it was written`() throws {
        var stream = Seed(7).stream("packets")
        for type in ATT.messages {
            for _ in 0..<50 { try Self.roundTrip(type, &stream) }
        }
    }

    @Test func `a packet that ends early names its field`() throws {
        let error = #expect(throws: FrameError.self) { try ATT.PDU(decoding: [0x12, 0x09]) }

        #expect(error?.field == "handle")
        #expect(error?.offset == 1)
        #expect(throws: FrameError.self) { try ATT.PDU(decoding: []) }
    }

    @Test func `an unknown opcode keeps its bytes`() throws {
        guard case .unknown(let bytes) = try ATT.PDU(decoding: [0x7F, 1, 2]) else {
            Issue.record("known")
            return
        }
        #expect(bytes == [0x7F, 1, 2])
    }

    @Test func `each opcode belongs to one packet, and answers follow requests`() {
        let opcodes = ATT.messages.map { $0.opcode }

        #expect(Set(opcodes).count == opcodes.count)
        for opcode in opcodes where opcode.role == .request {
            #expect(opcode.response?.role == .response)
            #expect(opcode.response.map(opcodes.contains) == true)
        }
    }

    @Test(
        arguments: [
            ([0x02, 0x29], "2902"), ([0x02, 0x29, 0, 0], "2902"),
            (
                [0x9E, 0xCA, 0xDC, 0x24, 0x0E, 0xE5, 0xA9, 0xE0, 0x93, 0xF3, 0xA3, 0xB5, 0x01, 0x00, 0x40, 0x6E],
                "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
            ),
        ] as [([UInt8], String)])
    func `a UUID travels with its lowest byte first`(bytes: [UInt8], text: String) throws {
        let uuid = try #require(BluetoothUUID(bytes))

        #expect(uuid.description == text)
        #expect(uuid.bytes == (bytes.count == 4 ? Array(bytes.prefix(2)) : bytes))
        #expect(BluetoothUUID([1, 2, 3]) == nil)
    }

    @Test func `the MTU is the smaller of both, and never below 23`() {
        #expect(ATT.agreedMTU(517, 247) == 247)
        #expect(ATT.agreedMTU(10, 517) == 23)
        #expect(ATT.longestValue(mtu: 23) == 20)
        #expect(ATT.longestPart(mtu: 23) == 18)
    }
}
