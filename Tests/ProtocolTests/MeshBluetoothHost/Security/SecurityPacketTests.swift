import MeshTime
import MeshWire
import Testing

@testable import MeshBluetoothHost

/// The packets of the security manager: one walk each, exact lengths.
@Suite struct SecurityPacketTests {
    /// Bluetooth Core, Vol 3 Part H, 3.3 and the tables of 3.5 and 3.6: codes, and lengths with the code.
    static let lengths: [UInt8: Int] = [
        0x01: 7, 0x02: 7, 0x03: 17, 0x04: 17, 0x05: 2, 0x06: 17, 0x07: 11, 0x08: 17, 0x09: 8, 0x0A: 17, 0x0B: 2,
        0x0C: 65,
        0x0D: 17, 0x0E: 2,
    ]

    @Test func `each kind has the code and the length of the specification`() {
        #expect(SMP.messages.count == Self.lengths.count)
        for type in SMP.messages { #expect(type.init().encoded().count == Self.lengths[type.code]) }
    }

    @Test func `what is written is read again, and no other length is`() throws {
        var randomness = Seed(1).stream("packets")
        for type in SMP.messages {
            for _ in 0..<20 { try check(type, &randomness) }
        }
    }

    private func check<M: SecurityMessage>(_ type: M.Type, _ randomness: inout RandomStream) throws {
        let message = M.fuzzed(using: &randomness)
        let bytes = message.encoded()

        #expect(try SMP.message(bytes) as? M == message)
        for count in 1..<bytes.count {
            #expect(throws: FrameError.self) { try SMP.message(Array(bytes.prefix(count))) }
        }
        #expect(throws: FrameError.self) { try SMP.message(bytes + [0]) }
    }

    @Test func `unknown codes are no packets`() throws {
        for code in [UInt8(0), 0x0F, 0x80, 0xFF] { #expect(try SMP.message([code, 1, 2]) == nil) }
        #expect(try SMP.message([UInt8]()) == nil)
    }

    /// A request as phones send it: KeyboardDisplay, bonding, MITM, Secure Connections.
    @Test func `a request is read field by field`() throws {
        let bytes: [UInt8] = [0x01, 0x04, 0x00, 0x0D, 0x10, 0x0F, 0x0F]
        let features = try #require(try SMP.message(bytes) as? SMP.PairingRequest).features

        #expect(features.ioCapability == .keyboardDisplay)
        #expect(features.requirements == [.bonding, .mitm, .secureConnections])
        #expect(features.maximumKeySize == 16)
        #expect(features.initiatorKeys == [.encryption, .identity, .signing, .link])
        #expect("\(features.requirements)" == "bonding, MITM, Secure Connections")
        #expect("\(SMP.Requirements(rawValue: 0x42))" == "0x42")
        #expect("\(SMP.Reason.confirmValueFailed)" == "confirm value failed")
        #expect("\(SMP.Reason(rawValue: 0x77))" == "reason 0x77")
        #expect("\(SMP.Reason(rawValue: 0))" == "reason 0x00")
    }
}
