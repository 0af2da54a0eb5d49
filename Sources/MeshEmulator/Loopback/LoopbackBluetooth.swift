package import MeshBluetoothAir
import MeshFirmware
package import MeshSimulator
package import MeshTime

/// How the radios of a world in this process are reached.
package enum LoopbackLink: String, Hashable, Sendable, CaseIterable {
    /// Without anything in between: frames take no time.
    case direct
    /// Over a modelled Bluetooth link, with boards of this chip family.
    case bluetoothESP32 = "ble-esp32"
    case bluetoothNRF52 = "ble-nrf52"

    /// What users may write, in a sentence.
    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

    private var platform: BoardPlatform? {
        switch self {
        case .direct: nil
        case .bluetoothESP32: .esp32
        case .bluetoothNRF52: .nrf52
        }
    }

    /// Gives companion radios the interface that the link needs, and says what their links are like.
    package func prepare(_ world: inout WorldDescription, seed: Seed) -> LoopbackBluetooth? {
        guard let platform else { return nil }
        for index in world.nodes.indices {
            guard case .companion = world.nodes[index].role else { continue }
            world.nodes[index].role = .companion(.bluetooth)
            world.nodes[index].board.platform = platform
        }
        var bluetooth = LoopbackBluetooth()
        bluetooth.seed = seed.part("bluetooth")
        return bluetooth
    }
}

/// How the Bluetooth radios of a world in this process are reached: what their links are like, and who types which PIN.
package struct LoopbackBluetooth: Hashable, Sendable {
    /// Intervals, packets and losses.
    package var air = AirSettings()
    /// The longest payload of both controllers, 27 to 251 bytes.
    package var longestPayload: UInt16 = 251
    /// What advertising, losses and keys are drawn from.
    package var seed = Seed(1)
    /// The six digits that the app's user types; `nil` for those that the radio shows.
    package var pin: UInt32?

    package init() {}
}
