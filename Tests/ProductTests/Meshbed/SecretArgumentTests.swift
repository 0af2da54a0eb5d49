import ArgumentParser
import MeshTestbed
import Testing

@testable import meshbed

/// Error messages about arguments that hold a PIN.
@Suite struct SecretArgumentTests {
    @Test(arguments: [
        "comply --target", "client info --target", "scenario run --target", "replay a.capture --as client --target",
        "record ble --to",
    ])
    func `an address that is refused is repeated without its PIN`(words: String) {
        for address in [
            "ble:alice?via=hci0&pin=98765", "ble:alice?pin=98765&via=hci0", "ble:alice?pin=987654&via=nowhere",
            "ble:alice?pin=987654&mode=other",
        ] {
            do {
                _ = try Meshbed.parseAsRoot(words.split(separator: " ").map(String.init) + [address])
                Issue.record("\(address) is taken")
            } catch {
                let text = Meshbed.refusal(error)
                #expect(text.contains("pin=…") && !text.contains("98765"), "\(text)")
            }
        }
    }
}
