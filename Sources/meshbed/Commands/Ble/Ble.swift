import ArgumentParser
import MeshTransports

/// `meshbed ble`: the Bluetooth of this machine.
struct Ble: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check and use the Bluetooth of this machine.",
        discussion: """
            Examples:
              meshbed ble doctor
              meshbed ble scan
              meshbed ble pair ble:MeshCore-alice
              meshbed ble forget ble:C0:11:22:33:44:55
            """,
        subcommands: [BleDoctor.self, BleScan.self, BlePair.self, BleForget.self])

    /// The radio of an address, which is one over Bluetooth.
    static func radio(_ text: String) throws -> BluetoothRadio {
        do throws(LinkError) {
            guard case .bluetooth(let radio) = try LinkAddress(radio: text) else {
                throw .badAddress(text, reason: "expected \(LinkAddress.bluetoothForm)")
            }
            return radio
        } catch {
            throw ValidationError("\(error)")
        }
    }
}
