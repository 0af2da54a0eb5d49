import CBluetooth
import MeshBluetoothHost

/// The facts that the kernel of this machine reports about its Bluetooth adapters.
///
/// The requests here need no privileges.
package enum BluetoothAdapters {
    /// An adapter of this machine.
    package struct Adapter: Hashable, Sendable {
        /// The kernel's number of the adapter: 0 is `hci0`.
        package let index: UInt16
        /// True when the adapter is switched on.
        package let isUp: Bool
        /// The public address as text; `nil` where the adapter has none, or the kernel does not say.
        package let address: String?
    }

    /// More are not asked for.
    private static let limit: UInt16 = 256

    /// All of them, in the order of their numbers; `nil` where the kernel has no sockets for adapters.
    package static var all: [Adapter]? {
        var told = [bluetooth_adapter](repeating: bluetooth_adapter(), count: Int(limit))
        let count = Int(bluetooth_list_adapters(&told, limit))
        guard count >= 0 else { return nil }
        return told.prefix(count).map { told in
            let address = withUnsafeBytes(of: told.address) { [UInt8]($0) }
            return Adapter(
                index: told.index, flags: told.flags, address: BluetoothAddress(address.span, at: 0, isRandom: false))
        }.sorted { $0.index < $1.index }
    }
}

extension BluetoothAdapters.Adapter {
    /// The kernel's facts about an adapter.
    init(index: UInt16, flags: UInt32, address: BluetoothAddress) {
        self.index = index
        isUp = bluetooth_is_up(flags) != 0
        // An adapter for low energy alone may have none.
        self.address = address.number == 0 ? nil : address.text
    }
}
