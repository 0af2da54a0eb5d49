package import MeshBluetoothHost
package import MeshFirmware
package import MeshSimulator
package import MeshTime

/// Link between apps and the radios of a world: apps in this process, and clients of an emulator.
package enum LoopbackLink: String, Hashable, Sendable, CaseIterable {
    /// Without anything in between: frames take no time.
    case direct
    /// Over a modelled Bluetooth link, with boards of this chip family.
    case bluetoothESP32 = "ble-esp32"
    case bluetoothNRF52 = "ble-nrf52"

    /// The names that users may write, in a sentence.
    package static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

    /// The chip family that boards need for it; `nil` for any.
    package var platform: BoardPlatform? {
        switch self {
        case .direct: nil
        case .bluetoothESP32: .esp32
        case .bluetoothNRF52: .nrf52
        }
    }

    /// Gives companion radios the interface that the link needs, and says what their links are like.
    package func prepare(_ world: inout WorldDescription, seed: Seed) -> LoopbackBluetooth? {
        for index in world.nodes.indices { prepare(&world.nodes[index]) }
        return bluetooth(seed: seed)
    }

    /// The same for one node; others than companion radios stay what they are.
    func prepare(_ node: inout NodeDescription) {
        guard let platform, case .companion = node.role else { return }
        if !node.links.contains(.bluetooth) { node.role = .companion(.bluetooth) }
        node.board.platform = platform
    }

    /// Returns the settings of a world's Bluetooth links; `nil` for direct ones.
    func bluetooth(seed: Seed) -> LoopbackBluetooth? {
        guard self != .direct else { return nil }
        var bluetooth = LoopbackBluetooth()
        bluetooth.seed = seed.part("bluetooth")
        return bluetooth
    }
}

/// Settings of the modelled Bluetooth links of a world, and the PIN that app users type.
package struct LoopbackBluetooth: Hashable, Sendable {
    /// Intervals, packets and losses.
    package var air = AirSettings()
    /// The longest payload of both controllers, 27 to 251 bytes.
    package var longestPayload: UInt16 = 251
    /// The seed of advertising, losses and keys.
    package var seed = Seed(1)
    /// The six digits that the app's user types; `nil` for those that the radio shows.
    package var pin: UInt32?

    package init() {}

    /// The same for the radio of this label, which draws by itself.
    func of(_ label: String) -> LoopbackBluetooth {
        var own = self
        own.seed = seed.part("node", label)
        return own
    }
}
