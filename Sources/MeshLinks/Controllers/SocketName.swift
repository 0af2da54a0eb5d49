import CBluetooth
import Glibc
import MeshBluetoothHost

/// A name that a Bluetooth socket is bound to, or that its peer has, as the library lays it out.
protocol SocketName {
    init()
}

extension sockaddr_hci: SocketName {
    /// The exclusive way to an adapter, its user channel.
    init(userChannelOf adapter: UInt16) {
        self.init()
        hci_family = sa_family_t(AF_BLUETOOTH)
        hci_dev = adapter
        hci_channel = UInt16(HCI_CHANNEL_USER)
    }
}

extension sockaddr_l2: SocketName {
    /// The channel of attributes at an adapter with this address.
    init(attributesAt own: BluetoothAddress) {
        self.init()
        l2_family = sa_family_t(AF_BLUETOOTH)
        l2_bdaddr = bdaddr_t(own)
        l2_cid = L2CAP.Channel.attributes.littleEndian
        l2_bdaddr_type = UInt8(own.isRandom ? BDADDR_LE_RANDOM : BDADDR_LE_PUBLIC)
    }

    /// Whose channel it is.
    var device: BluetoothAddress {
        BluetoothAddress(l2_bdaddr, isRandom: Int32(l2_bdaddr_type) == BDADDR_LE_RANDOM)
    }
}

extension SocketName {
    /// Its length for the system.
    static var length: socklen_t { socklen_t(MemoryLayout<Self>.stride) }

    /// As the system gets it, for tests.
    var bytes: [UInt8] { withUnsafeBytes(of: self) { [UInt8]($0) } }

    /// Binds a socket to it: 0, or -1 with `errno`.
    func bind(_ descriptor: Int32) -> Int32 {
        withUnsafePointer(to: self) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.bind(descriptor, $0, Self.length) }
        }
    }

    /// Takes a connection, and becomes the name of its peer: the descriptor, or -1 with `errno`.
    static func accept(_ descriptor: Int32) -> (descriptor: Int32, name: Self) {
        var (name, length) = (Self(), Self.length)
        let taken = withUnsafeMutablePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.accept(descriptor, $0, &length) }
        }
        return (taken, name)
    }
}
