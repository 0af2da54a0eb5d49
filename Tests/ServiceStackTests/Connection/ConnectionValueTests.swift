import Foundation
import MeshCore
import PocketMeshServices
import Testing

/// Addresses and errors as users meet them.
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

    private static let errors: [(ConnectionError, String, String)] = [
        (.connectionFailed("refused"), "connection-failed", "the radio was not reached: refused"),
        (.deviceNotFound("any address"), "device-not-found", "no radio is known at any address"),
        (.notConnected, "not-connected", "there is no connection to a radio"),
        (
            .initializationFailed("silence"), "initialization-failed",
            "the radio was reached and could not be set up: silence"
        ),
        (.sessionError(.connectionLost("cut")), "connection-lost", "the connection was lost: cut"),
        (.superseded, "superseded", "another connection was asked for, or none"),
        (.bondKept("busy"), "bond-kept", "the radio is forgotten, and its pairing is kept: busy"),
        (.storeError(.deviceNotFound), "store", "the store does not know this radio"),
    ]

    @Test func `each error has a text, a word for programs, and says what can be done`() {
        for (error, code, text) in Self.errors {
            #expect(error.code == code)
            #expect("\(error)" == text)
            #expect(error.recovery.hasSuffix(".") || error.recovery.hasSuffix("counts."))
        }
    }
}
