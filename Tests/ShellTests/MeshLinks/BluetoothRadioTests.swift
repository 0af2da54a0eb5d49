import MeshTestSupport
import Testing

@testable import MeshTransports

/// The PIN or key that a radio over Bluetooth is paired with.
@Suite struct BluetoothRadioTests {
    @Test(.proves("SVC-052")) func `the PIN is that of the address, then that of the environment, then the usual one`()
        throws
    {
        let radio = BluetoothRadio(.name("MeshCore-alice"))
        let told = BluetoothRadio(.name("MeshCore-alice"), pin: 1)

        #expect(try radio.passkey(inEnvironment: nil) == 123_456)
        #expect(try radio.passkey(inEnvironment: "654321") == 654_321)
        #expect(try told.passkey(inEnvironment: "654321") == 1)
        for text in ["", "12345", "1234567", "12345x", "１２３４５６"] {
            #expect(throws: LinkError.self) { try radio.passkey(inEnvironment: text) }
        }
    }
}
