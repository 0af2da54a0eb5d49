import CBluetooth
import Glibc
import MeshBluetoothHost

/// What the kernel of this machine says of its Bluetooth adapters. No right is needed for what is asked here.
package enum BluetoothAdapters {
    /// An adapter of this machine.
    package struct Adapter: Hashable, Sendable {
        /// As the kernel counts them: 0 is `hci0`.
        package let index: UInt16
        /// Whether it is switched on.
        package let isUp: Bool
        /// Its public address as text; `nil` where it has none, or the kernel does not say.
        package let address: String?
    }

    /// More are not asked for.
    private static let limit: UInt16 = 256

    /// All of them, in the order of their numbers; `nil` where the kernel has no sockets for adapters.
    package static var all: [Adapter]? {
        let descriptor = socket(AF_BLUETOOTH, Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue), BTPROTO_HCI)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var told = [hci_dev_req](repeating: hci_dev_req(), count: Int(limit))
        let count = max(0, Int(CBluetooth_list(descriptor, &told, limit)))
        return adapters(told.prefix(count).map { ($0.dev_id, flags: $0.dev_opt) }, address: address)
    }

    /// What the kernel tells of adapters, by their numbers and flags.
    static func adapters(
        _ told: [(index: UInt16, flags: UInt32)], address: (UInt16) -> BluetoothAddress?
    ) -> [Adapter] {
        told.map { index, flags in
            var flags = flags
            let isUp = hci_test_bit(Int32(HCI_UP), &flags) != 0
            // An adapter for low energy alone may have none.
            let address = address(index).flatMap { $0.number == 0 ? nil : $0.text }
            return Adapter(index: index, isUp: isUp, address: address)
        }.sorted { $0.index < $1.index }
    }

    private static func address(of index: UInt16) -> BluetoothAddress? {
        var information = hci_dev_info()
        guard hci_devinfo(Int32(index), &information) == 0 else { return nil }
        return BluetoothAddress(information.bdaddr, isRandom: false)
    }
}
