import MeshBluetoothHost
package import MeshFirmware
import MeshSimulator
import MeshWire

/// The facts that the Bluetooth of a companion radio reads from its node when the board starts.
package struct RadioIdentity: Hashable, Sendable {
    /// Queues, properties and pace of the chip family.
    let traits: BluetoothTraits
    /// The node's name at boot, in the bytes that it was set in (CMP-031).
    let name: [UInt8]
    /// The PIN that it shows: the one of its settings, else the one of its build (CMP-022).
    let pin: UInt32
    /// True when a display shows the PIN, which is unknown before.
    let showsPIN: Bool
    /// The address at which it is found: static, and the same after each start.
    let address: BluetoothAddress

    /// `nil` for nodes that have no Bluetooth: other roles, and processors for which the firmware has none.
    init?(_ node: NodeID, in world: World) {
        guard let radio = world.companion(node) else { return nil }
        self.init(radio)
    }

    /// `nil` for a board whose processor the firmware has no Bluetooth for.
    package init?(_ radio: CompanionRadio) {
        guard let traits = radio.board.bluetooth else { return nil }
        self.traits = traits
        name = [UInt8](radio.name.bytes)
        pin = radio.activePIN
        showsPIN = radio.board.hasDisplay
        // A board's own address is the chip's, which nothing emulated has; the node's key tells nodes apart as well.
        let number = radio.publicKey.prefix(6).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        address = BluetoothAddress(number: number | 0xC000_0000_0000, isRandom: true)
    }

    init(traits: BluetoothTraits, name: [UInt8], pin: UInt32, address: BluetoothAddress) {
        self.traits = traits
        self.name = name
        self.pin = pin
        showsPIN = false
        self.address = address
    }

}

extension RadioIdentity: CustomStringConvertible, CustomReflectable {
    /// The name of the device as text and the address; never the PIN.
    package var description: String {
        "\(BluetoothTraits.namePrefix)\(String(decoding: name, as: UTF8.self)) at \(address)"
    }
    /// Without the PIN, for `dump` and test reports.
    package var customMirror: Mirror { Mirror(self, children: ["name": name, "address": address]) }
}
