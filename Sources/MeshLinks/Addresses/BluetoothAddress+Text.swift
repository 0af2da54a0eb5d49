import CBluetooth
package import MeshBluetoothHost

extension BluetoothAddress {
    /// The characters of an address as text.
    private static let textLength = 17

    /// Reads `AA:BB:CC:DD:EE:FF`, as people, bluetoothd and the kernel write it; `nil` for anything else.
    package init?(text: some StringProtocol, isRandom: Bool = false) {
        var address = bdaddr_t()
        // A zero would end the text for the library, whatever stands behind it.
        guard text.utf8.count == Self.textLength, !text.utf8.contains(0), str2ba(String(text), &address) == 0 else {
            return nil
        }
        self.init(address, isRandom: isRandom)
    }

    /// `AA:BB:CC:DD:EE:FF`, which does not say the kind of the address.
    package var text: String {
        var address = bdaddr_t(self)
        var text = [CChar](repeating: 0, count: Self.textLength + 1)
        ba2str(&address, &text)
        return String(decoding: text.prefix(Self.textLength).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// An address of the system's.
    init(_ address: bdaddr_t, isRandom: Bool) {
        let bytes = withUnsafeBytes(of: address) { [UInt8]($0) }
        self.init(bytes.span, at: 0, isRandom: isRandom)
    }
}

extension bdaddr_t {
    /// The address as the system has it, its lowest byte first.
    init(_ address: BluetoothAddress) {
        self.init()
        withUnsafeMutableBytes(of: &self) { $0.copyBytes(from: address.bytes.reversed()) }
    }
}
