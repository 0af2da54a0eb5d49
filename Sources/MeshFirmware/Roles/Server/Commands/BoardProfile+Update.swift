import MeshCrypto
import MeshWire

// Updates by radio, which stop at their announcement: nothing is ever flashed. Source: firmware, `startOTAUpdate` of
// `ESP32Board` and `NRF52Board`.
extension BoardProfile {
    /// Returns the answer to `start ota`; `nil` where the board has no such update.
    ///
    /// An nRF52 names its Bluetooth address, a random static one. It is burnt into the chip; here it follows from the
    /// node's key, so that every node has its own.
    func updateAnswer(key: PublicKey) -> String? {
        switch platform {
        case .esp32: return updatesOverWifi ? "Started: http://192.168.4.1/update" : nil
        case .nrf52:
            let address = [key[0] | 0xC0] + (1..<6).map { key[$0] }
            return "OK - mac: " + address.map { [$0].hex.uppercased() }.joined(separator: ":")
        case .other: return nil
        }
    }
}
