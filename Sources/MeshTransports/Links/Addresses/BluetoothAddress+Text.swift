import CBluetooth
package import MeshBluetoothHost

extension BluetoothAddress {
    /// The characters of an address as text.
    private static let textLength = 17

    /// Reads `AA:BB:CC:DD:EE:FF`, as people, bluetoothd and the kernel write it; `nil` for anything else.
    package init?(text: some StringProtocol, isRandom: Bool = false) {
        var bytes = [UInt8](repeating: 0, count: 6)
        // A zero would end the text for the library, whatever stands behind it.
        guard text.utf8.count == Self.textLength, !text.utf8.contains(0),
            bluetooth_read_address(String(text), &bytes) == 0
        else { return nil }
        self.init(bytes.span, at: 0, isRandom: isRandom)
    }

    /// `AA:BB:CC:DD:EE:FF`, which does not say the kind of the address.
    package var text: String {
        var text = [CChar](repeating: 0, count: Self.textLength + 1)
        bluetooth_print_address(systemBytes, &text)
        return String(decoding: text.prefix(Self.textLength).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The bytes in the system's order, the lowest first.
    var systemBytes: [UInt8] { bytes.reversed() }
}
