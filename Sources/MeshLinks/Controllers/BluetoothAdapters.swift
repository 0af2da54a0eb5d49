import Glibc

/// What the kernel of this machine says of its Bluetooth adapters. No right is needed for what is asked here.
package enum BluetoothAdapters {
    // Source: Linux, net/bluetooth/bluetooth.h, hci.h and hci_sock.h.
    static let family: Int32 = 31
    static let hci: Int32 = 1
    /// `HCIGETDEVINFO`, `_IOR('H', 211, int)`.
    private static let getInformation: UInt = 0x8004_48D3
    /// `hci_dev_info`: the number at 0, flags at 16, of which the lowest is `HCI_UP`.
    private static let informationLength = 92
    private static let flagsOffset = 16

    /// Whether the kernel has sockets for adapters.
    package static var haveSockets: Bool { withSocket { _ in true } ?? false }

    /// Whether an adapter is switched on; `nil` where the kernel does not say.
    package static func isUp(_ index: UInt16) -> Bool? {
        withSocket { descriptor -> Bool? in
            var information = [UInt8](repeating: 0, count: informationLength)
            information[0] = UInt8(truncatingIfNeeded: index)
            information[1] = UInt8(index >> 8)
            let status = information.withUnsafeMutableBytes { bytes in
                bytes.baseAddress.map { ioctl(descriptor, getInformation, $0) } ?? -1
            }
            // The lowest bit of a number whose lowest byte comes first.
            return status == 0 ? information[flagsOffset] & 1 != 0 : nil
        } ?? nil
    }

    private static func withSocket<T>(_ work: (Int32) -> T) -> T? {
        let descriptor = socket(family, Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue), hci)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return work(descriptor)
    }
}
