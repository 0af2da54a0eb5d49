import MeshWire
import Testing

@testable import MeshBluetoothHost

/// The functions of legacy pairing, against figures of others.
@Suite struct LegacyFunctionTests {
    private func bytes<let size: Int>(_ hex: String) -> FixedBytes<size> { FixedBytes(hex: hex) ?? FixedBytes() }

    /// Bluetooth Core, Vol 3 Part H, 2.2.3: the values of the text's example.
    @Test func `c1 is that of the specification`() {
        let confirm = SMP.confirm(
            key: SMP.temporaryKey(pin: 0), random: bytes("5783d52156ad6f0e6388274ec6702ee0"),
            request: bytes("07071000000101"), response: bytes("05000800000302"),
            initiator: BluetoothAddress(number: 0xA1A2_A3A4_A5A6, isRandom: true),
            responder: BluetoothAddress(number: 0xB1B2_B3B4_B5B6, isRandom: false))

        #expect(confirm.array.hex == "1e1e3fef878988ead2a74dc5bef13b86")
    }

    /// Bluetooth Core, Vol 3 Part H, 2.2.4.
    @Test func `s1 is that of the specification`() {
        let key = SMP.shortTermKey(
            key: SMP.temporaryKey(pin: 0), responder: bytes("000f0e0d0c0b0a091122334455667788"),
            initiator: bytes("010203040506070899aabbccddeeff00"))

        #expect(key.array.hex == "9a1fe1f0e8b0f49b5b4216ae796da062")
    }
}
