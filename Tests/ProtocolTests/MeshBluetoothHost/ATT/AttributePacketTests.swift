import MeshTime
import MeshWire
import Testing

@testable import MeshBluetoothHost

/// The packets of the attribute protocol, each read and written by one walk. Source: CaptureFormats, "ATT".
@Suite struct AttributePacketTests {
    private static func roundTrip<M: AttributeMessage>(_ type: M.Type, _ stream: inout RandomStream) throws {
        let message = M.fuzzed(using: &stream)
        let bytes = message.encoded()

        let again = try #require(try ATT.PDU(decoding: bytes).message as? M, "\(M.opcode)")
        #expect(again == message, "\(M.opcode)")
        #expect(again.encoded() == bytes)
    }

    @Test func `every packet is read as it was written`() throws {
        var stream = Seed(7).stream("packets")
        for type in ATT.messages {
            for _ in 0..<50 { try Self.roundTrip(type, &stream) }
        }
    }

    /// Every opcode of the specification (Core, Vol 3 Part F, 3.4.8).
    @Test func `every opcode has its packet and its name`() {
        let opcodes: [UInt8] =
            [UInt8](0x01...0x13) + [0x16, 0x17, 0x18, 0x19, 0x1B, 0x1D, 0x1E, 0x20, 0x21, 0x23, 0x52, 0xD2]

        #expect(ATT.messages.map { $0.opcode.rawValue }.sorted() == opcodes)
        let names = opcodes.map { ATT.Opcode(rawValue: $0).description }
        #expect(names.allSatisfy { !$0.hasPrefix("0x") })
        #expect(Set(names).count == opcodes.count)
        #expect(ATT.Opcode(rawValue: 0x52).description == "Write Command")
        #expect(ATT.Opcode(rawValue: 0x7F).description == "0x7f")
    }

    @Test func `every error has its name`() {
        let codes = [UInt8](0x01...0x13) + [UInt8](0xFC...0xFF)
        let names = codes.map { ATT.ErrorCode(rawValue: $0).description }

        #expect(names.allSatisfy { !$0.contains("0x") })
        #expect(Set(names).count == codes.count)
        #expect(ATT.ErrorCode(rawValue: 0x05).description == "insufficient authentication")
        #expect(ATT.ErrorCode(rawValue: 0x80).description == "application error 0x80")
        #expect(ATT.ErrorCode(rawValue: 0x40).description == "error 0x40")
    }

    /// Reads what is left of a packet after each of its bytes.
    private static func cut<M: AttributeMessage>(_ type: M.Type, _ stream: inout RandomStream) {
        let bytes = M.fuzzed(using: &stream).encoded()
        for count in 1..<max(2, bytes.count) {
            do {
                let pdu = try ATT.PDU(decoding: [UInt8](bytes[..<count]))
                #expect(pdu.message.map { $0.encoded().count <= count } == true, "\(type)")
            } catch {
                #expect(!error.field.isEmpty && error.offset <= count, "\(type)")
            }
        }
    }

    @Test func `a packet that is cut anywhere is read as far as it goes, or its field is named`() {
        var stream = Seed(8).stream("cut packets")
        for type in ATT.messages { for _ in 0..<5 { Self.cut(type, &stream) } }
    }

    @Test func `a packet that ends early names its field`() throws {
        let error = #expect(throws: FrameError.self) { try ATT.PDU(decoding: [0x12, 0x09]) }

        #expect(error?.field == "handle")
        #expect(error?.offset == 1)
        #expect(throws: FrameError.self) { try ATT.PDU(decoding: []) }
    }

    @Test func `a reader learns how many bytes stand behind the last field`() throws {
        var left = 0
        let packets: [([UInt8], Int)] = [
            ([0x02, 23, 0], 0), ([0x02, 23, 0, 7, 7], 2), ([0x13, 9], 1), ([0x12, 9, 0, 7, 7], 0),
        ]
        for (packet, expected) in packets {
            _ = try ATT.PDU(decoding: packet.span, left: &left)
            #expect(left == expected)
        }
    }

    @Test func `an opcode that is listed is read, and no other one is`() throws {
        let listed = ATT.messages.map { $0.opcode.rawValue }
        for opcode in UInt8.min ... .max {
            let packet = try ATT.PDU(decoding: [opcode] + [UInt8](repeating: 0, count: 8))
            #expect((packet.message != nil) == listed.contains(opcode), "\(opcode)")
            #expect(packet.message.map { type(of: $0).opcode.rawValue } ?? opcode == opcode)
        }
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
