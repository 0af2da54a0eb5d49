import Foundation
import PocketMeshServices
import Testing

/// Addresses as users meet them.
@Suite struct ConnectionValueTests {
    @Test(arguments: [
        ("tcp://10.0.0.7:5000", "tcp", "10.0.0.7:5000"), ("tcp://[::1]:5000", "tcp", "[::1]:5000"),
        ("serial:/dev/ttyUSB0?baud=115200", "serial", "/dev/ttyUSB0?baud=115200"),
        ("loopback:pair/alice?seed=3", "loopback", "pair/alice?seed=3"),
        ("ble:AA:BB:CC:DD:EE:FF", "ble", "AA:BB:CC:DD:EE:FF"),
    ])
    func `an address is read and written alike`(text: String, kind: String, address: String) {
        let endpoint = RadioEndpoint(text)

        #expect(endpoint?.kind.rawValue == kind)
        #expect(endpoint?.address == address)
        #expect(endpoint?.description == text)
    }

    @Test(arguments: ["", "tcp", "tcp:", "tcp://", ":5000"])
    func `what names no kind or no place is no address`(text: String) {
        #expect(RadioEndpoint(text) == nil)
    }
}
